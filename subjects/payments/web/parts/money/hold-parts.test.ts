import { expect, test } from 'vitest';
import { holdParts, nextPart } from './hold-parts.ts';

const end = '2026-11-24T10:00:00+08:00';
const stages = [
  { amount: '20.00', time: '2026-11-22T10:00:00+08:00', released: true },
  { amount: '30.00', time: '2026-11-23T10:00:00+08:00', released: false },
];

test('the last part is the held amount minus the open stages', () => {
  expect(holdParts({ amount: '80.00', releaseTime: end, stages })).toEqual([
    ...stages,
    { amount: '50.00', time: end, released: false },
  ]);
  expect(holdParts({ amount: '80.00', releaseTime: null, stages: [] })).toEqual([
    { amount: '80.00', time: null, released: false },
  ]);
});

test('the next part is an open stage before the end of any hold; stopped holds have none', () => {
  const stopped = { amount: '9.00', releaseTime: null, stages: [] };
  expect(nextPart([stopped, { amount: '80.00', releaseTime: end, stages }])?.amount).toBe('30.00');
  expect(nextPart([stopped])).toBeUndefined();
  const whole = (amount: string, day: number) => ({ amount, releaseTime: `2026-11-${day}T10:00:00+08:00`, stages: [] });
  const holds = [whole('3.00', 23), whole('1.00', 21), whole('2.00', 22)];
  expect([holds, holds.toReversed()].map((list) => nextPart(list)?.amount)).toEqual(['1.00', '1.00']);
});
