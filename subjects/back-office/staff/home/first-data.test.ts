/** The first page of the back office renders all panels except a failed one, which then makes its own call. */
import { expect, test } from 'vitest';
import { boardMoney, boardTrade } from '#subjects/back-office/contract/board.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { firstData } from './first-data.ts';

const all = { trade: true, disputes: true, money: true, staff: true, vendors: true, misses: true, review: false };

/** Responds with the URL of the call, except for the failing one. */
const answering = (fails: Endpoint, how: () => Promise<unknown>) =>
  ((endpoint: Endpoint) => (endpoint === fails ? how() : Promise.resolve(endpoint.path))) as unknown as Parameters<
    typeof firstData
  >[0];

test('a panel that fails or is late is left to ask by itself, and the others are there', async () => {
  const broken = await firstData(
    answering(boardMoney, () => Promise.reject(new Error('broken'))),
    all,
    new URLSearchParams(),
  );
  const missing = Object.entries(broken).filter(([, part]) => part === null);
  expect(missing.map(([name]) => name)).toEqual(['money', 'review']);
  const late = await firstData(
    answering(boardTrade, () => new Promise(() => {})),
    all,
    new URLSearchParams(),
  );
  expect(late.trade).toBeNull();
  expect(late.money).toBe(boardMoney.path);
});
