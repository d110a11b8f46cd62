import { expect, test } from 'vitest';
import {
  countText,
  durationText,
  fenOf,
  greeting,
  wholeYuan,
  yuanInTenThousands,
  yuanLabel,
  yuanOf,
  yuanParts,
} from './format.ts';

test('an amount within a sentence has its separators and both decimals', () => {
  expect(yuanLabel('42441.58')).toBe('¥42,441.58');
  expect(yuanLabel('1292.8')).toBe('¥1,292.80');
  expect(yuanLabel('5')).toBe('¥5.00');
  expect(yuanLabel('-1684.74')).toBe('¥-1,684.74');
});

test('yuan text has two parts', () => {
  expect([yuanParts('1292.8'), yuanParts(5), yuanParts('0.05'), yuanParts('1.239')]).toEqual([
    ['1,292', '.80'],
    ['5', '.00'],
    ['0', '.05'],
    ['1', '.23'],
  ]);
});

test.each([
  ['0', 0],
  ['12', 1200],
  ['12.3', 1230],
  ['12.34', 1234],
  ['-12.34', -1234],
  ['0.05', 5],
  ['12.345', 0],
  ['12.', 0],
  ['.5', 0],
  ['x1', 0],
  ['1x', 0],
  ['', 0],
  ['--1', 0],
])('%s yuan are %i fen', (yuan, fen) => {
  expect(fenOf(yuan)).toBe(fen);
});

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [100, '1.00'],
  [1234, '12.34'],
  [-5, '-0.05'],
  [-1234, '-12.34'],
])('%i fen are %s yuan', (fen, yuan) => {
  expect(yuanOf(fen)).toBe(yuan);
});

test('labels of a scale and of a count', () => {
  expect([wholeYuan('1419.60'), wholeYuan('1419.49')]).toEqual(['1,420', '1,419']);
  expect([countText(1000), countText(1000, true), countText(7, false)]).toEqual(['1,000', '1,000+', '7']);
});

test.each([
  ['99999.99', ['99,999', '']],
  ['100000.00', ['10', '万']],
  ['109999.00', ['10', '万']],
  ['86420000.00', ['8,642', '万']],
  ['99999999.99', ['9,999', '万']],
  ['100000000.00', ['1.00', '亿']],
  ['256000000.00', ['2.56', '亿']],
])('%s yuan in statistics', (yuan, parts) => {
  expect(yuanInTenThousands(yuan)).toEqual(parts);
});

test.each([
  [0, '1 分钟'],
  [41.4, '41 分钟'],
  [59, '59 分钟'],
  [60, '1 小时'],
  [150, '3 小时'],
  [2879, '48 小时'],
  [2880, '2 天'],
  [4320, '3 天'],
])('%d minutes', (minutes, text) => {
  expect(durationText(minutes)).toBe(text);
});

test.each([
  ['00:00', '夜深了'],
  ['04:59', '夜深了'],
  ['05:00', '早上好'],
  ['10:59', '早上好'],
  ['11:00', '中午好'],
  ['12:59', '中午好'],
  ['13:00', '下午好'],
  ['17:59', '下午好'],
  ['18:00', '晚上好'],
  ['23:59', '晚上好'],
])('at %s in China', (time, text) => {
  expect(greeting(new Date(`2026-11-20T${time}:00+08:00`))).toBe(text);
});
