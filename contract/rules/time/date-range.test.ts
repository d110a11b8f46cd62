import { expect, test } from 'vitest';
import { daysOf, rangeOf, rangeText, typedMoment } from './date-range.ts';

/** 2026-11-22 in China already, 2026-11-21 still in London. */
const NOW = new Date('2026-11-21T17:00:00Z');
const iso = (text: string) => {
  const range = rangeOf(text, NOW);
  return range && [range.from?.toISOString() ?? null, range.until?.toISOString() ?? null];
};

test('presets follow China’s calendar', () => {
  expect(iso('today')).toEqual(['2026-11-21T16:00:00.000Z', '2026-11-22T16:00:00.000Z']);
  expect(iso('yesterday')).toEqual(['2026-11-20T16:00:00.000Z', '2026-11-21T16:00:00.000Z']);
  expect(iso('last7')?.[0]).toBe('2026-11-15T16:00:00.000Z');
  expect(iso('month')?.[0]).toBe('2026-10-31T16:00:00.000Z');
  expect(daysOf('last30', NOW)).toEqual(['2026-10-24', '2026-11-22']);
  expect(daysOf('2026-11-16 08:00~2026-11-22 09:00', NOW)).toEqual(['2026-11-16', '2026-11-22']);
  expect(daysOf('~2026-11-22', NOW)).toEqual(['', '2026-11-22']);
});

test('the last day of a range belongs to it; either end may be open', () => {
  expect(iso('2026-11-16~2026-11-16')).toEqual(['2026-11-15T16:00:00.000Z', '2026-11-16T16:00:00.000Z']);
  expect(iso('2026-11-16 08:00~')).toEqual(['2026-11-16T00:00:00.000Z', null]);
  expect(iso('~2026-11-16 24:00')).toEqual([null, '2026-11-16T16:00:00.000Z']);
  expect(iso('2026-11-16 08:59~')).toEqual(['2026-11-16T00:59:00.000Z', null]);
});

test.each([
  '',
  '~',
  'soon',
  'soon~',
  'soon~2026-11-16',
  '2026-11-16~soon',
  '2026-02-30~',
  'x2026-11-16~',
  '2026-11-16 08:00x~',
  '2026-11-17~2026-11-16',
  '2026-11-16 08:00~2026-11-16 08:00',
  '2026-11-16 25:00~',
  '2026-11-16 24:01~',
  '2026-11-16 08:60~',
  '2026-11-16~2026-11-17~',
])('%j is no range', (text) => expect(rangeOf(text, NOW)).toBeNull());

test('entered text becomes a full moment in the past', () => {
  expect(typedMoment('11-16', NOW)).toBe('2026-11-16');
  expect(typedMoment(' 11/3  8:05', NOW)).toBe('2026-11-03 08:05');
  expect(typedMoment('12-24', NOW)).toBe('2025-12-24');
  expect(typedMoment('昨天 18：00', NOW)).toBe('2026-11-21 18:00');
  expect(typedMoment('前天', NOW)).toBe('2026-11-20');
  expect([typedMoment('11-22', NOW), typedMoment('11-23', NOW)]).toEqual(['2026-11-22', '2025-11-23']);
  expect([typedMoment('2025-3-4', NOW), typedMoment('2026-12-24', NOW)]).toEqual(['2025-03-04', '2026-12-24']);
  expect(typedMoment('', NOW)).toBe('');
  for (const text of ['x11-16', '11-16x', '11-16 x8:05', '11-16 8:05x']) expect(typedMoment(text, NOW)).toBeNull();
  expect([typedMoment('2-30', NOW), typedMoment('明天', NOW), typedMoment('11-16 8', NOW)]).toEqual([null, null, null]);
});

test('a range is formatted for display', () => {
  expect(rangeText('last7', NOW)).toBe('近 7 天');
  expect(rangeText('2026-11-16~2026-11-22', NOW)).toBe('11-16 至 11-22');
  expect(rangeText('2026-11-16~2026-11-16', NOW)).toBe('11-16 全天');
  expect([rangeText('2025-11-16~', NOW), rangeText('~2026-11-16', NOW)]).toEqual(['2025-11-16 起', '11-16 止']);
});
