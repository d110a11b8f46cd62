import type { ReactNode } from 'react';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { FREE_LABELS, listInput, listPath } from '#web/lib/lists/list-query.ts';
import { Demand } from '#subjects/offers/web/parts/want/demand.tsx';
import { type SavedSearch, Subscribe } from '#subjects/offers/web/parts/want/subscribe.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import type { ListData } from './list-loader.ts';

const MAX_TITLE = 80;

/** The current search in the form in which it is saved; null when it is too wide to be useful. */
function savedSearchOf({ state, choices, tags }: ListData, title: string): SavedSearch | null {
  if (state.gid === null && !state.keyWord && state.sellerId === null) return null;
  // Alerts support neither available hours, which change constantly, nor ranks.
  if (state.free !== null || state.voice !== null || state.rankTo !== null) return null;
  const { pageSize: _size, cursor: _cursor, sort: _sort, ...filters } = listInput(state, choices.fields, null);
  const text = [title, ...tags.map(({ label }) => label)].join(' ');
  return {
    ...filters,
    title: [...text].slice(0, MAX_TITLE).join(''),
    path: listPath({ ...state, sort: '', view: 'rows' }),
  };
}

/** The button that subscribes to the current search. */
export function SubscribeTo({ data, title }: { data: ListData; title: string }) {
  const search = savedSearchOf(data, title);
  return search && <Subscribe search={search} />;
}

/** Below a list of services, where nobody publishes a want: what else helps whoever found nothing. */
function ElseToDo({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section
      className="panel mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3.5 max-md:mt-3"
      aria-labelledby="demand"
    >
      <div className="grid min-w-0 flex-1 gap-0.5 max-md:basis-full">
        <h2 id="demand" className="text-16 font-semibold">
          {title}
        </h2>
        <p className="text-13 text-ink-2">{text}</p>
      </div>
      {children}
    </section>
  );
}

/** Below the list of a game and a type: its wants, or for services the way that fits them. */
export function Wanted({ data, title }: { data: ListData; title: string }) {
  const { wants, state } = data;
  const also = data.total > 0 && <SubscribeTo data={data} title={title} />;
  if (state.gid === null) return null;
  if (state.gt === BOOSTING)
    return (
      <ElseToDo title="自己出价，等打手来接" text="选好从哪打到哪和出价；货款先托管，没人接之前随时免费撤回。">
        {also}
        <ButtonLink to={`/center/boosting/requests?new=1&gid=${state.gid}`} size="sm" kind="primary">
          去发单
        </ButtonLink>
      </ElseToDo>
    );
  if (state.gt === COMPANION_PLAY)
    return (
      <ElseToDo title="没有合适的人或时间？" text="换个时间看看谁有空；订阅后，有新的陪玩上架就通知您。">
        {also}
        {(['tomorrow', 'weekend'] as const)
          .filter((free) => free !== state.free)
          .map((free) => (
            <ButtonLink key={free} to={listPath({ ...state, free })} size="sm">
              {FREE_LABELS[free]}有空的
            </ButtonLink>
          ))}
      </ElseToDo>
    );
  if (!wants) return null;
  return (
    <Demand
      wants={wants}
      wantTo={data.wantTo}
      sellTo={`/center/sell?gameId=${state.gid}&gt=${state.gt ?? 1}`}
      also={also}
    />
  );
}
