import { describe, expect, it } from 'vitest';
import { chatTimeLabel, fullTime, timeLabel } from './time-label.ts';

const now = Date.parse('2026-11-20T00:30:00+08:00');
const before = (ms: number) => now - ms;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('timeLabel', () => {
  it.each([
    [0, '刚刚'],
    [59_999, '刚刚'],
    [MINUTE, '1分钟前'],
    [59 * MINUTE + 59_999, '59分钟前'],
    [HOUR, '1小时前'],
    [DAY - 1, '23小时前'],
    [DAY, '1天前'],
    [15 * DAY, '15天前'],
    [15 * DAY + 1, '2026-11-05'],
  ])('%i ms ago is %s', (ms, label) => {
    expect(timeLabel(before(ms), now)).toBe(label);
  });

  it('counts a moment not yet come as now', () => {
    expect(timeLabel(now + HOUR, now)).toBe('刚刚');
  });
});

describe('chatTimeLabel', () => {
  it.each([
    ['2026-11-20T00:00:00+08:00', '30分钟前'],
    ['2026-11-19T23:00:00+08:00', '昨天 23:00'],
    ['2026-11-18T09:05:00+08:00', '11-18 09:05'],
    ['2025-12-31T23:59:00+08:00', '2025-12-31 23:59'],
  ])('%s is %s', (at, label) => {
    expect(chatTimeLabel(Date.parse(at), now)).toBe(label);
  });

  it('tells the clock within the same day of China, whatever the day is elsewhere', () => {
    const noon = Date.parse('2026-11-20T12:00:00+08:00');
    expect(chatTimeLabel(Date.parse('2026-11-20T00:10:00+08:00'), noon)).toBe('00:10');
  });
});

it('writes a moment in full by China’s clock', () => {
  expect(fullTime(Date.parse('2026-11-19T16:05:00Z'))).toBe('2026-11-20 00:05');
});
