import { expect, test } from 'vitest';
import {
  inspectionStates,
  inspectionSteps,
  OPEN_STATES,
  UNREAD_STATES,
  wrongPaysFen,
} from '#subjects/inspections/server/rules.ts';

test('a wrong reading pays a part of the price between the minimum and the price', () => {
  const pays = (priceFen: number) => wrongPaysFen(priceFen, { wrongBp: 500, wrongMinFen: 5000 });
  // The minimum is reached at 1000 yuan; half a fen rounds up.
  expect([0, 4999, 5000, 5001, 99_999, 100_000, 100_009, 100_010, 200_000].map(pays)).toEqual([
    0, 4999, 5000, 5000, 5000, 5000, 5000, 5001, 10_000,
  ]);
  expect(wrongPaysFen(10_000, { wrongBp: 0, wrongMinFen: 0 })).toBe(0);
  expect(wrongPaysFen(10_000, { wrongBp: 20_000, wrongMinFen: 0 })).toBe(10_000);
});

test('an open task can end, a closed or finished one changes no more', () => {
  const states = Object.keys(inspectionStates);
  expect(states.filter((state) => inspectionSteps.some(({ from }) => from === state)).toSorted()).toEqual(
    OPEN_STATES.toSorted(),
  );
  for (const state of OPEN_STATES)
    expect([state, inspectionSteps.some(({ from, to }) => from === state && to === 'closed')]).toEqual([state, true]);
});

test('a fee is earned by a reading and returned by every other end', () => {
  for (const { from, to, fee } of inspectionSteps) {
    const expected = to === 'done' ? 'earned' : to === 'closed' ? 'back' : 'stays';
    expect([from, to, fee]).toEqual([from, to, expected]);
  }
});

test('every open task is ended by its timer, and by staff or the asker', () => {
  const byTimer = inspectionSteps.filter(({ to, by }) => to === 'closed' && by.includes('timer'));
  expect(byTimer.map(({ from }) => from).toSorted()).toEqual(OPEN_STATES.toSorted());
});

test('an account is unread until its reading waits for a colleague', () => {
  expect(UNREAD_STATES).toEqual(OPEN_STATES.filter((state) => state !== 'review'));
});

test('each step is taken by those who may', () => {
  const table = inspectionSteps.map(({ from, to, by }) => `${from} ${to} ${by.join()}`);
  expect(table).toEqual([
    'waiting queued seller',
    'waiting closed asker,timer',
    'queued claimed staff',
    'queued closed asker,timer,staff',
    'claimed queued staff',
    'claimed review staff',
    'claimed done staff',
    'claimed closed timer,staff',
    'review queued staff',
    'review done staff',
    'review closed timer,staff',
  ]);
});
