import { expect, test } from 'vitest';
import { noticeDays } from './notice-days.ts';

const notice = (id: number, createTime: string, link: string | null) => ({ id, createTime, link });

test('notices are grouped by days of China, and by subject', () => {
  const now = Date.parse('2026-11-25T01:00:00+08:00');
  const items = [
    notice(5, '2026-11-25T00:30:00+08:00', '/a'),
    notice(4, '2026-11-25T00:20:00+08:00', null),
    notice(3, '2026-11-25T00:10:00+08:00', '/a'),
    notice(2, '2026-11-24T23:50:00+08:00', '/a'),
    notice(1, '2026-11-20T12:00:00+08:00', null),
    notice(0, '2026-11-20T11:00:00+08:00', null),
  ];
  const days = noticeDays(items, now).map(({ label, threads }) => [label, threads.map((t) => t.map(({ id }) => id))]);
  expect(days).toEqual([
    ['今天', [[5, 3], [4]]],
    ['昨天', [[2]]],
    ['2026-11-20', [[1], [0]]],
  ]);
});
