import { expect, test } from 'vitest';
import { spanText } from './span.ts';

test('a time limit is shown in minutes below one hour, then in hours with one decimal at most', () => {
  expect([600, 29, 90, 3599, 3600, 5400, 86_400].map(spanText)).toEqual([
    '10 分钟',
    '0 分钟',
    '2 分钟',
    '60 分钟',
    '1 小时',
    '1.5 小时',
    '24 小时',
  ]);
});
