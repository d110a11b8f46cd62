import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CouponBase,
  couponDiscount,
  type CouponTerms,
  liveOdds,
  lotteryRules,
  maskNick,
  nothingOdds,
  type Prize,
  prizeAt,
} from './rules.ts';

const fen = (max: number) => fc.integer({ min: 0, max });
const terms: fc.Arbitrary<CouponTerms> = fc.record({
  kind: fc.constantFrom('goods', 'service', 'guarantee'),
  amountFen: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 5_000_000 })),
  minimumFen: fc.oneof(fc.constant(0), fen(1000)),
});
const base: fc.Arbitrary<CouponBase> = fc.record({
  goodsFen: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5_000_000 })),
  serviceFeeFen: fc.oneof(fc.constant(0), fen(60)),
  guaranteeFen: fc.oneof(fc.constant(0), fen(60)),
});
const goodsOf = (goodsFen: number): CouponBase => ({ goodsFen, serviceFeeFen: 0, guaranteeFen: 0 });

describe('the discount of a coupon', () => {
  it('leaves one fen of the order to pay', () => {
    const coupon = { kind: 'goods', amountFen: 100, minimumFen: 0 } as const;
    expect([99, 100, 101, 102].map((price) => couponDiscount(coupon, goodsOf(price)).fen)).toEqual([98, 99, 100, 100]);
    expect(couponDiscount(coupon, { goodsFen: 100, serviceFeeFen: 1, guaranteeFen: 0 }).fen).toBe(100);
  });

  it('is the largest amount within the coupon, its part of the order and the order less one fen', () => {
    fc.assert(
      fc.property(terms, base, (coupon, order) => {
        const { fen: off, reason } = couponDiscount(coupon, order);
        const part = { goods: order.goodsFen, service: order.serviceFeeFen, guarantee: order.guaranteeFen }[
          coupon.kind
        ];
        const total = order.goodsFen + order.serviceFeeFen + order.guaranteeFen;
        expect(total - off).toBeGreaterThanOrEqual(1);
        if (order.goodsFen < coupon.minimumFen || part === 0) {
          expect(off).toBe(0);
          expect(reason).not.toBeNull();
          return;
        }
        expect(reason).toBeNull();
        expect([coupon.amountFen, part, total - 1]).toContain(off);
        expect(off <= coupon.amountFen && off <= part && off <= total - 1).toBe(true);
      }),
    );
  });

  it('needs the minimum price of the goods, exactly', () => {
    const coupon = { kind: 'goods', amountFen: 100, minimumFen: 5000 } as const;
    expect([4999, 5000, 5001].map((price) => couponDiscount(coupon, goodsOf(price)).fen)).toEqual([0, 100, 100]);
    expect(couponDiscount(coupon, { goodsFen: 4999, serviceFeeFen: 50, guaranteeFen: 900 })).toEqual({
      fen: 0,
      reason: '商品金额满 50.00 元可用',
    });
  });

  it('applies to an existing part only, and names the missing one', () => {
    const order = { goodsFen: 5000, serviceFeeFen: 0, guaranteeFen: 0 };
    const coupon = { amountFen: 100, minimumFen: 0 };
    expect(couponDiscount({ ...coupon, kind: 'guarantee' }, order)).toEqual({ fen: 0, reason: '选择包赔后可用' });
    expect(couponDiscount({ ...coupon, kind: 'service' }, order)).toEqual({ fen: 0, reason: '本单没有可抵扣的费用' });
    expect(couponDiscount({ ...coupon, kind: 'service' }, { ...order, serviceFeeFen: 1 }).fen).toBe(1);
  });
});

describe('the odds of the lottery', () => {
  const prizes: fc.Arbitrary<Prize[]> = fc
    .array(fc.record({ oddsBp: fc.integer({ min: 1, max: 2500 }), stock: fc.integer({ min: 0, max: 2 }) }), {
      maxLength: 8,
    })
    .map((list) => {
      let left = 10_000;
      return list.flatMap((one, id) => {
        if (one.oddsBp > left) return [];
        left -= one.oddsBp;
        return [{ id, ...one }];
      });
    });
  const ROLLS = Array.from({ length: 10_000 }, (_, roll) => roll);

  it('are exactly the published ones over all ten thousand rolls', () => {
    fc.assert(
      fc.property(prizes, (list) => {
        const won = new Map<number | null, number>();
        for (const roll of ROLLS) {
          const id = prizeAt(list, roll)?.id ?? null;
          won.set(id, (won.get(id) ?? 0) + 1);
        }
        for (const prize of list) expect([prize.id, won.get(prize.id) ?? 0]).toEqual([prize.id, liveOdds(prize)]);
        expect(won.get(null) ?? 0).toBe(nothingOdds(list));
      }),
      { numRuns: 40 },
    );
  });

  it('give each prize one stretch of rolls, which does not move when another runs out', () => {
    const list = [
      { id: 1, oddsBp: 100, stock: 1 },
      { id: 2, oddsBp: 50, stock: 1 },
    ];
    const at = (rolls: number[], of: Prize[] = list) => rolls.map((roll) => prizeAt(of, roll)?.id ?? null);
    expect(at([0, 99, 100, 149, 150, 9999])).toEqual([1, 1, 2, 2, null, null]);
    const soldOut = list.map((prize) => (prize.id === 1 ? { ...prize, stock: 0 } : prize));
    expect(at([0, 99, 100, 149, 150], soldOut)).toEqual([null, null, 2, 2, null]);
  });
});

it('a winner is named by the first character, one without a name as a player', () => {
  expect(['王者归来', '🐉龙', ''].map(maskNick)).toEqual(['王**', '🐉**', '玩**']);
});

it('the rules of the lottery say how often and how it is drawn', () => {
  const rules = lotteryRules(3);
  expect(rules).toHaveLength(4);
  expect(rules[0]).toContain('每天（北京时间）可抽 3 次，不收费');
  expect(rules.slice(1).every((rule) => rule.length > 20)).toBe(true);
});

it('more odds than there are leave nothing for “nothing won”, never less', () => {
  const prize = (oddsBp: number, stock = 1) => ({ id: 1, oddsBp, stock });
  expect(nothingOdds([prize(6000), prize(5000)])).toBe(0);
  expect(nothingOdds([prize(6000), prize(5000, 0)])).toBe(4000);
  expect(nothingOdds([])).toBe(10_000);
  expect(prizeAt([prize(100)], -1)).toBeNull();
});

it('a coupon for a part that is below zero has nothing to reduce', () => {
  const order = { goodsFen: 5000, serviceFeeFen: -1, guaranteeFen: 0 };
  expect(couponDiscount({ kind: 'service', amountFen: 100, minimumFen: 0 }, order)).toEqual({
    fen: 0,
    reason: '本单没有可抵扣的费用',
  });
});
