import { expect, test } from 'vitest';
import { recentSide } from './recent-side.ts';

test('orders begin with what was bought, and with what was sold where nothing was bought', () => {
  expect(recentSide({ orders: { total: 3 }, sold: { total: 9 } })).toBe('bought');
  expect(recentSide({ orders: { total: 0 }, sold: { total: 9 } })).toBe('sold');
  expect(recentSide({ orders: { total: 0 }, sold: { total: 0 } })).toBe('bought');
  expect(recentSide({ orders: null, sold: { total: 9 } })).toBe('bought');
  expect(recentSide({ orders: { total: 0 }, sold: null })).toBe('bought');
});
