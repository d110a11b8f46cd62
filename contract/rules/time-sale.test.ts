import { expect, test } from 'vitest';
import { offPercent, saleBounds } from './time-sale.ts';

test('a sale is a real reduction and not bait', () => {
  expect(saleBounds(10_000)).toEqual({ minFen: 3000, maxFen: 9500 });
  expect(saleBounds(101)).toEqual({ minFen: 100, maxFen: 95 });
  expect(offPercent(6699, 10_000)).toBe(33);
});
