import { describe, expect, it } from 'vitest';
import { hoursProblem, hoursText, isOpenAt } from './opening-hours.ts';

const week = (days: readonly number[], fromMinute: number, toMinute: number) =>
  days.map((day) => ({ day, fromMinute, toMinute }));

describe('opening hours', () => {
  it.each([
    // Sunday 2026-11-22 11:59 and 12:00 in China
    ['2026-11-22T03:59:00Z', week([6], 720, 1440), false],
    ['2026-11-22T04:00:00Z', week([6], 720, 1440), true],
    ['2026-11-22T15:59:59Z', week([6], 720, 1440), true],
    // Monday begins in China while it is Sunday in Greenwich
    ['2026-11-22T16:00:00Z', week([6], 720, 1440), false],
    ['2026-11-22T16:00:00Z', week([0], 0, 60), true],
    ['2026-11-22T17:00:00Z', week([0], 0, 60), false],
    ['2026-11-22T17:00:00Z', [], true],
    // Monday 13:00: open only on Sundays, on both days, and in the second of two ranges
    ['2026-11-23T05:00:00Z', week([6], 720, 1440), false],
    ['2026-11-23T05:00:00Z', week([6, 0], 720, 1440), true],
    ['2026-11-23T05:00:00Z', [...week([0], 0, 60), ...week([0], 720, 1440)], true],
  ])('at %s', (at, ranges, open) => {
    expect(isOpenAt(ranges, Date.parse(at))).toBe(open);
  });

  it('are displayed as grouped days', () => {
    expect(hoursText([])).toBe('');
    expect(hoursText(week([0, 1, 2, 3, 4, 5, 6], 600, 1440))).toBe('每天 10:00-24:00');
    expect(hoursText([...week([0, 1, 2, 3, 4], 600, 1440), ...week([5], 720, 1080)])).toBe(
      '周一至周五 10:00-24:00；周六 12:00-18:00',
    );
    expect(hoursText([...week([0], 840, 1080), ...week([0], 540, 720)])).toBe('周一 09:00-12:00、14:00-18:00');
    expect(hoursText(week([0, 1, 2, 3, 4, 5, 6], 0, 1440))).toBe('');
  });

  it('do not overlap and do not end before they begin', () => {
    expect(hoursProblem(week([0, 1], 600, 700))).toBeNull();
    expect(hoursProblem(week([0, 0], 600, 700))).toBe('同一天的接单时段不能重叠');
    expect(hoursProblem(week([0], 700, 700))).toBe('接单时段的结束应晚于开始');
  });
});

it('ranges may touch, and one wrong range of many is found', () => {
  const day = (fromMinute: number, toMinute: number) => ({ day: 0, fromMinute, toMinute });
  const overlap = '同一天的接单时段不能重叠';
  expect([599, 600, 601].map((from) => hoursProblem([day(540, 600), day(from, 720)]))).toEqual([overlap, null, null]);
  expect([599, 600, 601].map((from) => hoursProblem([day(from, 720), day(540, 600)]))).toEqual([overlap, null, null]);
  expect([539, 540, 541].map((to) => hoursProblem([day(60, 120), day(540, to)]))).toEqual([
    '接单时段的结束应晚于开始',
    '接单时段的结束应晚于开始',
    null,
  ]);
});

it('days in a row are a span from three on', () => {
  expect(hoursText(week([1, 2], 600, 720))).toBe('周二、周三 10:00-12:00');
  expect(hoursText(week([1, 2, 3], 600, 720))).toBe('周二至周四 10:00-12:00');
  expect(hoursText(week([1, 2, 4], 600, 720))).toBe('周二、周三、周五 10:00-12:00');
});
