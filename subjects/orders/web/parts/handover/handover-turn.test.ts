import { expect, test } from 'vitest';
import { timeOverText } from './handover-turn.tsx';

const step = { key: 'count', mine: true, isReceipt: false, dueTime: '2026-11-30T18:02:00Z' };

test('the note of a step says what its deadline does', () => {
  expect(timeOverText(step, 53)).toBeUndefined();
  expect(timeOverText({ ...step, isReceipt: true }, 53)).toMatch(/前没有确认也没有申诉，自动确认收货。$/);
  expect(timeOverText({ ...step, isReceipt: true, dueTime: null }, 53)).toBeUndefined();
  expect(timeOverText({ ...step, key: 'seal' }, 52)).toContain('账号仍归您');
  expect(timeOverText({ ...step, key: 'seal' }, 1)).toBeUndefined();
});
