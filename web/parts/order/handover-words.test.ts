import { expect, test } from 'vitest';
import { doneWords, turnWords } from './handover-words.ts';

const step = (n: number, state: 'done' | 'current' | 'waiting', mine = false, required = true) => ({
  step: n,
  title: `步骤${n}`,
  actorName: '卖家',
  state,
  required,
  mine,
});

test('names the viewer first, then the other', () => {
  expect(turnWords([step(1, 'done'), step(2, 'current'), step(3, 'current', true)])).toBe('轮到您：第 3 步 步骤3');
  expect(turnWords([step(1, 'done'), step(2, 'current')])).toBe('等待卖家：第 2 步 步骤2');
});

test('before payment nobody, and optional steps do not keep it open', () => {
  expect(turnWords([step(1, 'waiting'), step(2, 'waiting')])).toBe('付款后开始');
  expect(turnWords([step(1, 'done'), step(2, 'waiting', false, false)])).toBe('交付步骤已完成');
});

test('how far it has come', () => {
  expect(doneWords([step(1, 'done'), step(2, 'current'), step(3, 'waiting')])).toBe('共 3 步，已完成 1 步');
  expect(doneWords([step(1, 'done'), step(2, 'done')])).toBe('2 步全部完成');
});
