import { useSyncExternalStore } from 'react';
import { SEARCH_HISTORY_GAMES } from '#contract/rules/limits.ts';
import type { SearchState } from './search-state.ts';

const KEY = 'historyGame';
const NONE: readonly SearchState[] = [];

let cached: readonly SearchState[] | null = null;

function read(): readonly SearchState[] {
  if (cached) return cached;
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    cached = Array.isArray(value) ? (value.slice(0, SEARCH_HISTORY_GAMES) as SearchState[]) : NONE;
  } catch {
    cached = NONE;
  }
  return cached;
}

/** Saves a search with a game, newest first, one entry per game. */
export function rememberSearch(state: SearchState): void {
  if (!state.game) return;
  const { game } = state;
  cached = [{ ...state, keyWord: '' }, ...read().filter((item) => item.game?.id !== game.id)].slice(
    0,
    SEARCH_HISTORY_GAMES,
  );
  try {
    localStorage.setItem(KEY, JSON.stringify(cached));
  } catch {
    // When storage is full or blocked only the convenience is lost.
  }
}

/** The last two games searched for; empty on the server and in the first client render. */
export function useSearchHistory(): readonly SearchState[] {
  return useSyncExternalStore(
    () => () => {},
    read,
    () => NONE,
  );
}
