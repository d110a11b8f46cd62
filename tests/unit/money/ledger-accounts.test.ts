import { expect, test } from 'vitest';
import { billGroups } from '#subjects/ledger/rules/bill.ts';
import { account, codesOf, postings } from '#subjects/ledger/server/rules.ts';

test('every kind of account has a separate key', () => {
  expect({
    available: account.available(7),
    frozen: account.frozen(7),
    deposit: account.deposit(7),
    escrow: account.escrow(7),
    bid: account.bid(7),
    inspection: account.inspection(7),
    boostRequest: account.boostRequest(7),
    wantDeposit: account.wantDeposit(7),
    commission: account.commission(7),
    distMaturing: account.distMaturing(7),
    maturing: account.maturing(7),
  }).toEqual({
    available: 'user:7:available',
    frozen: 'user:7:frozen',
    deposit: 'user:7:deposit',
    escrow: 'order:7:escrow',
    bid: 'recycle:7:escrow',
    inspection: 'inspection:7:escrow',
    boostRequest: 'boost:7:escrow',
    wantDeposit: 'want:7:deposit',
    commission: 'dist:7:commission',
    distMaturing: 'dist:7:maturing',
    maturing: 'user:7:maturing',
  });
});

test('accounts that everybody uses are spread over sixteen rows', () => {
  expect([0, 15, 16, 33].map((spread) => account.platform('fee', spread))).toEqual([
    'platform:fee:0',
    'platform:fee:15',
    'platform:fee:0',
    'platform:fee:1',
  ]);
  expect([account.clearing('wechat', 17), account.channelFee('wechat', 17)]).toEqual([
    'clearing:wechat:1',
    'clearing:wechat_fee:1',
  ]);
});

test('each posting is in one group of the bill', () => {
  const grouped = billGroups.flatMap(codesOf);
  expect(grouped.toSorted()).toEqual(Object.keys(postings).toSorted());
  expect(codesOf('topup')).toContain('topup');
  expect(codesOf('sale')).not.toContain('order_pay');
});
