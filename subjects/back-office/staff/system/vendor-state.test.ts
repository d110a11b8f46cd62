import { expect, test } from 'vitest';
import { vendorState } from './vendor-state.ts';

const quiet = { state: 'on', circuit: 'closed', calls: 0, failures: 0, rejected: 0, lastSuccess: null } as const;
const word = (more: Partial<Parameters<typeof vendorState>[0]>): string => vendorState({ ...quiet, ...more })[0];

test('a vendor is normal only when a call has succeeded', () => {
  expect(word({})).toBe('还没有调用');
  expect(word({ calls: 2, failures: 1, rejected: 1 })).toBe('异常');
  expect(word({ state: 'stand-in', calls: 1, failures: 1 })).toBe('异常');
  expect(word({ calls: 2, failures: 1, lastSuccess: '2026-11-29T08:00:00Z' })).toBe('正常');
  expect(word({ calls: 2, failures: 2, lastSuccess: '2026-11-29T08:00:00Z' })).toBe('异常');
  expect(word({ circuit: 'open', calls: 9, failures: 9 })).toBe('熔断中');
  expect(word({ state: 'off' })).toBe('已关闭');
  expect(word({ state: 'stand-in' })).toBe('演示替身');
});
