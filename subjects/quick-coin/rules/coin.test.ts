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
