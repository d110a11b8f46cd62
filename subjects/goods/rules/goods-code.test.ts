import { expect, it } from 'vitest';
import { isGoodsCode } from './goods-code.ts';

it.each(['YA123456', 'YS7368787', 'y1234567', 'ABC20261120113000123', 'A1bcdefghijklmnopqr', `Z${'1'.repeat(21)}`])(
  '%s is a code',
  (text) => {
    expect(isGoodsCode(text)).toBe(true);
  },
);
it.each([
  '',
  '1234567',
  'YA12345',
  'YA12345678',
  'YA12345x',
  '王者1234567',
  '王者YA123456',
  `王${'A1'.repeat(10)}`,
  `${'A1'.repeat(10)}王`,
  'ABCDEFGHIJKLMNOPQRST',
  `1${'a'.repeat(19)}`,
  `Z${'1'.repeat(22)}`,
  'YA-123456',
])('%j is a keyword', (text) => {
  expect(isGoodsCode(text)).toBe(false);
});
