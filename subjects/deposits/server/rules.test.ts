import { expect, test } from 'vitest';
import { cancelPenalty, type DepositLevel, levelReached } from './rules.ts';

const level = (role: DepositLevel['role'], number: number, amountFen: number): DepositLevel => ({
  role,
  level: number,
  name: `${role} ${number}`,
  amountFen,
  benefits: [],
  limits: {},
  releaseDays: 7,
});
const levels = [
  level('seller', 1, 10_000),
  level('seller', 3, 50_000),
  level('seller', 2, 30_000),
  level('shop', 5, 10_000),
];

test('a deposit reaches the highest level of its role from the exact amount on', () => {
  const reached = [9999, 10_000, 29_999, 30_000, 49_999, 50_000].map(
    (fen) => levelReached(levels, 'seller', fen)?.level,
  );
  expect(reached).toEqual([undefined, 1, 1, 2, 2, 3]);
  expect(levelReached(levels, 'shop', 90_000)?.level).toBe(5);
  expect(levelReached(levels, 'booster', 90_000)).toBeUndefined();
});

test('the penalty for cancelling is a share of the price within its bounds', () => {
  const setting = {
    cancelBp: 500,
    cancelMinFen: 100,
    cancelMaxFen: 2000,
    lossBp: 9999,
    lossMinFen: 1,
    lossMaxFen: 9_999_999,
    recheckSeconds: 60,
  };
  expect([1, 2000, 2020, 39_980, 40_000, 90_000].map((fen) => cancelPenalty(fen, setting))).toEqual([
    100, 100, 101, 1999, 2000, 2000,
  ]);
});
