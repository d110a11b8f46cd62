import { describe, expect, test } from 'vitest';
import {
  editDraftKey,
  offerActions,
  offerMoney,
  offerStatusName,
  oneLineText,
  PERCENT_MAX,
  PERCENT_MIN,
  plainLines,
  priceByPercent,
  sellDraftKey,
} from './listing-states.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';

const fees = { sellerBp: 500, sellerMaxFen: 50_000, buyerBp: 100 };

describe('the amounts derived from a price', () => {
  test.each([
    [10_000, 500, 9500, 100, 10_100],
    // Half a fen rounds up, for both parties.
    [9901, 495, 9406, 99, 10_000],
    [100, 5, 95, 1, 101],
    [110, 6, 104, 1, 111],
    // The commission is capped at 500 yuan.
    [1_000_000, 50_000, 950_000, 10_000, 1_010_000],
    [1_000_100, 50_000, 950_100, 10_001, 1_010_101],
    [99_999_900, 50_000, 99_949_900, 999_999, 100_999_899],
  ])('%i fen', (price, commissionFen, netFen, serviceFeeFen, allInFen) => {
    expect(offerMoney(price, fees)).toEqual({ commissionFen, netFen, serviceFeeFen, allInFen });
  });
});

describe('actions', () => {
  test('a listing in an order, sold or removed has no actions', () => {
    for (const status of [GoodsStatus.Locked, GoodsStatus.Sold, GoodsStatus.Removed])
      expect(offerActions(status)).toEqual([]);
  });

  test('a listing that was not approved cannot be put on sale', () => {
    expect(offerActions(GoodsStatus.Reviewing)).not.toContain('push');
    expect(offerActions(GoodsStatus.Rejected)).not.toContain('push');
  });

  test('each state has a name', () => {
    for (const status of Object.values(GoodsStatus)) expect(offerStatusName(status)).not.toBe('其他');
    expect(offerStatusName(99)).toBe('其他');
  });
});

test('invisible characters are removed and nothing else', () => {
  expect(oneLineText(' 王者\u200b荣耀\n  <b>满级</b>\t号 ')).toBe('王者荣耀 <b>满级</b> 号');
  expect(plainLines('一\r\n二\n\n\n\n三  四\u2060 ')).toBe('一\n二\n\n三 四');
  expect(plainLines('一\r二')).toBe('一\n二');
});

test('each state has the actions of its buttons', () => {
  const table = Object.fromEntries(
    Object.values(GoodsStatus).map((status) => [status, offerActions(status).toSorted().join(' ')]),
  );
  expect(table).toEqual({
    0: '',
    1: 'edit price remove',
    2: 'edit price pull refresh remove',
    3: 'edit price push remove',
    4: '',
    5: '',
    6: 'edit price remove',
    7: 'edit price pull push remove',
    8: '',
  });
  expect(offerActions(99)).toEqual([]);
});

test('a price is changed by whole percent and rounded to the fen', () => {
  expect([PERCENT_MIN, -1, 0, 1, PERCENT_MAX].map((percent) => priceByPercent(1050, percent))).toEqual([
    105, 1040, 1050, 1061, 2100,
  ]);
});

test('the drafts of two forms have different keys', () => {
  expect([sellDraftKey(1, 27), editDraftKey('YS1')]).toEqual(['sell:1:27', 'edit:YS1']);
});
