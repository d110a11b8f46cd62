import { describe, expect, it } from 'vitest';
import { freeWindow, hasFreeHours, HOUR_MS } from './companion-slots.ts';

const at = (china: string): number => Date.parse(`${china}:00+08:00`);
const window = (time: 'tonight' | 'weekend', now: string) => {
  const { from, to } = freeWindow(time, at(now));
  return [from, to].map((ms) => new Date(ms + 8 * HOUR_MS).toISOString().slice(0, 16));
};

describe('when companions are wanted', () => {
  it('tonight is from 18:00 to midnight in China', () => {
    expect(window('tonight', '2026-11-27T00:10')).toEqual(['2026-11-27T18:00', '2026-11-28T00:00']);
    expect(window('tonight', '2026-11-27T23:50')).toEqual(['2026-11-27T18:00', '2026-11-28T00:00']);
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
