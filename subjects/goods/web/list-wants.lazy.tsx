import { listInput, listPath } from '#web/lib/list-query.ts';
import { Demand } from '#subjects/offers/web/parts/want/demand.tsx';
import { type SavedSearch, Subscribe } from '#subjects/offers/web/parts/want/subscribe.tsx';
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

/** Wants of this game and type, below its list. */
export function Wanted({ data, title }: { data: ListData; title: string }) {
  const { wants, state } = data;
  if (!wants || state.gid === null) return null;
  return (
    <Demand
      wants={wants}
      wantTo={data.wantTo}
      sellTo={`/center/sell?gameId=${state.gid}&gt=${state.gt ?? 1}`}
      also={data.total > 0 && <SubscribeTo data={data} title={title} />}
    />
  );
}
