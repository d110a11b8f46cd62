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

  it('counts a future moment as now', () => {
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

  const noon = Date.parse('2026-11-20T12:00:00+08:00');
  it.each([
    ['2026-11-20T12:00:01+08:00', '刚刚'],
    ['2026-11-20T12:00:00+08:00', '刚刚'],
    ['2026-11-20T11:59:00.001+08:00', '刚刚'],
    ['2026-11-20T11:59:00+08:00', '1分钟前'],
    ['2026-11-20T11:00:00.001+08:00', '59分钟前'],
    ['2026-11-20T11:00:00+08:00', '11:00'],
    ['2026-11-20T00:00:00+08:00', '00:00'],
    ['2026-11-19T23:59:59.999+08:00', '昨天 23:59'],
    ['2026-11-19T00:00:00+08:00', '昨天 00:00'],
    ['2026-11-18T23:59:59.999+08:00', '11-18 23:59'],
    ['2026-01-01T00:00:00+08:00', '01-01 00:00'],
    ['2025-12-31T23:59:59.999+08:00', '2025-12-31 23:59'],
  ])('at its borders: %s at noon is %s', (at, label) => {
    expect(chatTimeLabel(Date.parse(at), noon)).toBe(label);
  });

  it('an hour ago across midnight is yesterday, also across the end of a year', () => {
    expect(chatTimeLabel(Date.parse('2026-12-31T23:00:00+08:00'), Date.parse('2027-01-01T00:00:00+08:00'))).toBe(
      '昨天 23:00',
    );
  });

  it('shows the time within the same day of China, in any time zone of the process', () => {
    const noon = Date.parse('2026-11-20T12:00:00+08:00');
    expect(chatTimeLabel(Date.parse('2026-11-20T00:10:00+08:00'), noon)).toBe('00:10');
  });
});

it('writes a moment in full by China’s clock', () => {
  expect(fullTime(Date.parse('2026-11-19T16:05:00Z'))).toBe('2026-11-20 00:05');
});
