/** Refunds that go to the channel that paid an order, without being asked for; the buyer's choice of the balance; what a cheater tries. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { codes } from '#contract/codes.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { cancelOrder, confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, chooseRefundTarget, recPay, refundInfo, refundToSource } from '#subjects/payments/contract/pay.ts';
import { account, loadBalances, brokenInvariants, recordDebt } from '#subjects/ledger/server/service.ts';
import { refundEndedOrders } from '#subjects/payments/server/refund-default.ts';
import type { TestUser } from '#tests/support/servers/build.ts';
import { minutesPass, notifyPayment } from '#tests/support/fakes/channel-notices.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type Court, openCourt, ruling } from '#tests/support/orders/disputes.ts';
import { startChannels } from '#tests/support/fakes/channels.ts';
import { addGoods } from '#tests/support/goods/goods.ts';

let court: Court;
let t: Court['t'];
let w: Awaited<ReturnType<typeof startChannels>>;

beforeAll(async () => {
  w = await startChannels();
  court = await openCourt({ overrides: { pay: w.channels } });
  ({ t } = court);
});
beforeEach(() => {
  w.alipay.mend();
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
  await w.close();
});

/** An order of 100.00 (101.00 with the fee) that Alipay paid, after the balance where it holds some. */
async function paidOrder(balanceFen = 0) {
  const buyer = await t.newUser({ stepUp: true, ...(balanceFen > 0 && { balanceFen }) });
  const seller = await t.newUser();
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen: 10_000 });
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  const { payInterSn } = await buyer.client.ok(recPay, {
    orderId,
    aliOrWx: 1,
    ...(balanceFen > 0 && { useBalance: 1 }),
  });
  w.alipay.pay(payInterSn);
  await notifyPayment(t, w, 'alipay', payInterSn);
  return { buyer, seller, orderId, orderSn, interSn: payInterSn };
}
type Paid = Awaited<ReturnType<typeof paidOrder>>;

const money = async (user: TestUser): Promise<[available: number, frozen: number]> => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return [availableFen, frozenFen];
};
const sentOf = ({ interSn }: Paid): string[] => [...(w.alipay.trades.get(interSn)?.refunds.values() ?? [])];
const moneyNotices = async (user: TestUser): Promise<string> =>
  (await user.client.ok(noticeList, {})).list.map(({ title, body }) => `${title} ${body}`).join('\n');

test('a cancelled order goes back to the channel that paid it, and the buyer learns where and when', async () => {
  const d = await paidOrder();
  expect(await d.buyer.client.ok(refundInfo, { orderSn: d.orderSn })).toMatchObject({
    channelPart: '101.00',
    stays: null,
    canChoose: true,
    arrival: expect.stringContaining('1 至 3 个工作日'),
  });
  await d.buyer.client.ok(cancelOrder, { orderId: d.orderId });
  await t.relay();
  expect(await money(d.buyer)).toEqual([0, 10_100]);
  await minutesPass(t, 1);
  expect([await money(d.buyer), sentOf(d)]).toEqual([[0, 0], ['101.00']]);
  const notices = await moneyNotices(d.buyer);
  expect(notices).toContain('退回支付宝');
  expect(notices).not.toContain('已退回您的余额');
});

test('the part paid from the balance stays there; an order without a channel has nothing to choose', async () => {
  const mixed = await paidOrder(4_100);
  await mixed.buyer.client.ok(cancelOrder, { orderId: mixed.orderId });
  await minutesPass(t, 1);
  expect([await money(mixed.buyer), sentOf(mixed)]).toEqual([[4_100, 0], ['60.00']]);
  expect(await moneyNotices(mixed.buyer)).toContain('41.00');

  const d = await court.trade('paid');
  const choice = await d.buyer.client.call(chooseRefundTarget, { orderSn: d.orderSn, toBalance: '1' });
  expect(choice.code).toBe(codes.REFUND_CHOICE[0]);
  await d.buyer.client.ok(cancelOrder, { orderId: d.orderId });
  await minutesPass(t, 1);
  expect(await money(d.buyer)).toEqual([50_000, 0]);
});

test('a ruling after completion sends its part to the channel, once for all its events', async () => {
  const d = await paidOrder();
  await d.seller.client.ok(offlineTranSub, { orderId: d.orderId });
  await d.buyer.client.ok(confirmRecGoods, { orderId: d.orderId });
  const disputeSn = await court.answered(d);
  await court.service.client.ok(staffDisputeRule, ruling(disputeSn, '50.00'));
  await court.appealTimeOver(disputeSn);
  await minutesPass(t, 1);
  await refundEndedOrders(t.ctx, [d.orderId]);
  await minutesPass(t, 1);
  const [available, frozen] = await money(d.buyer);
  expect([available, frozen, sentOf(d)]).toEqual([0, 0, ['50.50']]);
});

test('the buyer may choose the balance until money came back, and nobody else may', async () => {
  const d = await paidOrder();
  const stranger = await t.newUser();
  const choose = async (user: TestUser, toBalance: '0' | '1') =>
    (await user.client.call(chooseRefundTarget, { orderSn: d.orderSn, toBalance })).code;
  expect(await choose(stranger, '1')).toBe(codes.ORDER_NOT_FOUND[0]);
  expect(await choose(d.seller, '1')).toBe(codes.ORDER_NOT_FOUND[0]);
  expect([await choose(d.buyer, '1'), await choose(d.buyer, '0'), await choose(d.buyer, '1')]).toEqual([0, 0, 0]);
  await d.buyer.client.ok(cancelOrder, { orderId: d.orderId });
  await minutesPass(t, 1);
  expect([await money(d.buyer), sentOf(d)]).toEqual([[10_100, 0], []]);
  expect(await moneyNotices(d.buyer)).toContain('已退回您的余额');
  expect(await choose(d.buyer, '0')).toBe(codes.REFUND_CHOICE[0]);
  // The choice can still be followed by the buyer's own request.
  await d.buyer.client.ok(refundToSource, { orderSn: d.orderSn });
  await minutesPass(t, 1);
  expect([await money(d.buyer), sentOf(d)]).toEqual([[0, 0], ['101.00']]);
});

test('cancelling and choosing at once, events twice and requests beside them: the money goes one way, once', async () => {
  for (let round = 0; round < 4; round++) {
    const d = await paidOrder();
    const choices = Array.from({ length: 4 }, (_, n) =>
      d.buyer.client.call(chooseRefundTarget, { orderSn: d.orderSn, toBalance: n % 2 === 0 ? '1' : '0' }),
    );
    const [cancelled, ...chosen] = await Promise.all([
      d.buyer.client.call(cancelOrder, { orderId: d.orderId }),
      ...choices,
    ]);
    expect([cancelled.code, chosen.filter(({ code }) => code !== 0 && code !== codes.REFUND_CHOICE[0])]).toEqual([
      0,
      [],
    ]);
    await Promise.all([
      ...Array.from({ length: 6 }, () => refundEndedOrders(t.ctx, [d.orderId])),
      d.buyer.client.call(refundToSource, { orderSn: d.orderSn, amount: '60.00' }),
      d.buyer.client.call(refundToSource, { orderSn: d.orderSn, amount: '60.00' }),
    ]);
    await minutesPass(t, 1);
    const sentFen = Math.round(sentOf(d).reduce((sum, yuan) => sum + Number(yuan) * 100, 0));
    const [available, frozen] = await money(d.buyer);
    expect([available + sentFen, frozen]).toEqual([10_100, 0]);
  }
});

test('a channel that rejects it for ever: the money is on the balance, and is not sent again by itself', async () => {
  const d = await paidOrder();
  const trade = w.alipay.trades.get(d.interSn);
  if (trade) trade.status = 'TRADE_FINISHED';
  await d.buyer.client.ok(cancelOrder, { orderId: d.orderId });
  await minutesPass(t, 1);
  await refundEndedOrders(t.ctx, [d.orderId]);
  await minutesPass(t, 1);
  expect(await money(d.buyer)).toEqual([10_100, 0]);
  const info = await d.buyer.client.ok(refundInfo, { orderSn: d.orderSn });
  expect(info).toMatchObject({ refundable: '101.00', list: [{ status: 2, statusName: '退回失败，已退到余额' }] });
});

test('after the channel’s window, with a debt, or spent meanwhile: the money stays, and the page says why', async () => {
  const old = await paidOrder();
  await passTime(t.ctx.db, 'payment', { inter_sn: old.interSn }, { hours: 24 * 91 });
  const indebted = await paidOrder();
  await recordDebt(t.ctx.db, {
    debtor: { userId: indebted.buyer.id },
    creditor: account.platform('guarantee_fund', indebted.orderId),
    fen: 30_000,
    code: 'claim',
    reason: '包赔赔付',
    ref: `test:${indebted.orderId}`,
    distId: 1,
  });
  for (const [d, stays, left] of [
    [old, 'window', 10_100],
    [indebted, 'debt', 0],
  ] as const) {
    expect(await d.buyer.client.ok(refundInfo, { orderSn: d.orderSn })).toMatchObject({ stays, canChoose: false });
    await d.buyer.client.ok(cancelOrder, { orderId: d.orderId });
    await minutesPass(t, 1);
    expect([await money(d.buyer), sentOf(d)]).toEqual([[left, 0], []]);
  }

  const spent = await paidOrder();
  await spent.buyer.client.ok(cancelOrder, { orderId: spent.orderId });
  const goods = await addGoods(t.ctx, { sellerId: spent.seller.id, typeId: 27, priceFen: 5_000 });
  const { orderId } = await spent.buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await spent.buyer.client.ok(balancePay, { orderId });
  await minutesPass(t, 1);
  expect([await money(spent.buyer), sentOf(spent)]).toEqual([[0, 0], ['50.50']]);
});

test('a refund never leaves to another payment than the order’s own', async () => {
  const [first, second] = [await paidOrder(), await paidOrder()];
  await second.buyer.client.ok(cancelOrder, { orderId: second.orderId });
  await minutesPass(t, 1);
  expect([sentOf(first), sentOf(second)]).toEqual([[], ['101.00']]);
  const asked = await second.buyer.client.call(refundToSource, { orderSn: first.orderSn });
  expect(asked.code).toBe(codes.ORDER_NOT_FOUND[0]);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from refund r join payment p on p.id = r.payment_id where r.user_id <> p.user_id or r.channel <> p.channel`.execute(
    t.ctx.db,
  );
  expect(rows).toEqual([{ n: 0 }]);
});
