import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import {
  lossPenalty,
  loserOf,
  refundableFen,
  type RulingTerms,
  rulingOutcome,
  splitEscrow,
  splitHeld,
} from './ruling.ts';

const plain: RulingTerms = {
  goodsFen: 20_000,
  serviceFeeFen: 200,
  ensureFen: 0,
  fixEnsureFen: 2000,
  discountFen: 0,
  commissionFen: 1000,
  distShareFen: 0,
  inviteRewardFen: 0,
};

const terms = fc
  .record({
    goodsFen: fc.integer({ min: 1, max: 9_999_999_900 }),
    serviceBp: fc.integer({ min: 0, max: 500 }),
    coverBp: fc.integer({ min: 0, max: 4000 }),
    commissionBp: fc.integer({ min: 0, max: 2000 }),
    shareBp: fc.integer({ min: 0, max: 10_000 }),
    inviteBp: fc.integer({ min: 0, max: 10_000 }),
    couponBp: fc.integer({ min: 0, max: 9999 }),
    backBp: fc.integer({ min: 0, max: 10_000 }),
  })
  .map((p) => {
    const of = (fen: number, bp: number): number => Math.floor((fen * bp) / 10_000);
    const serviceFeeFen = of(p.goodsFen, p.serviceBp);
    const commissionFen = of(p.goodsFen, p.commissionBp);
    const fixEnsureFen = of(p.goodsFen, p.coverBp);
    const total = p.goodsFen + serviceFeeFen + fixEnsureFen;
    const o: RulingTerms = {
      goodsFen: p.goodsFen,
      serviceFeeFen,
      ensureFen: 0,
      fixEnsureFen,
      discountFen: Math.min(of(total, p.couponBp), total - 1),
      commissionFen,
      distShareFen: of(commissionFen + serviceFeeFen, p.shareBp),
      inviteRewardFen: of(commissionFen + serviceFeeFen, Math.min(p.inviteBp, 10_000 - p.shareBp)),
    };
    return { o, backFen: of(p.goodsFen, p.backBp), whole: total };
  });

describe('a ruling is divided exactly to the fen', () => {
  test('the escrow is divided for any amounts, and no share is negative', () => {
    fc.assert(
      fc.property(terms, ({ o, backFen, whole: total }) => {
        const s = splitEscrow(o, backFen);
        expect(s.buyerFen + s.couponFen + s.sellerFen + s.commissionFen + s.serviceFen).toBe(total);
        expect(s.commissionFen + s.serviceFen).toBeGreaterThanOrEqual(s.distFen + s.inviteFen);
        expect(s.buyerFen).toBeLessThanOrEqual(total - o.discountFen);
        for (const fen of Object.values(s)) expect(fen).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('the hold is used up to its amount and up to the paid amount', () => {
    fc.assert(
      fc.property(terms, ({ o, backFen, whole: total }) => {
        const s = splitHeld(o, backFen);
        expect(s.fromSellerFen + s.sellerFen).toBe(o.goodsFen - o.commissionFen);
        expect(s.buyerFen).toBeLessThanOrEqual(total - o.discountFen);
        expect(s.buyerFen + s.couponFen).toBe(s.fromSellerFen + s.fromFeeFen + s.fromDistFen + s.fromInviterFen);
        for (const fen of Object.values(s)) expect(fen).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('a full refund returns everything that was paid, including the shares of others', () => {
    fc.assert(
      fc.property(terms, ({ o }) => {
        const s = splitHeld(o, o.goodsFen);
        expect(s.buyerFen + s.couponFen).toBe(o.goodsFen + o.serviceFeeFen);
        expect([s.fromDistFen, s.fromInviterFen, s.sellerFen]).toEqual([o.distShareFen, o.inviteRewardFen, 0]);
      }),
    );
  });
});

test('refunding half of the price returns half the fees and the whole premium', () => {
  expect(splitEscrow(plain, 10_000)).toEqual({
    buyerFen: 12_100,
    couponFen: 0,
    sellerFen: 9500,
    commissionFen: 500,
    serviceFen: 100,
    distFen: 0,
    inviteFen: 0,
  });
  expect(splitHeld(plain, 10_000)).toEqual({
    fromSellerFen: 9500,
    fromFeeFen: 600,
    fromDistFen: 0,
    fromInviterFen: 0,
    couponFen: 0,
    buyerFen: 10_100,
    sellerFen: 9500,
  });
});

test('the seller keeps the net amount when nothing is refunded', () => {
  expect(rulingOutcome(plain, 2, 0)).toEqual({ buyerFen: 0, sellerFen: 19_000 });
  expect(rulingOutcome(plain, 1, 20_000)).toEqual({ buyerFen: 22_200, sellerFen: 0 });
});

/** Each part of the price, the fees and the shares has a different amount, so that a wrong sign is detected. */
const rich: RulingTerms = {
  goodsFen: 20_000,
  serviceFeeFen: 400,
  ensureFen: 300,
  fixEnsureFen: 2000,
  discountFen: 2270,
  commissionFen: 1000,
  distShareFen: 200,
  inviteRewardFen: 100,
  advanceFen: 3800,
  advanceGoodsFen: 4000,
  cutFen: 1500,
};

test('premiums are refunded completely, a coupon in proportion, and paid milestones are no part of the escrow', () => {
  expect(splitEscrow(rich, 10_000)).toEqual({
    couponFen: 1250,
    buyerFen: 11_250,
    sellerFen: 5700,
    commissionFen: 500,
    serviceFen: 200,
    distFen: 100,
    inviteFen: 50,
  });
});

test('after completion each party returns its share of the refund, and premiums stay', () => {
  expect(splitHeld(rich, 10_000)).toEqual({
    fromFeeFen: 550,
    fromDistFen: 100,
    fromInviterFen: 50,
    fromSellerFen: 9500,
    couponFen: 1020,
    buyerFen: 9180,
    sellerFen: 9500,
  });
});

test('the seller returns at most the net amount, and the fen that others’ floors leave', () => {
  const odd = { ...plain, goodsFen: 3, commissionFen: 0, serviceFeeFen: 1, distShareFen: 1, fixEnsureFen: 0 };
  expect(splitHeld(odd, 2)).toMatchObject({ fromFeeFen: 0, fromDistFen: 0, fromSellerFen: 2, sellerFen: 1 });
  const shares = { ...plain, commissionFen: 10, distShareFen: 10, goodsFen: 19 };
  expect(splitHeld(shares, 19).fromSellerFen).toBe(9);
});

test('only a completed order is divided from the seller’s hold', () => {
  expect(rulingOutcome(rich, OrderStatus.Completed, 10_000)).toEqual({ buyerFen: 9180, sellerFen: 9500 });
  expect(rulingOutcome(rich, OrderStatus.Shipped, 10_000)).toEqual({ buyerFen: 11_250, sellerFen: 5700 });
});

test('refundable is the price without accepted milestones, later without the cut of an inspection', () => {
  expect(refundableFen({ ...rich, status: OrderStatus.Shipped })).toBe(16_000);
  expect(refundableFen({ ...rich, status: OrderStatus.Completed })).toBe(18_500);
  expect(refundableFen({ goodsFen: 500, status: OrderStatus.Shipped })).toBe(500);
  expect(refundableFen({ goodsFen: 500, status: OrderStatus.Completed })).toBe(500);
});

test('the seller loses from the first fen, and the penalty follows the refund, or the price when the buyer loses', () => {
  expect([loserOf(0), loserOf(1)]).toEqual(['buyer', 'seller']);
  const penalty = { lossBp: 1000, lossMinFen: 50, lossMaxFen: 1500 };
  expect([0, 1, 5000, 20_000].map((backFen) => lossPenalty(10_000, backFen, penalty))).toEqual([1000, 50, 500, 1500]);
});
