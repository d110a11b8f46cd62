import { expect, test } from 'vitest';
import { yuanLabel } from './format.ts';

test('an amount within a sentence has its separators and both decimals', () => {
  expect(yuanLabel('42441.58')).toBe('¥42,441.58');
  expect(yuanLabel('1292.8')).toBe('¥1,292.80');
  expect(yuanLabel('5')).toBe('¥5.00');
  expect(yuanLabel('-1684.74')).toBe('¥-1,684.74');
});
