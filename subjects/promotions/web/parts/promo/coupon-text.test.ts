import { expect, test } from 'vitest';
import { minimumText, shortYuan } from './coupon-text.ts';

test('amounts and minimums without trailing zeros', () => {
  expect(['10.00', '8.80', '0.05', '100.00'].map(shortYuan)).toEqual(['10', '8.8', '0.05', '100']);
  expect(['0.00', '200.00', '99.50'].map(minimumText)).toEqual(['无门槛', '商品满 200 元可用', '商品满 99.5 元可用']);
});
