/** Actions of the coalition in disputes and claims, with its money, and through its one dishonest member of staff. */
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import { closeAccount } from '#subjects/accounts/contract/email-and-closing.ts';
import { distributeUserCoupon } from '#subjects/promotions/contract/coupon.ts';
import * as bm from '#subjects/payments/contract/staff-money.ts';
import * as bp from '#subjects/promotions/contract/staff-campaigns.ts';
import * as disputes from '#subjects/disputes/contract/dispute.ts';
import * as guarantee from '#subjects/guarantees/contract/guarantee.ts';
import { cancelOrder, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, cashAdvance } from '#subjects/payments/contract/pay.ts';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { type Action, mine, ordersWhere, rogues } from './actions-trade.ts';
import { names, type Who } from '../worlds/model.ts';
import type { Dispute, Order } from '../worlds/snapshot.ts';
import { yuan } from '../format.ts';
import { COUPON } from '../worlds/market.ts';
import { START_FEN } from '../worlds/setting.ts';
import type { World } from '../worlds/world.ts';

export const RUNNING = ['open', 'answering', 'evidence'];
export const TEXT = '情况说明写在这里，请核对一下，谢谢';
export const RULES = ['2.2', '4.1'];

export const orderOf = (w: World, id: number): Order | undefined => w.state.orders.find((o) => o.id === id);
export const orderLabel = (w: World, id: number): string => `order ${w.state.orders.findIndex((o) => o.id === id) + 1}`;
/** The person on a side of a dispute. */
export function partyIn(w: World, d: Dispute, role: 'opener' | 'other'): Who | undefined {
  const o = orderOf(w, d.orderId);
  if (!o) return undefined;
  return (d.belong === 1) === (role === 'opener') ? w.buyer(o) : w.seller(o);
}
export const disputesWhere = (w: World, matches: (d: Dispute) => boolean): number[][] =>
  w.state.disputes.flatMap((d, n) => (matches(d) ? [[n]] : []));
const isBad = (who: Who | undefined): who is Who => who !== undefined && mine(who);

/** Opens a dispute for a side. */
export async function openDispute(
  w: World,
  o: Order,
  who: Who,
  want: 'refund' | 'part_refund' | 'release',
): Promise<boolean> {
  const done = await w.call(w.client(who), disputes.openDispute, {
    orderSn: o.sn,
    reason: 'other',
    want,
    ...(want === 'part_refund' && { wantAmount: (Math.floor(o.goodsFen / 200) / 1).toFixed(2) }),
    answers: { what: '账号与描述不符' },
    text: TEXT,
    pictures: await w.proof(who),
  });
  if (done)
    w.log(
      `${names[who]} opens a dispute over ${orderLabel(w, o.id)} and wants ${want === 'refund' ? 'all money back' : want}.`,
    );
  return done !== undefined;
}

const dispute: Action = {
  name: 'dispute',
  weight: 4,
  theme: 'dispute',
  options: (w) =>
    ordersWhere(
      w,
      (o) =>
        !o.disputed &&
        (o.status === OrderStatus.Paid ||
          o.status === OrderStatus.Shipped ||
          (o.status === OrderStatus.Completed && o.held)),
    ).flatMap(([n]) => {
      const o = w.order(n ?? 0);
      if (!o) return [];
      return [
        ...(mine(w.buyer(o))
          ? [
              [n ?? 0, 'buyer', 'refund'],
              [n ?? 0, 'buyer', 'part_refund'],
            ]
          : []),
        ...(mine(w.seller(o)) && o.status === OrderStatus.Shipped ? [[n ?? 0, 'seller', 'release']] : []),
      ];
    }),
  async run(w, [n, role, want]) {
    const o = w.order(Number(n));
    return o !== undefined && (await openDispute(w, o, role === 'buyer' ? w.buyer(o) : w.seller(o), want as 'refund'));
  },
};

/** Answers a dispute, or ends it by agreeing. */
export async function respondToRuling(w: World, d: Dispute, agree: boolean): Promise<boolean> {
  const who = partyIn(w, d, 'other');
  if (!who) return false;
  const done = await w.call(w.client(who), disputes.answerDispute, {
    disputeSn: d.sn,
    agree,
    answers: { what: '按描述交付' },
    text: TEXT,
    pictures: await w.proof(who),
  });
  if (done)
    w.log(
      `${names[who]} ${agree ? 'agrees to what is wanted' : 'contradicts'} in the dispute over ${orderLabel(w, d.orderId)}.`,
    );
  return done !== undefined;
}

const answering: Action = {
  name: 'answer',
  weight: 5,
  theme: 'dispute',
  options: (w) =>
    disputesWhere(w, (d) => RUNNING.includes(d.status) && isBad(partyIn(w, d, 'other'))).flatMap(([n]) => [
      [n ?? 0, 1],
      ...(w.dispute(n ?? 0)?.answered === true ? [] : [[n ?? 0, 0]]),
    ]),
  async run(w, [n, agree]) {
    const d = w.dispute(Number(n));
    return d !== undefined && (await respondToRuling(w, d, agree === 1));
  },
};

const withdrawing: Action = {
  name: 'withdrawDispute',
  weight: 1,
  theme: 'dispute',
  also: ['boosting'],
  options: (w) => disputesWhere(w, (d) => RUNNING.includes(d.status) && isBad(partyIn(w, d, 'opener'))),
  async run(w, [n]) {
    const d = w.dispute(Number(n));
    const who = d && partyIn(w, d, 'opener');
    if (!d || !who) return false;
    const done = await w.call(w.client(who), disputes.withdrawDispute, { disputeSn: d.sn });
    if (done) w.log(`${names[who]} withdraws the dispute over ${orderLabel(w, d.orderId)}.`);
    return done !== undefined;
  },
};

const claim: Action = {
  name: 'claim',
  weight: 4,
  theme: 'claims',
  also: ['debts'],
  options: (w) =>
    w.state.covers.flatMap((c, n) =>
      c.status === 'active' && mine(w.whoIs(c.holderId))
        ? (['recovered', 'banned', 'topup_lost'] as const).flatMap((reason) => [
            [n, reason, 'price'],
            ...(c.maxFen > c.priceFen ? [[n, reason, 'most']] : []),
          ])
        : [],
    ),
  async run(w, [n, reason, amount]) {
    const c = w.cover(Number(n));
    if (!c) return false;
    const fen = amount === 'most' ? c.maxFen : Math.min(c.priceFen, c.maxFen);
    return await openClaim(w, Number(n), reason as 'recovered', fen);
  },
};

/** Claims a cover for its holder. */
export async function openClaim(
  w: World,
  n: number,
  reason: 'recovered' | 'banned' | 'topup_lost',
  fen: number,
): Promise<boolean> {
  const c = w.cover(n);
  if (!c) return false;
  const who = w.whoIs(c.holderId);
  const done = await w.call(w.client(who), guarantee.openClaim, {
    coverId: c.id,
    reason,
    explain: '账号在交易之后被原号主找回，已经无法登录',
    amount: (fen / 100).toFixed(2),
    pictures: await w.proof(who),
  });
  if (done) w.log(`${names[who]} claims ${yuan(fen)} of the cover of ${orderLabel(w, c.orderId)} ('${reason}').`);
  return done !== undefined;
}

/** All of an account's free money leaves the market, after honest finance has approved it. */
export const cash: Action = {
  name: 'withdraw',
  weight: 1,
  theme: 'settle',
  also: ['debts', 'reading'],
  options: (w) => rogues(w).map((who) => [who]),
  async run(w, [who]) {
    const fen = await w.availableOf(who as Who);
    const part = Math.min(fen, 4_900_000);
    if (part < 1000) return false;
    const isLarge = part >= 400_000;
    if (isLarge) await w.call(w.client(who as Who), smsBindPhone, { type: 'payout' });
    const response = await w.call(w.client(who as Who), cashAdvance, {
      amount: (part / 100).toFixed(2),
      accountType: 'alipay',
      ...(isLarge && { smsCode: w.codeOf(who as Who) }),
    });
    if (!response) return false;
    const { finance, finance2 } = w.market.staff;
    for (const { client } of [finance, finance2])
      await w.call(client, bm.approveWithdraw, { withdrawSn: response.withdrawSn });
    await w.settle();
    const matured = w.state.orders.reduce((sum, o) => sum + (o.released ? o.rewardFen : 0), 0);
    if (who === 'i' && part > START_FEN + matured)
      w.broken.push({ promise: 5, text: 'a reward was paid out while the trade that it is for was still protected' });
    w.log(`${names[who as Who]} withdraws all free money, ${yuan(part)}.`);
    return true;
  },
};

const settlement: Action = {
  name: 'commission',
  weight: 2,
  theme: 'settle',
  options: (w) => (w.state.orders.some((o) => o.status === OrderStatus.Completed && o.shareFen > 0) ? [[0]] : []),
  async run(w) {
    const fen = await w.commissionOf();
    if (fen < 10_000) return false;
    const { distId, operator } = w.seat;
    const response = await w.call(operator.client, bp.requestSettlement, { distId, amount: (fen / 100).toFixed(2) });
    if (!response) return false;
    const { finance, finance2 } = w.market.staff;
    for (const { client } of [finance, finance2])
      await w.call(client, bp.paySettlement, { settlementSn: response.settlementSn, receiptNo: `R${w.calls}0000` });
    w.settledFen += fen;
    w.log(`The distributor has its commission paid out, ${yuan(fen)}.`);
    const matured = w.state.orders.reduce((sum, o) => sum + (o.released ? o.shareFen : 0), 0);
    if (w.settledFen > matured)
      w.broken.push({ promise: 5, text: 'commission was paid out while the trade that it is for was still protected' });
    return true;
  },
};

/** A member of the coalition closes an account, which must leave no money, debt or trade behind. */
const closing: Action = {
  name: 'close',
  weight: 1,
  theme: 'claims',
  also: ['debts', 'reading'],
  options: (w) => (w.state.orders.length > 0 ? rogues(w).map((who) => [who]) : []),
  async run(w, [name]) {
    const who = name as Who;
    const { rows } = await sql<{ fen: number; owed: number; claimed: boolean; claimable: boolean }>`
      select (select coalesce(sum(balance), 0) from ledger_account where key like ${`user:${w.idOf(who)}:%`})::bigint as fen,
        (select coalesce(sum(amount_fen - paid_fen), 0) from debt where debtor_user = ${w.idOf(who)})::bigint as owed,
        exists (select from inspection_claim k join orders o on o.id = k.order_id where o.seller_id = ${w.idOf(who)} and k.status = 'open') as claimed,
        exists (select from orders o join goods g on g.id = o.goods_id where o.seller_id = ${w.idOf(who)} and o.status = 3 and g.inspected_at <= o.created_at
          and o.completed_at > now() - interval '7 days' and not exists (select from inspection_claim k where k.order_id = o.id)
          and not exists (select from dispute d where d.order_id = o.id and d.back_fen > 0)) as claimable`.execute(
      w.market.t.ctx.db,
    );
    if (!(await w.call(w.client(who), closeAccount, {}))) return false;
    w.leftMarket.add(who);
    w.log(`${names[who]} closes the account.`);
    const left = rows[0];
    if (left && (left.claimed || left.claimable))
      w.broken.push({
        promise: 5,
        text: 'an account was closed while a reading that it sold on could be called wrong',
      });
    if (left && (Number(left.fen) !== 0 || Number(left.owed) !== 0))
      w.broken.push({
        promise: 5,
        text: `an account was closed with ${yuan(Number(left.fen))} in it and ${yuan(Number(left.owed))} owed`,
      });
    return true;
  },
};

/** A thief who has only the honest buyer's log-in, through a phished code or a browser left open. */
const thief: Action = {
  name: 'thief',
  weight: 1,
  theme: 'thief',
  options: (w) =>
    w.setting.cast.includes('hb') && w.state.orders.length === 0
      ? w.goods.flatMap((g, n) => (mine(g.owner) ? [[n]] : []))
      : [],
  async run(w, [n]) {
    const goods = w.goods[Number(n)];
    if (!goods) return false;
    const client = await w.stolen();
    const placed = await w.call(client, placeOrder, { goodsSn: goods.sn });
    if (!placed) return false;
    const paid = await w.call(client, balancePay, { orderId: placed.orderId });
    if (!paid) await w.call(client, cancelOrder, { orderId: placed.orderId });
    if (!paid) return false;
    w.log(
      `A thief with nothing but the honest buyer's log-in buys account ${n} of ${names[goods.owner]} with his balance.`,
    );
    w.tried.add('stolen');
    w.broken.push({ promise: 2, text: 'the honest buyer’s balance was spent by a log-in alone' });
    return true;
  },
};

const coupon: Action = {
  name: 'coupon',
  weight: 1,
  theme: 'coupon',
  options: (w) =>
    rogues(w)
      .filter((who) => who !== 'b' && who !== 'i')
      .flatMap((who) => ((w.coupons.get(who)?.length ?? 0) === 0 ? [[who]] : [])),
  async run(w, [who]) {
    const got = await w.call(w.client(who as Who), distributeUserCoupon, { act: 'receive', code: COUPON });
    const id = got?.coupon?.couponId;
    if (id === undefined) return false;
    w.coupons.set(who as Who, [...(w.coupons.get(who as Who) ?? []), id]);
    w.log(`${names[who as Who]} takes a coupon.`);
    return true;
  },
};

export const caseActions: readonly Action[] = [
  dispute,
  answering,
  withdrawing,
  claim,
  cash,
  settlement,
  closing,
  thief,
  coupon,
];
