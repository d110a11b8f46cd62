import { expect, test } from 'vitest';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { boostingSteps, companionSteps, playedMinutes, serviceLabels, serviceStateName } from './service.ts';

test('played minutes count from the start, begun ones whole, at least one and at most the ordered ones', () => {
  const start = Date.UTC(2026, 10, 29, 12);
  const after = [-1000, 0, 1, 60_000, 60_001, 3_540_000, 3_540_001, 3_600_000, 3_600_001, 9_000_000];
  expect(after.map((ms) => playedMinutes(start, start + ms, 60))).toEqual([1, 1, 1, 1, 2, 59, 60, 60, 60, 60]);
});

test('the two services have separate labels', () => {
  expect(serviceLabels(COMPANION_PLAY)).toEqual({ service: '陪玩', provider: '陪玩' });
  expect(serviceLabels(BOOSTING)).toEqual({ service: '代练', provider: '打手' });
  expect([serviceStateName('working', COMPANION_PLAY), serviceStateName('waiting', BOOSTING)]).toEqual([
    '陪玩中',
    '待提交账号',
  ]);
  expect(serviceStateName('working', BOOSTING)).not.toBe('陪玩中');
  expect(serviceStateName('waiting', COMPANION_PLAY)).not.toBe('待提交账号');
  expect(serviceStateName('ended', COMPANION_PLAY)).toBe(serviceStateName('ended', BOOSTING));
});

test.each([
  ['boosting', boostingSteps()],
  ['companion play', companionSteps()],
] as const)('the steps of %s are each there once, lead elsewhere, and an end is final', (_, steps) => {
  const names = steps.map(({ from, to }) => `${from} ${to}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(4);
  expect(steps.filter(({ from, to }) => from === to)).toEqual([]);
  expect(steps.filter(({ from }) => from === 'ended')).toEqual([]);
  expect(names).toContain('checking ended');
});
