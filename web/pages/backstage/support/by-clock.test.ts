import { expect, test } from 'vitest';
import { byClock } from './by-clock.ts';

const group = (id: string, replyTime: string | null, stepTime: string | null, lastTime: string, closed = false) => ({
  id,
  replyTime,
  stepTime,
  lastTime,
  closed,
});

test('the nearer clock comes first, whatever was active last; without clocks the latest, ended ones at the end', () => {
  const groups = [
    group('newest', null, '2026-11-30T02:00:00Z', '2026-11-27T09:00:00Z'),
    group('ended', '2026-11-20T02:00:00Z', null, '2026-11-27T08:00:00Z', true),
    group('quiet', null, null, '2026-11-27T07:00:00Z'),
    group('late', '2026-11-24T02:00:00Z', '2026-11-30T02:00:00Z', '2026-11-24T01:58:00Z'),
  ];
  expect(groups.toSorted(byClock).map(({ id }) => id)).toEqual(['late', 'newest', 'quiet', 'ended']);
});
