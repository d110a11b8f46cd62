import { expect, test } from 'vitest';
import { recentParty } from './recent-party.ts';

test('orders begin with what was bought, and with what was sold where nothing was bought', () => {
  expect(recentParty({ orders: { total: 3 }, sold: { total: 9 } })).toBe('bought');
  expect(recentParty({ orders: { total: 0 }, sold: { total: 9 } })).toBe('sold');
  expect(recentParty({ orders: { total: 0 }, sold: { total: 0 } })).toBe('bought');
  expect(recentParty({ orders: null, sold: { total: 9 } })).toBe('bought');
  expect(recentParty({ orders: { total: 0 }, sold: null })).toBe('bought');
});
