import { expect, it } from 'vitest';
import { amountError, isPrice, isInteger, priceText, topUpProblem } from './amounts.ts';

it.each(['0.01', '1', '1288', '1288.5', '999999999.99'])('%s is a price', (text) => {
  expect(isPrice(text)).toBe(true);
});
it.each([
  '',
  '0',
  '0.00',
  '-1',
  '+1',
  '1e3',
  '0.001',
  '01',
  '1.',
  '.5',
  '1,000',
  '１２',
  ' 1',
  'NaN',
  'Infinity',
  '1000000000',
])('%j is not a price', (text) => {
  expect(isPrice(text)).toBe(false);
});

it.each([
  ['0', true],
  ['-12', true],
  ['007', false],
  ['1.0', false],
  ['', false],
])('%j whole: %s', (text, whole) => {
  expect(isInteger(text)).toBe(whole);
});

it.each([
  ['', '请先输入充值金额'],
  ['  ', '请先输入充值金额'],
  ['abc', '请先输入充值金额'],
  ['-5', '充值金额应为正数，最多两位小数'],
  ['1.234', '充值金额应为正数，最多两位小数'],
  ['100', null],
  ['NaN', '请先输入充值金额'],
  ['Infinity', '请先输入充值金额'],
  ['1e3', '充值金额应为正数，最多两位小数'],
  ['１００', '充值金额请用半角数字填写'],
])('top-up %j: %s', (text, problem) => {
  expect(topUpProblem(text)).toBe(problem);
});

it('shows amounts with two decimals', () => {
  expect([priceText('5'), priceText(1288.5), priceText('0.01')]).toEqual(['5.00', '1288.50', '0.01']);
});

it.each([
  ['12.50', null],
  ['0', null],
  ['', '请填写价格'],
  [' ', '请填写价格'],
  ['NaN', '价格应为正数，最多两位小数'],
  ['1e3', '价格应为正数，最多两位小数'],
  ['0.001', '价格应为正数，最多两位小数'],
  ['１２', '价格请用半角数字填写'],
  ['99999999999', '价格不能超过 999,999,999.99 元'],
  ['1000000000', '价格不能超过 999,999,999.99 元'],
  ['1000000000.25', '价格不能超过 999,999,999.99 元'],
  ['-1000000000', '价格应为正数，最多两位小数'],
  ['1000000000.123', '价格应为正数，最多两位小数'],
  ['1000000000元', '价格应为正数，最多两位小数'],
])('amount %j: %s', (text, message) => {
  expect(amountError(text, '价格')).toBe(message);
});

it.each(['1.2w', '1万', '3 千', '一百二', '壹佰'])('%j is asked for in digits', (text) => {
  expect(amountError(text)).toBe('金额请用数字写全，如 12000 或 88.50');
});
