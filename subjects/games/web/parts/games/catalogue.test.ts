import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { crossList, gameList } from '#subjects/games/contract/games.ts';
import { GAME_LIST_MIN } from '#contract/rules/limits.ts';
import { loadAreas, loadGames } from './catalogue.ts';

const calls = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('#web/lib/api/api.ts', () => calls);

let gameId = 0;
beforeEach(() => {
  vi.useFakeTimers();
  calls.call.mockReset();
  gameId += 1;
});
afterEach(() => void vi.useRealTimers());

test('a list is requested once', async () => {
  calls.call.mockResolvedValue({ list: [] });
  await loadAreas(gameId);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(await loadAreas(gameId)).toEqual([]);
  expect(calls.call).toHaveBeenCalledTimes(1);
});

test('a render after a failure reuses the failed result and sends nothing', async () => {
  calls.call.mockRejectedValue(new Error('offline'));
  const first = loadAreas(gameId);
  expect(await first).toBeNull();
  expect(loadAreas(gameId)).toBe(first);
  expect(calls.call).toHaveBeenCalledTimes(1);
});

test('a failure is retried when asked for, and after a moment', async () => {
  calls.call.mockRejectedValue(new Error('offline'));
  await loadAreas(gameId);
  await loadAreas(gameId, true);
  expect(calls.call).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(5000);
  calls.call.mockResolvedValue({ list: [] });
  expect(await loadAreas(gameId)).toEqual([]);
});

test('an old failure does not forget the list that a retry brought', async () => {
  calls.call.mockRejectedValueOnce(new Error('offline')).mockResolvedValue({ list: [] });
  await loadAreas(gameId);
  await loadAreas(gameId, true);
  await vi.advanceTimersByTimeAsync(5000);
  await loadAreas(gameId);
  expect(calls.call).toHaveBeenCalledTimes(2);
});

test('the areas are those of the game', async () => {
  calls.call.mockResolvedValue({ list: [{ id: 1 }] });
  expect(await loadAreas(gameId)).toEqual([{ id: 1 }]);
  expect(calls.call).toHaveBeenCalledWith(crossList, { gameId });
});

test('a whole list of games is kept, one with too few games for a minute, and one requested again replaces it', async () => {
  const games = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
  calls.call.mockResolvedValue({ list: games(GAME_LIST_MIN - 1) });
  expect(await loadGames()).toHaveLength(GAME_LIST_MIN - 1);
  expect(calls.call).toHaveBeenLastCalledWith(gameList, {});
  await vi.advanceTimersByTimeAsync(59_999);
  await loadGames();
  expect(calls.call).toHaveBeenCalledTimes(1);

  calls.call.mockResolvedValue({ list: games(GAME_LIST_MIN) });
  await vi.advanceTimersByTimeAsync(1);
  expect(await loadGames()).toHaveLength(GAME_LIST_MIN);
  await vi.advanceTimersByTimeAsync(3_600_000);
  await loadGames();
  expect(calls.call).toHaveBeenCalledTimes(2);

  await loadGames(true);
  expect(calls.call).toHaveBeenCalledTimes(3);
});
