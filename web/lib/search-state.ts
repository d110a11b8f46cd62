import { useMatches } from 'react-router';
import { defaultGoodsType } from '#contract/rules/catalogue.ts';

export interface Named {
  id: number;
  name: string;
}

/** What the search bar shows as chosen. */
export interface SearchState {
  game: Named | null;
  area: Named | null;
  server: Named | null;
  typeId: number | null;
  keyWord: string;
}

export const EMPTY_SEARCH: SearchState = { game: null, area: null, server: null, typeId: null, keyWord: '' };

/** The state after a choice: everything downstream of it falls back to none (product.md 4). */
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

/** Address of the list for what was chosen, by the specification's parameter names; absent parts leave no parameter. */
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

/** What the page on screen was searched by: its loader may give `search` among its data. */
export function useSearchState(): SearchState {
  for (const match of useMatches()) {
    const found = (match.loaderData as { search?: SearchState } | undefined)?.search;
    if (found) return found;
  }
  return EMPTY_SEARCH;
}
