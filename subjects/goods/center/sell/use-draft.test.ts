import { expect, test } from 'vitest';
import { isAhead } from './use-draft.ts';

const SAVED = '2026-11-22T15:00:00+08:00';
const at = (seconds: number): number => Date.parse(SAVED) + seconds * 1000;

test.each([
  ['words typed a second after the last save, in a session that had ended', { at: at(1) }, SAVED, true],
  ['words typed on a clock that is half a minute slow', { at: at(-30) }, SAVED, true],
  ['a copy that the server has got', { at: at(1), sent: true }, SAVED, false],
  ['a copy that is older than what was written elsewhere', { at: at(-3600) }, SAVED, false],
  ['the only copy there is', { at: at(0) }, null, true],
])('%s', (_, local, savedTime, ahead) => {
  expect(isAhead(local, savedTime)).toBe(ahead);
});
