import { crossList, gameList } from '#subjects/games/contract/games.ts';
import type { Data } from '#contract/endpoint.ts';
import { GAME_LIST_MIN } from '#contract/rules/limits.ts';
import { call } from '#web/lib/api/api.ts';

export type Game = Data<typeof gameList>['list'][number];
export type Area = Data<typeof crossList>['list'][number];

const requests = new Map<string, Promise<unknown>>();

/**
 * How long a failure is cached: a suspended component renders again when the request fails, and must find the failure instead of sending
 * another request.
 */
const FAILURE_MS = 5000;

interface Source<T> {
  load: () => Promise<readonly T[]>;
  isCacheable: (list: readonly T[]) => boolean;
  /** Sends a new request in any case. */
  again: boolean;
}

/** One request per key and page visit; a failure resolves to null and is forgotten after a moment. */
function once<T>(key: string, { load, isCacheable, again }: Source<T>): Promise<readonly T[] | null> {
  const cached = again ? undefined : requests.get(key);
  if (cached) return cached as Promise<readonly T[] | null>;
  const forget = (after: number) =>
    setTimeout(() => {
      if (requests.get(key) === request) requests.delete(key);
    }, after);
  const request: Promise<readonly T[] | null> = load().then(
    (list) => {
      if (!isCacheable(list)) forget(60_000);
      return list;
    },
    () => {
      forget(FAILURE_MS);
      return null;
    },
  );
  requests.set(key, request);
  return request;
}

/** All games; null when the call failed. */
export function loadGames(again = false): Promise<readonly Game[] | null> {
  return once('games', {
    load: async () => (await call(gameList, {})).list,
    isCacheable: (list) => list.length >= GAME_LIST_MIN,
    again,
  });
}

/** Areas and servers of a game; null when the call failed. */
export function loadAreas(gameId: number, again = false): Promise<readonly Area[] | null> {
  return once(`areas:${gameId}`, {
    load: async () => (await call(crossList, { gameId })).list,
    isCacheable: () => true,
    again,
  });
}
