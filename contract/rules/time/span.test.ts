import { expect, test } from 'vitest';
import { spanText } from './span.ts';

test('a time is shown in minutes below one hour, then in hours, and in days from two on, with one decimal at most', () => {
  expect([600, 29, 90, 3599, 3600, 5400, 86_400, 171_000, 172_800, 259_200, 302_400].map(spanText)).toEqual([
    '10 分钟',
    '0 分钟',
    '2 分钟',
    '60 分钟',
    '1 小时',
    '1.5 小时',
    '24 小时',
    '47.5 小时',
    '2 天',
    '3 天',
    '3.5 天',
  ]);
});
