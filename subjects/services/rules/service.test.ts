import fc from 'fast-check';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { expect, test } from 'vitest';
import { playedMinutes, type ServiceAction, serviceStates, serviceTransition, unplayedFen } from './service.ts';

test('a started minute counts in full, with at least one minute and at most the ordered ones', () => {
  expect([0, 1, 60_000, 60_001, 3_600_000, 9_999_999].map((ms) => playedMinutes(0, ms, 60))).toEqual([
    1, 1, 1, 2, 60, 60,
  ]);
});

test('the price of unplayed minutes is refunded, up to the whole price', () => {
  expect(unplayedFen(12_000, 30, 120)).toBe(9000);
  expect(unplayedFen(12_000, 120, 120)).toBe(0);
  expect(unplayedFen(12_000, 0, 120)).toBe(12_000);
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 10_000_000 }), fc.integer({ min: 1, max: 12 }), (fen, hours) => {
      const minutes = hours * 60;
      const backs = Array.from({ length: minutes + 1 }, (_, played) => unplayedFen(fen, played, minutes));
      return (
        backs[0] === fen && backs[minutes] === 0 && backs.every((back, i) => i === 0 || back <= (backs[i - 1] ?? 0))
      );
    }),
  );
});

const ACTS: readonly ServiceAction[] = [
  'accept',
  'decline',
  'cancel',
  'pause',
  'resume',
  'submit',
  'submitLast',
  'confirm',
  'confirmLast',
  'giveUp',
  'agree',
  'start',
  'end',
  'agreeEnd',
  'stop',
];

test('every state of a service is reachable, and every open state leads to an end', () => {
  for (const typeId of [BOOSTING, COMPANION_PLAY]) {
    const steps = ACTS.flatMap((act) => serviceTransition(typeId, act) ?? []);
    const next = (state: string) => steps.filter(({ from }) => from.some((one) => one === state)).map(({ to }) => to);
    const reach = (first: string): Set<string> => {
      const seen = new Set([first]);
      for (const state of seen) for (const to of next(state)) seen.add(to);
      return seen;
    };
    const all = reach('pending');
    // The order itself ships companion play whose time is over.
    if (typeId === COMPANION_PLAY) for (const state of reach('checking')) all.add(state);
    const foreign = typeId === COMPANION_PLAY ? ['paused'] : ['waiting', 'ending'];
    expect([...all].toSorted()).toEqual(serviceStates.filter((state) => !foreign.includes(state)).toSorted());
    for (const state of all) expect([...reach(state)].some((one) => one === 'done' || one === 'ended')).toBe(true);
  }
});
