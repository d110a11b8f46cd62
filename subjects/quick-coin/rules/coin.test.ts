import { expect, test } from 'vitest';
import { coinText, lotSizeChoices, plainNumber, ratioText, unitPriceText, unitsPerYuan } from './coin.ts';

test('numbers keep four significant figures, without an exponent', () => {
  expect([52.6315789, 0.019, 0.0000021234, 526_315.789, 1, 10, 100.5, 0].map((value) => plainNumber(value))).toEqual([
    '52.63',
    '0.019',
    '0.000002123',
    '526316',
    '1',
    '10',
    '100.5',
    '0',
  ]);
  expect(plainNumber(Number.NaN)).toBe('0');
});

test('both ratios are derived from the same lot', () => {
  const perYuan = unitsPerYuan(1000, 1900);
  expect(ratioText(perYuan, '万金币')).toBe('1元=52.63万金币');
  expect(unitPriceText(perYuan, '万金币')).toBe('0.019元/万金币');
  expect(coinText(1_234_567, '金币')).toBe('1,234,567 金币');
});

test('quick choices lie between minimum and maximum', () => {
  expect(lotSizeChoices(1, 12)).toEqual([1, 5, 10]);
  expect(lotSizeChoices(3, 1000)).toEqual([3, 5, 10, 20, 50, 100]);
  expect(lotSizeChoices(7, 7)).toEqual([7]);
  expect(lotSizeChoices(9, 3)).toEqual([]);
});

test.each([
  [52.6315, '52.63'],
  [0.0190001, '0.019'],
  [0.0000021, '0.0000021'],
  [526_316, '526316'],
  [1234.5, '1235'],
  [123_000, '123000'],
  [100, '100'],
  [10, '10'],
  [9.9999, '10'],
  [1, '1'],
  [0, '0'],
  [-1, '0'],
  [Number.NaN, '0'],
  [Number.POSITIVE_INFINITY, '0'],
  [1e-13, '0'],
])('%d is written %s', (value, text) => {
  expect(plainNumber(value)).toBe(text);
});

test('other numbers of figures', () => {
  expect(plainNumber(3.14159, 2)).toBe('3.1');
  expect(plainNumber(3.14159, 1)).toBe('3');
});

test('both ratios follow from the price of a lot', () => {
  const perYuan = unitsPerYuan(1000, 1900);
  expect(perYuan).toBeCloseTo(52.63, 2);
  expect(ratioText(perYuan, '万金币')).toBe('1元=52.63万金币');
  expect(unitPriceText(perYuan, '万金币')).toBe('0.019元/万金币');
  expect(coinText(5000, '万金币')).toBe('5,000 万金币');
});

test.each([
  [1, 1000, [1, 5, 10, 20, 50, 100]],
  [5, 50, [5, 10, 20, 50]],
  [7, 9, [7]],
  [30, 5000, [30, 50, 100, 200, 500, 1000]],
  [6, 5, []],
])('quick choices between %i and %i', (min, max, choices) => {
  expect(lotSizeChoices(min, max)).toEqual(choices);
});
