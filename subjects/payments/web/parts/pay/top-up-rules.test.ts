import { expect, test } from 'vitest';
import { quickLabel, topUpError } from './top-up-rules.ts';

const bounds = { minimum: '0.01', maximum: '50000.00' };

test('numbers within the bounds are accepted', () => {
  for (const text of ['0.01', '100', ' 300.5 ', '50000', '50000.00']) expect(topUpError(text, bounds), text).toBeNull();
});

test('text that is not a number gets the message for a missing amount (product.md 5)', () => {
  for (const text of ['', '  ', 'abc', 'NaN', 'Infinity', '1,000'])
    expect(topUpError(text, bounds), text).toBe('请先输入充值金额');
});

test('invalid, too small and too large amounts have their messages', () => {
  for (const text of ['1e3', '-5', '1.234', '１００', '00.5', '0x10'])
    expect(topUpError(text, bounds), text).toMatch(/应为正数，最多两位小数|请用半角数字填写/);
  expect(topUpError('0', bounds)).toBe('最低 0.01 元');
  expect(topUpError('50000.01', bounds)).toBe('单笔最高 50,000.00 元');
});

test('quick amounts are displayed without empty decimals', () => {
  expect([quickLabel('100.00'), quickLabel('99.90')]).toEqual(['100', '99.90']);
});
