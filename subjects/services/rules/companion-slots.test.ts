import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bookingProblem,
  CALENDAR_DAYS,
  chinaMidnight,
  EARLY_MS,
  firstFreeRun,
  FREE_AFTER_MS,
  FREE_BEFORE_MS,
  freeWindow,
  hasFreeHours,
  HOUR_MS,
  hourState,
} from './companion-slots.ts';

const at = (china: string): number => Date.parse(`${china}:00+08:00`);
const window = (time: 'tonight' | 'tomorrow' | 'weekend', now: string) => {
  const { from, to } = freeWindow(time, at(now));
  return [from, to].map((ms) => new Date(ms + 8 * HOUR_MS).toISOString().slice(0, 16));
};

describe('when companions are wanted', () => {
  it('tonight is from 18:00 to midnight in China', () => {
    expect(window('tonight', '2026-11-27T00:10')).toEqual(['2026-11-27T18:00', '2026-11-28T00:00']);
    expect(window('tonight', '2026-11-27T23:50')).toEqual(['2026-11-27T18:00', '2026-11-28T00:00']);
  });

  it('tomorrow is the whole next day in China', () => {
    expect(window('tomorrow', '2026-11-27T23:50')).toEqual(['2026-11-28T00:00', '2026-11-29T00:00']);
  });

  it('the weekend is the one that comes or runs', () => {
    const coming = ['2026-11-28T00:00', '2026-11-30T00:00'];
    expect(window('weekend', '2026-11-23T00:00')).toEqual(coming);
    expect(window('weekend', '2026-11-27T23:59')).toEqual(coming);
    expect(window('weekend', '2026-11-29T23:59')).toEqual(coming);
    expect(window('weekend', '2026-11-30T00:00')[0]).toBe('2026-12-05T00:00');
  });
});

describe('free hours in a row', () => {
  const now = at('2026-11-27T12:00');
  const tonight = freeWindow('tonight', now);
  const evening = [{ day: 4, fromMinute: 20 * 60, toMinute: 23 * 60 }];
  const slot = (from: string, to: string) => ({ from: at(`2026-11-27T${from}`), to: at(`2026-11-27T${to}`) });

  it('are those in which the companion works and no order has taken any of it', () => {
    expect(hasFreeHours(evening, [], tonight, 3, now)).toBe(true);
    expect(hasFreeHours(evening, [], tonight, 4, now)).toBe(false);
    expect(hasFreeHours(evening, [slot('21:10', '21:50')], tonight, 2, now)).toBe(false);
    expect(hasFreeHours(evening, [slot('21:10', '21:50')], tonight, 1, now)).toBe(true);
    expect(hasFreeHours(evening, [slot('20:00', '23:00')], tonight, 1, now)).toBe(false);
  });

  it('are over ten minutes before they begin', () => {
    expect(hasFreeHours(evening, [], tonight, 1, at('2026-11-27T21:50'))).toBe(true);
    expect(hasFreeHours(evening, [], tonight, 1, at('2026-11-27T21:51'))).toBe(false);
  });
});

describe('the first free hours', () => {
  const now = at('2026-11-27T12:00');
  const mornings = [0, 1, 2, 3, 4].map((day) => ({ day, fromMinute: 6 * 60, toMinute: 10 * 60 }));
  const run = (booked: { from: number; to: number }[], hours: number) => {
    const found = firstFreeRun(mornings, booked, hours, now);
    return found && [found.from, found.to].map((ms) => new Date(ms + 8 * HOUR_MS).toISOString().slice(0, 16));
  };

  it('are on the next working day, and end with the work or an order', () => {
    expect(run([], 2)).toEqual(['2026-11-30T06:00', '2026-11-30T10:00']);
    const taken = [{ from: at('2026-11-30T07:30'), to: at('2026-11-30T08:30') }];
    expect(run(taken, 1)).toEqual(['2026-11-30T06:00', '2026-11-30T07:00']);
    expect(run(taken, 2)).toEqual(['2026-12-01T06:00', '2026-12-01T10:00']);
  });

  it('do not exist where no run is long enough within the calendar', () => {
    expect(run([], 5)).toBeNull();
    expect(run([{ from: now, to: now + CALENDAR_DAYS * 24 * HOUR_MS }], 1)).toBeNull();
  });
});

const ALWAYS = Array.from({ length: 7 }, (_, day) => ({ day, fromMinute: 0, toMinute: 1440 }));

describe('an hour of the calendar', () => {
  const now = at('2026-11-27T12:00');
  const start = at('2026-11-27T20:00');
  const stateWith = (from: number, to: number) => hourState(ALWAYS, [{ from, to }], start, now);

  it('is taken by a booking that overlaps it, not by one that ends or begins at its edge', () => {
    const ends = [start - 1, start, start + 1].map((to) => stateWith(start - HOUR_MS, to));
    expect(ends).toEqual(['free', 'free', 'taken']);
    const end = start + HOUR_MS;
    const begins = [end - 1, end, end + 1].map((from) => stateWith(from, end + HOUR_MS));
    expect(begins).toEqual(['taken', 'free', 'free']);
  });

  it('is taken exactly where it overlaps one of two bookings in any order', () => {
    const minutes = fc.integer({ min: -180, max: 180 });
    const booking = fc
      .tuple(minutes, fc.integer({ min: 1, max: 240 }))
      .map(([from, long]) => ({ from: start + from * 60_000, to: start + (from + long) * 60_000 }));
    fc.assert(
      fc.property(fc.array(booking, { maxLength: 3 }), (booked) => {
        const inside = Array.from({ length: 60 }, (_, minute) => start + minute * 60_000);
        const isTaken = inside.some((minute) => booked.some(({ from, to }) => from <= minute && minute < to));
        expect(hourState(ALWAYS, booked, start, now)).toBe(isTaken ? 'taken' : 'free');
      }),
    );
  });

  it('is past from ten minutes before its beginning', () => {
    const limit = start - 10 * 60_000;
    expect([-1000, 0, 1000].map((ms) => hourState(ALWAYS, [], start, limit + ms))).toEqual(['free', 'free', 'past']);
    const problems = [-1000, 0, 1000].map((ms) => bookingProblem(ALWAYS, start, 1, limit + ms));
    expect(problems).toEqual([null, null, '请至少提前 10 分钟预约']);
  });

  it('belongs to the working hours as a whole', () => {
    const range = [{ day: 4, fromMinute: 20 * 60, toMinute: 22 * 60 }];
    const hours = ['19:00', '20:00', '21:00', '22:00'].map((time) => at(`2026-11-27T${time}`));
    expect(hours.map((hour) => hourState(range, [], hour, now))).toEqual(['off', 'free', 'free', 'off']);
    expect(hourState([{ ...range[0], toMinute: 20 * 60 + 59 } as never], [], start, now)).toBe('off');
  });

  it('can be booked on the last of the calendar’s days, in China, also across the end of a month', () => {
    for (const today of ['2026-11-27T00:00', '2026-11-27T23:59', '2026-12-31T23:59', '2028-02-28T12:00']) {
      const moment = at(today);
      const end = chinaMidnight(moment) + CALENDAR_DAYS * 24 * HOUR_MS;
      const problems = [end - HOUR_MS, end, end + HOUR_MS].map((hour) => bookingProblem(ALWAYS, hour, 1, moment));
      expect([today, ...problems]).toEqual([today, null, '只能预约 14 天内的时间', '只能预约 14 天内的时间']);
    }
  });

  it('begins on the hour', () => {
    expect([-60_000, 0, 60_000].map((ms) => bookingProblem(ALWAYS, start + ms, 1, now) === null)).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('midnight in China', () => {
  it('is the last one, at the moment itself as well', () => {
    const midnight = at('2026-12-01T00:00');
    expect([-1, 0, 1].map((ms) => chinaMidnight(midnight + ms))).toEqual([at('2026-11-30T00:00'), midnight, midnight]);
  });
});

describe('several hours', () => {
  const now = at('2026-11-27T12:00');
  const start = at('2026-11-27T20:00');
  const evening = [{ day: 4, fromMinute: 20 * 60, toMinute: 22 * 60 }];

  it('are all working hours, or cannot be booked', () => {
    const problems = [1, 2, 3].map((hours) => bookingProblem(evening, start, hours, now));
    expect(problems).toEqual([null, null, '这个时间陪玩不接单，请换一个']);
    expect(bookingProblem(evening, start - HOUR_MS, 2, now)).toBe('这个时间陪玩不接单，请换一个');
    expect(bookingProblem(evening, start + HOUR_MS, 1, now)).toBeNull();
  });

  it('are free only within their window', () => {
    const all = { from: start, to: start + 2 * HOUR_MS };
    expect([1, 2, 3].map((hours) => hasFreeHours(ALWAYS, [], all, hours, now))).toEqual([true, true, false]);
  });

  it('of a companion who always works are shown for one day from the next whole hour', () => {
    expect(firstFreeRun(ALWAYS, [], 1, now)).toEqual({ from: now + HOUR_MS, to: now + 25 * HOUR_MS });
    const late = at('2026-11-27T12:20');
    expect(firstFreeRun(ALWAYS, [], 1, late)).toEqual({ from: now + HOUR_MS, to: now + 25 * HOUR_MS });
    expect(firstFreeRun(ALWAYS, [], 24, now)?.from).toBe(now + HOUR_MS);
    expect(firstFreeRun(ALWAYS, [], 25, now)).toBeNull();
  });

  it('end with the calendar', () => {
    const end = chinaMidnight(now) + CALENDAR_DAYS * 24 * HOUR_MS;
    const taken = [{ from: now, to: end - 2 * HOUR_MS }];
    expect(firstFreeRun(ALWAYS, taken, 2, now)).toEqual({ from: end - 2 * HOUR_MS, to: end });
    expect(firstFreeRun(ALWAYS, taken, 3, now)).toBeNull();
  });
});

it('the times around an agreed hour are a quarter of an hour, an hour and five minutes', () => {
  expect([EARLY_MS, FREE_BEFORE_MS, FREE_AFTER_MS]).toEqual([900_000, 3_600_000, 300_000]);
});
