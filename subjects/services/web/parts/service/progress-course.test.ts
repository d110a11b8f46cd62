import { describe, expect, it } from 'vitest';
import { chartOf, standingText, tickText, ticksOf } from './progress-course.ts';

const at = (hour: number): string => new Date(Date.UTC(2026, 10, 20) + hour * 3_600_000).toISOString();
const course = {
  startTime: at(0),
  dueTime: at(20),
  stages: [25, 100],
  reports: [
    { time: at(2), percent: 10, seq: null },
    { time: at(4), percent: 25, seq: 1 },
  ],
};

describe('the way of a boosting order', () => {
  it('stands where the last report left it, also hours later', () => {
    const soon = chartOf(course, at(4), true);
    expect([soon.percent, soon.until, soon.ahead]).toEqual([25, 4, 5]);
    const late = chartOf(course, at(10), true);
    expect([late.percent, late.until, late.ahead, late.hours]).toEqual([25, 10, -25, 20]);
    expect(late.stages).toEqual([
      { seq: 1, percent: 25, hour: 5 },
      { seq: 2, percent: 100, hour: 20 },
    ]);
  });

  it('goes on beyond the promised time, but not for ever, and ends with the order', () => {
    expect(chartOf(course, at(30), true)).toMatchObject({ until: 30, hours: 30, ahead: -75 });
    expect(chartOf(course, at(900), true).hours).toBe(40);
    expect(chartOf(course, at(900), false)).toMatchObject({ until: 4, hours: 20 });
    // The last report counts, and after a whole one nothing is awaited.
    const reported = (...percents: number[]) =>
      chartOf(
        { ...course, reports: percents.map((percent, i) => ({ time: at(i + 1), percent, seq: i + 1 })) as never },
        at(10),
        true,
      );
    expect([reported(10).percent, reported(10, 20, 30).percent]).toEqual([10, 30]);
    expect([reported(10, 99).until, reported(10, 100).until]).toEqual([10, 2]);
  });

  it('says how it stands', () => {
    expect(standingText(53.4, 5, true)).toBe('现在 53%，比约定快 5%');
    expect(standingText(53.4, -5, true)).toBe('现在 53%，比约定慢 5%');
    expect(standingText(50, 0, true)).toBe('现在 50%，与约定同步');
    expect(standingText(100, 40, true)).toBe('已全部完成');
  });

  it('compares nothing once the order has ended', () => {
    expect(standingText(53.4, -30, false)).toBe('结束时完成 53%');
    expect(standingText(0, -100, false)).toBe('结束时完成 0%');
    expect(standingText(100, 40, false)).toBe('已全部完成');
  });

  it('has at most seven marks', () => {
    expect(ticksOf(20)).toEqual([0, 4, 8, 12, 16, 20]);
    expect(ticksOf(0.5)).toEqual([0]);
    expect([ticksOf(5), ticksOf(6)]).toEqual([
      [0, 1, 2, 3, 4, 5],
      [0, 2, 4, 6],
    ]);
    for (const hours of [3, 17, 47, 90, 300, 1400]) expect(ticksOf(hours).length).toBeLessThanOrEqual(7);
    expect([tickText(0, 24), tickText(48, 24), tickText(8, 4)]).toEqual(['开始', '2 天', '8 小时']);
  });
});
