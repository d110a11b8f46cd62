import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RulingTerms, rulingOutcome, splitEscrow, splitHeld } from './ruling.ts';

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

test('without a refund the seller keeps the net amount', () => {
  expect(rulingOutcome(plain, 2, 0)).toEqual({ buyerFen: 0, sellerFen: 19_000 });
  expect(rulingOutcome(plain, 1, 20_000)).toEqual({ buyerFen: 22_200, sellerFen: 0 });
});
