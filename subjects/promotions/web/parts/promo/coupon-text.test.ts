import { expect, test } from 'vitest';
import { minimumText, shortYuan } from './coupon-text.ts';

test('amounts and minimums without trailing zeros', () => {
  expect(['10.00', '8.80', '0.05', '100.00'].map(shortYuan)).toEqual(['10', '8.8', '0.05', '100']);
  expect(['0.00', '200.00', '99.50'].map(minimumText)).toEqual(['无门槛', '商品满 200 元可用', '商品满 99.5 元可用']);
});

test.each([
  ['100.50', '100.5'],
  ['100.05', '100.05'],
  ['1000.00', '1000'],
  ['0.10', '0.1'],
])('%s yuan is %s', (yuan, short) => {
  expect(shortYuan(yuan)).toBe(short);
});

test.each([
  ['0.01', '商品满 0.01 元可用'],
  ['12000.00', '商品满 12,000 元可用'],
  ['1234567.80', '商品满 1,234,567.8 元可用'],
])('the minimum %s is “%s”', (minimum, text) => {
  expect(minimumText(minimum)).toBe(text);
});
