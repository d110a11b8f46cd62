import { expect, test } from 'vitest';
import { ringOf, stepsTo } from './draw.ts';

const prizes = (n: number) => Array.from({ length: n }, (_, prizeIndex) => ({ prizeIndex }));

test('eight fields are filled for any number of prizes, repeated from the first', () => {
  expect(ringOf(prizes(6)).map((p) => p.prizeIndex)).toEqual([0, 1, 2, 3, 4, 5, 5, 4]);
  expect(ringOf(prizes(1)).map((p) => p.prizeIndex)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  expect(ringOf([])).toEqual([]);
});

test('the highlight slows down and ends on the drawn prize', () => {
  const ring = ringOf(prizes(6));
  for (const from of [0, 3, 7]) {
    const steps = stepsTo(ring, 4, from);
    expect(ring[steps.at(-1)?.[0] ?? 0]?.prizeIndex).toBe(4);
    expect(steps.every(([, ms], i) => i === 0 || ms >= (steps[i - 1]?.[1] ?? 0))).toBe(true);
  }
  expect(stepsTo(ring, 9, 0)).toEqual([]);
});
