import { expect, test } from 'vitest';
import { nextPayoutResults, payoutKinds, payoutResults } from './payout-methods.ts';

test('a line is recorded once, and only a paid one can still bounce', () => {
  expect(nextPayoutResults(null)).toEqual(['paid', 'refused', 'requeued']);
  expect(payoutResults.map((result) => [result, nextPayoutResults(result)])).toEqual([
    ['paid', ['bounced']],
    ['refused', []],
    ['requeued', []],
    ['bounced', []],
  ]);
});

test('money is paid out to three kinds of account', () => {
  expect(payoutKinds).toEqual(['alipay', 'wechat', 'bank']);
});
