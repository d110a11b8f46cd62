import { expect, test } from 'vitest';
import { chinaClock, chinaDay, dayAfter, dayOf, dayStart } from './china-time.ts';

test('days are those of China, and only those that exist', () => {
  expect(chinaDay(new Date('2026-11-21T16:00:00Z'))).toBe('2026-11-22');
  expect(chinaDay(new Date('2026-11-21T15:59:59Z'))).toBe('2026-11-21');
  expect(['2026-11-22', '2026-02-29', '2026-13-01', '26-1-1', '', null].map(dayOf)).toEqual([
    '2026-11-22',
    null,
    null,
    null,
    null,
    null,
  ]);
  expect([dayAfter('2026-12-31', 1), dayAfter('2026-03-01', -1)]).toEqual(['2027-01-01', '2026-02-28']);
});

test('a day is a whole text of this century', () => {
  expect(['2026-11-22 ', ' 2026-11-22', '12026-11-22', '2026-11-223', '1999-11-22', '2026-11-00'].map(dayOf)).toEqual(
    Array.from({ length: 6 }, () => null),
  );
  expect([dayOf(undefined), dayOf('2024-02-29'), dayOf('2000-01-01')]).toEqual([null, '2024-02-29', '2000-01-01']);
});

test('the clock in China is eight hours ahead of UTC', () => {
  expect(chinaClock(new Date('2026-11-21T15:59:59.999Z'))).toBe('2026-11-21T23:59:59');
  expect(chinaClock(new Date('2026-11-21T16:00:00Z'))).toBe('2026-11-22T00:00:00');
  expect(dayStart('2026-11-22').toISOString()).toBe('2026-11-21T16:00:00.000Z');
});
