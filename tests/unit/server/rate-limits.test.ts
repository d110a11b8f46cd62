/** Every request budget at its limit: the last request of a window is served, the next one is not, and the window ends at its time. */
import { describe, expect, test } from 'vitest';
import { type BudgetName, createLimiter } from '#server/access/limits.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Requests of an account and of an address, and the seconds of the window. */
const BUDGETS: Readonly<Record<BudgetName, readonly [account: number, address: number, seconds: number]>> = {
  read: [600, 600, 60],
  search: [240, 120, 60],
  write: [120, 240, 60],
  sms: [10, 20, 3600],
  login: [60, 60, 600],
  register: [10, 10, 3600],
  order: [120, 240, 60],
  pay: [120, 240, 60],
  topup: [30, 60, 60],
  withdraw: [10, 30, 60],
  publish: [60, 120, 60],
  upload: [30, 60, 60],
  uploadMany: [120, 240, 60],
  im: [300, 600, 60],
  verify: [10, 30, 60],
  keyRead: [300, 300, 60],
  keyWrite: [120, 120, 60],
  signed: [600, 600, 60],
  page: [600, 300, 60],
  manifest: [1200, 1200, 60],
  picture: [3_000, 3_000, 60],
  draw: [30, 30, 60],
  direct: [30, 60, 60],
};
const cases = Object.entries(BUDGETS).map(([name, budget]) => [name as BudgetName, ...budget] as const);

/** A limiter whose clock is `time.ms`, and the result of one request of the budget. */
function limiterOf(name: BudgetName) {
  const time = { ms: 5_000_000 };
  const limiter = createLimiter({ addressFactor: 1, now: () => time.ms });
  const take = (account?: string, address = '10.0.0.1'): string => {
    try {
      limiter.take(name, { account, address });
      return 'served';
    } catch (error) {
      if (error instanceof AppError) return error.error;
      throw error;
    }
  };
  return { time, take };
}

describe('a window', () => {
  test.each(cases)('serves, for %s, %i requests of an account', (name, account, _address, seconds) => {
    const { time, take } = limiterOf(name);
    const start = time.ms;
    for (let n = 1; n < account; n++) take('u:1');
    expect([take('u:1'), take('u:1')]).toEqual(['served', 'RATE_LIMITED']);
    expect(take('u:2')).toBe('served');
    const end = start + seconds * 1000;
    const answers = [end - 1000, end, end + 1000].map((ms) => {
      time.ms = ms;
      return take('u:1');
    });
    expect(answers).toEqual(['RATE_LIMITED', 'served', 'served']);
  });

  test.each(cases)('counts the requests of an address apart from accounts for %s', (name, _account, address) => {
    const { take } = limiterOf(name);
    take('u:1');
    for (let n = 1; n < address; n++) take();
    expect([take(), take()]).toEqual(['served', 'RATE_LIMITED']);
    expect(take(undefined, '10.0.0.2')).toBe('served');
  });
});

describe('D: the limiter under a flood of addresses', () => {
  const networks = (count: number, prefix = '2001:db8:1') =>
    Array.from({ length: count }, (_, i) => `${prefix}:${(i + 1).toString(16)}::1`);

  test('keeps its busiest keys when it is full', () => {
    const { take } = limiterOf('login');
    for (let n = 0; n < 60; n++) take(undefined, '198.51.100.7');
    for (let n = 0; n < 30; n++) take(undefined, '198.51.100.8');
    for (let i = 0; i < 120_000; i++) take(undefined, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    expect(take(undefined, '198.51.100.7')).toBe('RATE_LIMITED');
    for (let n = 0; n < 30; n++) expect(take(undefined, '198.51.100.8')).toBe('served');
    expect(take(undefined, '198.51.100.8')).toBe('RATE_LIMITED');
  });

  test('counts an IPv6 /48 as well as each /64 in it', () => {
    const { take } = limiterOf('login');
    const served = networks(2_000).filter((address) => take(undefined, address) === 'served');
    expect(served).toHaveLength(60 * 16);
    expect(take(undefined, '2001:db8:2::1')).toBe('served');
    expect(take(undefined, '203.0.113.9')).toBe('served');
  });

  test('does not let one /64 use the whole budget of its /48', () => {
    const { take } = limiterOf('login');
    for (let n = 0; n < 2_000; n++) take(undefined, '2001:db8:1:1::1');
    expect(take(undefined, '2001:db8:1:2::1')).toBe('served');
  });
});
