/** The movements of an order's money: where each goes, and that an escrow is emptied to the fen. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { account } from '#subjects/ledger/server/rules.ts';
import {
  couponPart,
  escrowFen,
  type OrderTerms,
  refund,
  release,
  sellerDueFen,
  sellerNetFen,
} from '#subjects/orders/server/postings.ts';

const ORDER = 77;
const [BUYER, SELLER, INVITER, SITE] = [1, 2, 3, 4];

/** 100.00 of goods, 1.00 service fee, 2.00 and 3.00 for guarantees, 0.50 off by a coupon; 5.00 commission. */
const order = (change: Partial<OrderTerms> = {}): OrderTerms =>
  ({
    id: ORDER,
    distId: SITE,
    buyerId: BUYER,
    sellerId: SELLER,
    goodsFen: 10_000,
    serviceFeeFen: 100,
    ensureFen: 200,
    fixEnsureFen: 300,
    discountFen: 50,
    totalFen: 10_550,
    commissionFen: 500,
    distShareFen: 120,
    inviteRewardFen: 30,
    inviterId: INVITER,
    advanceFen: 0,
    ...change,
  }) as OrderTerms;

const escrow = account.escrow(ORDER);
const moves = (transfers: ReturnType<typeof release>) =>
  transfers.map(({ code, debit, credit, fen }) => [code, debit, credit, fen]);
const sum = (transfers: ReturnType<typeof release>): number => transfers.reduce((all, { fen }) => all + fen, 0);

test('every movement names its order and its site', () => {
  for (const transfer of [...release(order()), ...refund(order()), ...couponPart(order())])
    expect(transfer).toMatchObject({ ref: `order:${ORDER}`, order: ORDER, dist: SITE });
});

test('a completed order pays the seller, the platform, the site, the fund and the inviter', () => {
  expect(moves(release(order()))).toEqual([
    ['sale_proceeds', escrow, account.frozen(SELLER), 9500],
    ['sale_commission', escrow, account.platform('fee', ORDER), 350],
    ['service_fee', escrow, account.platform('fee', ORDER), 100],
    ['dist_share', escrow, account.distMaturing(SITE), 120],
    ['guarantee_premium', escrow, account.platform('guarantee_fund', ORDER), 500],
    ['invite_reward', escrow, account.maturing(INVITER), 30],
  ]);
});

test('shares beyond the commission come out of the service fee, and empty movements are left out', () => {
  const fees = (distShareFen: number) =>
    release(order({ distShareFen, inviteRewardFen: 0, inviterId: null }))
      .filter(({ code }) => code === 'sale_commission' || code === 'service_fee')
      .map(({ code, fen }) => [code, fen]);
  expect(fees(499)).toEqual([
    ['sale_commission', 1],
    ['service_fee', 100],
  ]);
  expect(fees(500)).toEqual([['service_fee', 100]]);
  expect(fees(501)).toEqual([['service_fee', 99]]);
  expect(fees(600)).toEqual([]);
  const bare = order({ ensureFen: 0, fixEnsureFen: 0, distShareFen: 0, inviteRewardFen: 0 });
  expect(release(bare).map(({ code }) => code)).toEqual(['sale_proceeds', 'sale_commission', 'service_fee']);
});

test('no reward is paid without an inviter', () => {
  const codes = release(order({ inviterId: null })).map(({ code }) => code);
  expect(codes).not.toContain('invite_reward');
});

test('the part paid by accepted milestones is not paid again', () => {
  const part = order({ advanceFen: 2000 });
  expect([sellerNetFen(part), sellerDueFen(part), escrowFen(part)]).toEqual([9500, 7500, 8600]);
  expect(moves(release(part))[0]).toEqual(['sale_proceeds', escrow, account.frozen(SELLER), 7500]);
});

test('a refund returns the payment to the buyer and the coupon’s part to the platform', () => {
  const back = ['order_refund', escrow, account.available(BUYER), 10_550];
  const coupon = account.platform('coupon_expense', ORDER);
  expect(moves(refund(order()))).toEqual([back, ['order_refund_coupon', escrow, coupon, 50]]);
  expect(moves(refund(order({ discountFen: 1 })))[1]).toEqual(['order_refund_coupon', escrow, coupon, 1]);
  expect(moves(refund(order({ discountFen: 0 })))).toEqual([back]);
  expect(moves(couponPart(order({ discountFen: 1 })))).toEqual([['order_coupon', coupon, escrow, 1]]);
  expect(couponPart(order({ discountFen: 0 }))).toEqual([]);
});

test('the escrow of any order is emptied to the fen, by its completion as by its refund', () => {
  const fen = (max: number) => fc.integer({ min: 0, max });
  const orders = fc
    .record({
      goodsFen: fen(100_000),
      serviceFeeFen: fen(5000),
      ensureFen: fen(5000),
      fixEnsureFen: fen(5000),
      bp: fen(10_000),
      coupon: fen(10_000),
      share: fen(10_000),
      reward: fen(10_000),
    })
    .map(({ bp, coupon, share, reward, ...rest }) => {
      const commissionFen = Math.floor((rest.goodsFen * bp) / 10_000);
      const whole = rest.goodsFen + rest.serviceFeeFen + rest.ensureFen + rest.fixEnsureFen;
      const discountFen = Math.floor((whole * coupon) / 20_000);
      const income = commissionFen + rest.serviceFeeFen;
      const distShareFen = Math.floor((income * share) / 20_000);
      const inviteRewardFen = Math.floor((income * reward) / 20_000);
      return order({
        ...rest,
        commissionFen,
        discountFen,
        totalFen: whole - discountFen,
        distShareFen,
        inviteRewardFen,
      });
    });
  fc.assert(
    fc.property(orders, (o) => {
      expect(sum(release(o))).toBe(escrowFen(o));
      expect(sum(refund(o))).toBe(escrowFen(o));
      expect(release(o).every(({ fen: part }) => part > 0)).toBe(true);
    }),
  );
});
