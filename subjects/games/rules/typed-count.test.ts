import { expect, it } from 'vitest';
import { typedCount } from './typed-count.ts';

it.each([
  ['386', '款', '386'],
  ['皮肤：386款', '款', '386'],
  ['皮肤: 386 款', '款', '386'],
  ['386款', '款', '386'],
  ['386', undefined, '386'],
  [' 386 款 ', '款', '386'],
  ['约三百', '款', '约三百'],
  ['约386款', '款', '约386款'],
  ['12:30', '款', '12:30'],
  ['款', '款', '款'],
  ['', '款', ''],
  ['12.5', '万', '12.5'],
  ['386款', '个', '386款'],
])('a count copied as %j with the unit %j is %j', (text, unit, count) => {
  expect(typedCount(text, unit)).toBe(count);
});
