import { expect, test } from 'vitest';
import { offPercent, saleBounds } from './time-sale.ts';

test('a sale requires a real reduction within the allowed bounds', () => {
  expect(saleBounds(10_000)).toEqual({ minFen: 3000, maxFen: 9500 });
  expect(saleBounds(101)).toEqual({ minFen: 100, maxFen: 95 });
  expect(offPercent(6699, 10_000)).toBe(33);
});
