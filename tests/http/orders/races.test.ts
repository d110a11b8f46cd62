/** Actions that one person on two devices, or both parties of a trade, may do concurrently, where no other file races them (support/orders/races.ts). */
import { closeAccount } from '#subjects/accounts/contract/email-and-closing.ts';
import { orderEval } from '#subjects/reviews/contract/order-review.ts';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import * as alerts from '#subjects/offers/contract/alerts.ts';
import * as backOrders from '#subjects/orders/contract/staff-orders.ts';
import * as dispute from '#subjects/disputes/contract/dispute.ts';
import * as goods from '#subjects/goods/contract/goods.ts';
import * as offers from '#subjects/offers/contract/offers.ts';
import * as guarantee from '#subjects/guarantees/contract/guarantee.ts';
import * as im from '#subjects/chat/contract/im.ts';
import * as order from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import * as coin from '#subjects/quick-coin/contract/quick-coin.ts';
import * as timeSale from '#subjects/time-sale/contract/time-sale.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import type { TestApp, TestUser } from '#tests/support/servers/build.ts';
import { addCoinGame, applyForShop, offered, openedShop } from '#tests/support/services/coins.ts';
import { type Court, complaint, openCourt, ruling } from '#tests/support/orders/disputes.ts';
import * as staffDisputes from '#subjects/disputes/contract/staff-disputes.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { claimed } from '#tests/support/calls/ownership.ts';
import { staffPicture } from '#tests/support/orders/orders.ts';
import { AT_ONCE, countRows, type Race, testRaces } from '#tests/support/orders/races.ts';

let court: Court;
let t: TestApp;

beforeAll(async () => {
  court = await openCourt();
  t = court.t;
  await addCoinGame(t);
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const count = (query: RawBuilder<unknown>): Promise<number> => countRows(t.ctx, query);
const TEXT = '情况说明写在这里，请核对一下';

/** An account that was paid for, in a game with hand-over steps; the other trades go without. */
async function accountOrder(): Promise<{ buyer: TestUser; seller: TestUser; orderId: number; orderSn: string }> {
  const [buyer, seller] = [await t.newUser({ balanceFen: 50_000 }), await t.newUser()];
  const { sn } = await addGoods(t.ctx, { sellerId: seller.id });
  const placed = await buyer.client.ok(order.placeOrder, { goodsSn: sn });
  await buyer.client.ok(balancePay, { orderId: placed.orderId });
  await addGame(t.ctx, { handover: true });
  await t.relay();
  await buyer.client.ok(order.orderDetail, { orderSn: placed.orderSn });
  return { buyer, seller, ...placed };
}

async function onSale(overrides: { days?: number } = {}): Promise<{ seller: TestUser; goodsSn: string; id: number }> {
  const seller = await t.newUser();
  const { sn, id } = await addGoods(t.ctx, { sellerId: seller.id });
  await sql`update goods set bargain_ok = true, created_at = now() - make_interval(days => ${overrides.days ?? 9}),
    refreshed_at = now() - interval '2 hours' where id = ${id}`.execute(t.ctx.db);
  return { seller, goodsSn: sn, id };
}

const input = { gameId: 1, goodsTypeId: 1, bigTitle: '求一个王者段位的号', details: {}, budget: '150' };

const races: Record<string, () => Promise<Race>> = {
  async 'closing an account'() {
    const user = await t.newUser({ stepUp: true });
    return {
      click: () => user.client.call(closeAccount, { smsCode: '123456' }),
      done: 1,
      trace: () =>
        count(sql`select 1 from outbox where topic = 'account.closed' and payload->>'userId' = ${String(user.id)}`),
    };
  },
  async 'rating an order'() {
    const { buyer, orderSn } = await court.trade('completed');
    return {
      click: (n) => buyer.client.call(orderEval, { orderSn, score: (n % 5) + 1 }),
      done: 1,
      loserError: 'ORDER_RATED',
      trace: () => count(sql`select 1 from order_review r join orders o on o.id = r.order_id where o.sn = ${orderSn}`),
    };
  },
  async 'taking a dispute back'() {
    const d = await court.trade('paid');
    const disputeSn = await court.opened(d);
    return {
      click: () => d.buyer.client.call(dispute.withdrawDispute, { disputeSn }),
      done: 1,
      loserError: 'DISPUTE_STATE',
      trace: () =>
        count(
          sql`select 1 from dispute_event e join dispute d on d.id = e.dispute_id where d.sn = ${disputeSn} and e.kind = 'withdrawn'`,
        ),
    };
  },
  async 'one dispute from both sides'() {
    const d = await court.trade('shipped');
    return {
      click: (n) => (n % 2 ? d.buyer : d.seller).client.call(dispute.openDispute, complaint(d.orderSn)),
      done: 1,
      trace: () => count(sql`select 1 from dispute where order_id = ${d.orderId}`),
    };
  },
  async 'appealing from both sides'() {
    const d = await court.trade('shipped');
    const disputeSn = await court.answered(d);
    await court.other.client.ok(staffDisputes.staffDisputeRule, ruling(disputeSn, '40.00'));
    return {
      click: (n) => (n % 2 ? d.buyer : d.seller).client.call(dispute.appealRuling, { disputeSn, text: TEXT }),
      done: 1,
      loserError: 'DISPUTE_STATE',
      trace: () =>
        count(sql`select 1 from dispute_appeal a join dispute d on d.id = a.dispute_id where d.sn = ${disputeSn}`),
    };
  },
  async 'taking a claim back'() {
    const { holder, claimSn } = await claimed(t, { print: 'print-race-1' });
    return {
      click: () => holder.client.call(guarantee.withdrawClaim, { claimSn }),
      done: 1,
      loserError: 'CLAIM_STATE',
      trace: () => count(sql`select 1 from guarantee_claim where sn = ${claimSn} and status = 'withdrawn'`),
    };
  },
  async 'posting the last want that one may have'() {
    const user = await t.newUser();
    for (let i = 0; i < 19; i++) await user.client.ok(offers.releaseWantGoods, input);
    return {
      click: () => user.client.call(offers.releaseWantGoods, input),
      done: 1,
      loserError: 'WANT_COUNT',
      trace: () => count(sql`select 1 from want where user_id = ${user.id} and status = 1`),
      traces: 20,
    };
  },
  async 'closing a want with a deposit'() {
    const user = await t.newUser({ balanceFen: 10_000, stepUp: true });
    const { wantSn } = await user.client.ok(offers.releaseWantGoods, { ...input, deposit: '20.00' });
    const available = async () => (await loadBalances(t.ctx.db, user.id)).availableFen;
    expect(await available()).toBe(8000);
    return {
      click: () => user.client.call(offers.updateWantGoodsStatus, { wantSn, status: 2 }),
      done: AT_ONCE,
      trace: available,
      traces: 10_000,
    };
  },
  async 'saving one search'() {
    const user = await t.newUser();
    const search = { gameId: 1, goodsTypeId: 1, keyWord: '皮肤', title: '皮肤', path: '/wares?gt=1&gid=1' };
    return {
      click: () => user.client.call(alerts.saveSearchAlert, search),
      done: AT_ONCE,
      trace: () => count(sql`select 1 from alert where user_id = ${user.id}`),
    };
  },
  async 'answering an offer in both ways'() {
    const { seller, goodsSn } = await onSale();
    const buyer = await t.newUser();
    const { bargainId } = await buyer.client.ok(offers.bargaining, { goodsSn, price: '80.00' });
    return {
      click: (n) =>
        n % 2
          ? seller.client.call(offers.sellerCounterofferPrice, { bargainId, price: '90.00' })
          : seller.client.call(offers.sellerAgreedBargain, { bargainId, act: 'refuse' }),
      // The same answer again is answered as done, when it comes late enough to find the first.
      done: 'some',
      loserError: 'BARGAIN_STATE',
      trace: () =>
        count(
          sql`select 1 from outbox where topic = 'bargain.changed' and payload->>'bargainId' = ${String(bargainId)} and payload->>'status' <> '0'`,
        ),
    };
  },
  async 'moving goods up'() {
    const { seller, goodsSn } = await onSale();
    return {
      click: () => seller.client.call(goods.userUpdateGoodsTime, { goodsSn }),
      done: 1,
      loserError: 'RATE_LIMITED',
      trace: () => count(sql`select 1 from goods where sn = ${goodsSn} and refreshed_at > now() - interval '1 minute'`),
    };
  },
  async 'taking goods off and putting them on'() {
    const { seller, goodsSn, id } = await onSale();
    return {
      click: (n) => seller.client.call(goods.pushOrPullGoods, { goodsSn, act: n % 2 ? 'pull' : 'push' }),
      done: AT_ONCE,
      // The search index agrees with the row.
      trace: () =>
        count(
          sql`select 1 from goods g left join goods_search s on s.goods_id = g.id where g.id = ${id} and (g.status = 2) = (s.goods_id is not null)`,
        ),
    };
  },
  async 'opening a sale'() {
    const { seller, goodsSn, id } = await onSale();
    return {
      click: (n) => seller.client.call(timeSale.saveTimeSale, { goodsSn, price: `${80 + n}.00`, hours: 2 }),
      done: AT_ONCE,
      trace: () => count(sql`select 1 from time_sale where goods_id = ${id} and status = 1`),
    };
  },
  async 'applying for a shop'() {
    const user = await t.newUser();
    return {
      click: () =>
        applyForShop(user).then(
          () => ({ code: 0, msg: '' }),
          (error: Error) => ({ code: Number(/ (\d{4}) /.exec(error.message)?.[1]), msg: error.message }),
        ),
      done: 1,
      loserError: 'PROVIDER_STATE',
      trace: () => count(sql`select 1 from provider where user_id = ${user.id}`),
    };
  },
  async 'taking an offer of coin off'() {
    const shop = await openedShop(t, court.other);
    const quickCoinSn = await offered(shop);
    return {
      click: () => shop.client.call(coin.updateQuickCoin, { quickCoinSn, applyChange: 'pull' }),
      done: AT_ONCE,
      trace: () => count(sql`select 1 from quick_coin_offer where sn = ${quickCoinSn} and status <> 1`),
    };
  },
  async 'taking a message back'() {
    const d = await court.trade('paid');
    await t.relay();
    const groups = await d.buyer.client.ok(im.getImGroupIdMap, { orderSnList: d.orderSn });
    const groupId = groups[d.orderSn]?.[0]?.groupId ?? '';
    const message = { groupId, clientMsgId: 'r-1', messageType: 'text', content: '说错了' } as const;
    const { seq } = await d.buyer.client.ok(im.sendMessage, message);
    return {
      click: () => d.buyer.client.call(im.recallMessage, { groupId, seq }),
      done: 1,
      loserError: 'CHAT_RECALL',
      trace: () => count(sql`select 1 from chat_message where group_id = ${Number(groupId)} and type = 'recall'`),
    };
  },
  // From here on the game has hand-over steps.
  async 'sealing credentials'() {
    const sold = await accountOrder();
    const { orderId } = sold;
    return {
      click: (n) =>
        sold.seller.client.call(order.sealSecret, {
          orderId,
          step: 1,
          fields: { account: `a${n}`, password: `b${n}` },
        }),
      done: AT_ONCE,
      // Each is a separate version, and none takes another's number.
      traces: AT_ONCE,
      trace: () =>
        count(sql`select distinct version from sealed_credential where order_id = ${orderId} and body_enc is not null`),
    };
  },
  async 'opening sealed credentials'() {
    const { buyer, seller, orderId } = await accountOrder();
    await seller.client.ok(order.sealSecret, { orderId, step: 1, fields: { account: 'abc', password: 'def' } });
    await sql`update orders set status = 2 where id = ${orderId}`.execute(t.ctx.db);
    return {
      click: () => buyer.client.call(order.revealSecret, { orderId, step: 1 }),
      done: AT_ONCE,
      traces: AT_ONCE,
      trace: () =>
        count(sql`select 1 from order_process where order_id = ${orderId} and explain like '%查看了密封信息%'`),
    };
  },
  async 'finishing a hand-over step'() {
    const { seller, orderId, orderSn } = await accountOrder();
    await sql`update orders set staff_id = ${court.other.id} where id = ${orderId}`.execute(t.ctx.db);
    const proved = { reason: '卖家在电话里确认', pictures: [await staffPicture(court.other)] };
    return {
      click: (n) =>
        n % 2
          ? seller.client.call(order.handoverDone, { orderId, step: 1 })
          : court.other.client.call(backOrders.staffHandoverDone, { orderId, step: 1, ...proved }),
      done: AT_ONCE,
      trace: () =>
        count(
          sql`select 1 from order_process p join orders o on o.id = p.order_id where o.sn = ${orderSn} and p.explain like '第 1 步%完成%'`,
        ),
    };
  },
};

testRaces(races);
