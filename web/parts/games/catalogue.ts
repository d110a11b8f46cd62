import { crossList, gameList } from '#contract/common.ts';
import type { Data } from '#contract/endpoint.ts';
import { GAME_LIST_MIN } from '#contract/rules/limits.ts';
import { call } from '#web/lib/api.ts';

export type Game = Data<typeof gameList>['list'][number];
export type Area = Data<typeof crossList>['list'][number];

const requests = new Map<string, Promise<unknown>>();

/** One request per key and page visit; a failure resolves to null and is not cached, so that the next call retries. */
function once<T>(
  key: string,
  load: () => Promise<readonly T[]>,
  isCacheable: (list: readonly T[]) => boolean,
): Promise<readonly T[] | null> {
  const cached = requests.get(key);
  if (cached) return cached as Promise<readonly T[] | null>;
  const request = load().then(
    (list) => {
      if (!isCacheable(list)) setTimeout(() => requests.delete(key), 60_000);
      return list;
    },
    () => {
      requests.delete(key);
      return null;
    },
  );
  requests.set(key, request);
  return request;
}

/** All games; null when the call failed. */
export function loadGames(): Promise<readonly Game[] | null> {
  return once(
    'games',
    async () => (await call(gameList, {})).list,
    (list) => list.length >= GAME_LIST_MIN,
  );
}

/** Areas and servers of a game; null when the call failed. */
export function loadAreas(gameId: number): Promise<readonly Area[] | null> {
  return once(
    `areas:${gameId}`,
    async () => (await call(crossList, { gameId })).list,
    () => true,
  );
}
