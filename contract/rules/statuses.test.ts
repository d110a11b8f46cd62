import { expect, test } from 'vitest';
import { GoodsStatus, isPrivateGoods } from './statuses.ts';

test.each([
  ['Draft', 0, true],
  ['Reviewing', 1, true],
  ['OnSale', 2, false],
  ['OffSale', 3, false],
  ['Locked', 4, false],
  ['Sold', 5, false],
  ['Rejected', 6, true],
  ['Hidden', 7, false],
  ['Removed', 8, false],
] as const)('only the seller sees a listing that is %s (%i): %s', (name, status, isPrivate) => {
  expect(GoodsStatus[name]).toBe(status);
  expect(isPrivateGoods(status)).toBe(isPrivate);
});
