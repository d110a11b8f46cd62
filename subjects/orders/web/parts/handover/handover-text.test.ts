import { expect, test } from 'vitest';
import { doneText } from './handover-text.ts';

test('the progress of a hand-over', () => {
  expect(doneText([{ state: 'done' }, { state: 'current' }, { state: 'waiting' }])).toBe('共 3 步，已完成 1 步');
  expect(doneText([{ state: 'done' }, { state: 'done' }])).toBe('2 步全部完成');
});
