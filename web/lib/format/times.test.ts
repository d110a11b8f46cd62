import { expect, test } from 'vitest';
import { fullAt, minutesText, shortAt } from './times.ts';

test('times are displayed in China’s time zone, wherever the browser is', () => {
  expect(shortAt('2026-11-20T23:30:00+08:00')).toBe('11-20 23:30');
  expect(fullAt('2026-12-31T16:05:00Z')).toBe('2027-01-01 00:05');
});

test('the time of a step as text', () => {
  expect([10, 60, 150, 1440, 4320].map(minutesText)).toEqual([
    '约 10 分钟',
    '约 1 小时',
    '约 3 小时',
    '1 天内',
    '3 天内',
  ]);
});
