/** The amounts of an order that is placed: who pays and who gets what, to the fen, and the limits. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#server/kernel/errors.ts';
import { commissionOf, type PriceInput, priceOf } from '#subjects/orders/server/placing/pricing.ts';

const FEES = { sellerBp: 500, sellerMaxFen: 50_000, buyerBp: 100, inviteBp: 500 };
const ENSURE = { id: 3, kind: 'ensure', name: '综合包赔', bp: 800, minFen: 500 } as const;
const RECOVERY = { id: 11, kind: 'fixEnsure', name: '找回包赔', bp: 1000, minFen: 300 } as const;

const input = (change: Partial<PriceInput> = {}): PriceInput => ({
  unitFen: 10_000,
  num: 1,
  fees: FEES,
  guarantees: [ENSURE, RECOVERY],
  ensureId: 0,
  fixEnsureId: 0,
  guaranteeOk: true,
  coupon: null,
  distShareBp: 0,
  invited: false,
  ...change,
});
const price = (change: Partial<PriceInput> = {}) => priceOf(input(change));
const lines = (change: Partial<PriceInput> = {}) =>
  price(change).lines.map(({ code, label, fen, rule }) => `${code} ${label} ${fen} ${rule}`);

/** The code and text of the error that a price throws. */
function rejection(change: Partial<PriceInput>): { name: string; text: string } {
  try {
    price(change);
  } catch (error) {
    if (error instanceof AppError) return { name: error.error, text: error.text };
    throw error;
  }
  throw new Error('no error');
}

test('the seller’s commission has a rate and a most', () => {
  expect([999_999, 1_000_000, 1_000_001, 9_000_000].map((fen) => commissionOf(fen, FEES))).toEqual([
    50_000, 50_000, 50_000, 50_000,
  ]);
  expect([10_000, 990_000].map((fen) => commissionOf(fen, FEES))).toEqual([500, 49_500]);
});

test('an order costs the goods and the service fee', () => {
  expect(price()).toMatchObject({
    goodsFen: 10_000,
    serviceFeeFen: 100,
    ensureFen: 0,
    fixEnsureFen: 0,
    discountFen: 0,
    totalFen: 10_100,
    commissionFen: 500,
    distShareFen: 0,
    inviteRewardFen: 0,
  });
  expect(lines()).toEqual(['goods 商品价 10000 卖家标价', 'service 买家服务费 100 商品价的 1%，四舍五入到分']);
  expect(lines({ agreed: true })[0]).toBe('goods 商品价 10000 议价成交价');
  expect(lines({ num: 2 })[0]).toBe('goods 商品价 × 2 20000 单价 100.00 元');
});

test('no order is above the most that can be paid', () => {
  const most = 9_999_999_900;
  expect(price({ unitFen: most }).goodsFen).toBe(most);
  expect(rejection({ unitFen: most + 1 }).name).toBe('PAY_AMOUNT');
  expect(price({ unitFen: most / 2, num: 2 }).goodsFen).toBe(most);
  expect(rejection({ unitFen: Number.MAX_SAFE_INTEGER, num: 2 }).name).toBe('PAY_AMOUNT');
  expect(rejection({ unitFen: Number.NaN }).name).toBe('PAY_AMOUNT');
});

describe('a guarantee', () => {
  test('costs its rate, and at least its least', () => {
    const costs = (unitFen: number) => price({ unitFen, ensureId: 3 }).ensureFen;
    expect([5000, 6250, 6263].map(costs)).toEqual([500, 500, 501]);
    const both = price({ ensureId: 3, fixEnsureId: 11 });
    expect(both).toMatchObject({ ensureFen: 800, fixEnsureFen: 1000, totalFen: 11_900 });
    expect(lines({ ensureId: 3, fixEnsureId: 11 }).slice(2)).toEqual([
      'fixEnsure 找回包赔 1000 商品价的 10%，最低 3.00 元',
      'ensure 综合包赔 800 商品价的 8%，最低 5.00 元',
    ]);
  });

  test('is of its kind, on offer, and for a listing that supports it', () => {
    expect(rejection({ ensureId: 11 }).text).toContain('已停售');
    expect(rejection({ fixEnsureId: 3 }).text).toContain('已停售');
    expect(rejection({ ensureId: 3, guarantees: [RECOVERY] }).text).toContain('已停售');
    expect(rejection({ ensureId: 3, guaranteeOk: false }).text).toBe('该商品不支持所选包赔');
    expect(price({ guaranteeOk: false }).totalFen).toBe(10_100);
  });
});

describe('a coupon', () => {
  const coupon = { kind: 'goods', amountFen: 500, minimumFen: 10_000, name: '新人' } as const;

  test('takes its amount off the total and nothing off the commission', () => {
    expect(price({ coupon })).toMatchObject({ discountFen: 500, totalFen: 9600, commissionFen: 500 });
    expect(lines({ coupon })[2]).toBe('coupon 商品券 · 新人 -500 抵扣商品价，由平台承担，卖家到手不变');
    expect(price({ coupon: { ...coupon, kind: 'service', minimumFen: 0 } }).discountFen).toBe(100);
    const guaranteed = {
      ensureId: 3,
      fixEnsureId: 11,
      coupon: { ...coupon, kind: 'guarantee', amountFen: 5000 },
    } as const;
    expect(price(guaranteed).discountFen).toBe(1800);
  });

  test('is rejected with the reason when it reduces nothing', () => {
    expect(rejection({ unitFen: 9999, coupon })).toEqual({
      name: 'COUPON_UNUSABLE',
      text: '优惠券不可用于该订单：商品金额满 100.00 元可用',
    });
    expect(rejection({ coupon: { ...coupon, kind: 'guarantee' } }).text).toContain('选择包赔后可用');
  });
});

describe('shares', () => {
  test('are parts of the platform’s income, rounded down', () => {
    // The income is 6.00 yuan: 5 % and 1 % of 100 yuan.
    expect(price({ distShareBp: 2000 }).distShareFen).toBe(120);
    expect(price({ distShareBp: 3333 }).distShareFen).toBe(199);
    expect(price({ invited: true }).inviteRewardFen).toBe(30);
    expect(price({ unitFen: 333, invited: true }).inviteRewardFen).toBe(1);
    expect(price({ invited: false }).inviteRewardFen).toBe(0);
  });

  test('a brand’s mark-up is paid by the buyer and belongs only to the brand', () => {
    const marked = price({ markUpBp: 200, distShareBp: 2000, invited: true });
    expect(marked).toMatchObject({ serviceFeeFen: 300, totalFen: 10_300, distShareFen: 320, inviteRewardFen: 30 });
    expect(lines({ markUpBp: 200 })[1]).toContain('商品价的 3%');
    // One rate, rounded once: 1 % and 0.5 % of 0.33 yuan are 0.495 fen.
    expect(price({ unitFen: 33, markUpBp: 50 }).serviceFeeFen).toBe(0);
    expect(price({ unitFen: 34, markUpBp: 50 }).serviceFeeFen).toBe(1);
  });
});

test('the lines of any price add up to its total, and the shares stay within the income', () => {
  const inputs = fc.record({
    unitFen: fc.integer({ min: 1, max: 1_000_000 }),
    num: fc.integer({ min: 1, max: 99 }),
    ensureId: fc.constantFrom(0, 3),
    fixEnsureId: fc.constantFrom(0, 11),
    distShareBp: fc.integer({ min: 0, max: 9000 }),
    markUpBp: fc.integer({ min: 0, max: 1000 }),
    invited: fc.boolean(),
  });
  fc.assert(
    fc.property(inputs, (change) => {
      const p = price(change);
      expect(p.lines.reduce((sum, { fen }) => sum + fen, 0)).toBe(p.totalFen);
      expect(p.distShareFen + p.inviteRewardFen).toBeLessThanOrEqual(p.commissionFen + p.serviceFeeFen);
    }),
  );
});
