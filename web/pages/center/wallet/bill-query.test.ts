import { expect, test } from 'vitest';
import { ACCOUNTS, billPath, DIRECTIONS, parseBill } from './bill-query.ts';

test('every choice is read back as it was written', () => {
  for (const { account } of ACCOUNTS) {
    for (const { direction } of DIRECTIONS) {
      const path = billPath('/list', { account, direction });
      expect(parseBill(new URL(path, 'http://x').searchParams)).toEqual({ account, direction });
    }
  }
});

test('the default has a clean address, and nonsense counts as the default', () => {
  expect(billPath('/list', { account: 'available', direction: null })).toBe('/list');
  expect(parseBill(new URLSearchParams('account=escrow&direction=up'))).toEqual({
    account: 'available',
    direction: null,
  });
});
