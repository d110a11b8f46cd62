import { expect, test } from 'vitest';
import { isAdultOn } from './adult.ts';

test.each([
  ['2008-11-20', '2026-11-19T15:59:59Z', false],
  ['2008-11-20', '2026-11-19T16:00:00Z', true],
  ['2008-11-21', '2026-11-20T12:00:00Z', false],
  ['2008-02-29', '2026-02-28T12:00:00Z', false],
  ['2008-02-29', '2026-03-01T00:00:00Z', true],
  ['1990-03-07', '2026-11-20T00:00:00Z', true],
])('born %s, at %s: %s', (birth, now, adult) => {
  expect(isAdultOn(birth, new Date(now))).toBe(adult);
});
