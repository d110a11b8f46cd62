import { useMatches } from 'react-router';
import { defaultGoodsType } from '#contract/rules/catalogue.ts';

export interface Named {
  id: number;
  name: string;
}

/** The current selection of the search bar. */
export interface SearchState {
  game: Named | null;
  area: Named | null;
  server: Named | null;
  typeId: number | null;
  keyWord: string;
}

export const EMPTY_SEARCH: SearchState = { game: null, area: null, server: null, typeId: null, keyWord: '' };

/** The state after a choice: everything that depends on it is reset (product.md 4). */
export function withChoice(state: SearchState, change: Partial<SearchState>): SearchState {
  if ('game' in change) {
    return {
      ...state,
      area: null,
      server: null,
      typeId: change.game ? defaultGoodsType(change.game.id) : null,
      ...change,
    };
  }
  if ('area' in change) return { ...state, server: null, ...change };
  return { ...state, ...change };
}

/** URL of the list for the selection, with the specification's parameter names; absent parts are omitted. */
export function searchPath(state: SearchState): string {
  const query = new URLSearchParams();
  const typeId = state.typeId ?? (state.game ? defaultGoodsType(state.game.id) : null);
  if (typeId !== null) query.set('gt', String(typeId));
  if (state.game) query.set('gid', String(state.game.id));
  if (state.area) query.set('areaId', String(state.area.id));
  if (state.server) query.set('serverId', String(state.server.id));
  if (state.keyWord.trim()) query.set('keyWord', state.keyWord.trim());
  return query.size > 0 ? `/wares?${query}` : '/wares';
}

/** The search of the current page, from the first loader data whose `search` is one; empty otherwise. */
export function useSearchState(): SearchState {
  for (const match of useMatches()) {
    const found = (match.loaderData as { search?: SearchState } | undefined)?.search;
    if (found?.game !== undefined) return found;
  }
  return EMPTY_SEARCH;
}
