import type { ReactNode } from 'react';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { listInput, listPath } from '#web/lib/list-query.ts';
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

/** Below a list of boosting: who finds no package there names a price, and a booster takes the order. */
function OwnPrice({ gid, also }: { gid: number; also: ReactNode }) {
  return (
    <section
      className="panel mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3.5 max-md:mt-3"
      aria-labelledby="demand"
    >
      <div className="grid min-w-0 flex-1 gap-0.5 max-md:basis-full">
        <h2 id="demand" className="text-16 font-semibold">
          自己出价，等打手来接
        </h2>
        <p className="text-13 text-ink-2">选好从哪打到哪和出价；货款先托管，没人接之前随时免费撤回。</p>
      </div>
      {also}
      <ButtonLink to={`/center/boosting/requests?new=1&gid=${gid}`} size="sm" kind="primary">
        去发单
      </ButtonLink>
    </section>
  );
}

/** Wants of this game and type, below its list. */
export function Wanted({ data, title }: { data: ListData; title: string }) {
  const { wants, state } = data;
  if (!wants || state.gid === null) return null;
  const also = data.total > 0 && <SubscribeTo data={data} title={title} />;
  if (state.gt === BOOSTING) return <OwnPrice gid={state.gid} also={also} />;
  return (
    <Demand
      wants={wants}
      wantTo={data.wantTo}
      sellTo={`/center/sell?gameId=${state.gid}&gt=${state.gt ?? 1}`}
      also={also}
    />
  );
}
