/** Disputes of a small market: trades that have come so far, both sides' words, clocks that can be turned. */
import { sql } from 'kysely';
import type * as b from '#subjects/disputes/contract/staff-disputes.ts';
import * as c from '#subjects/disputes/contract/dispute.ts';
import type { Input } from '#contract/endpoint.ts';
import { confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import { makeDue, passTime } from '../time/clock.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '../servers/build.ts';
import { addGame, addGoods } from '../goods/goods.ts';

export interface Trade {
  buyer: TestUser;
  seller: TestUser;
  orderId: number;
  orderSn: string;
}

export const complaint = (
  orderSn: string,
  more: Partial<Input<typeof c.openDispute>> = {},
): Input<typeof c.openDispute> => ({
  orderSn,
  reason: 'short_delivered',
  want: 'part_refund',
  wantAmount: '40',
  answers: { received: '60 个' },
  text: '只收到六十个，少了四十个',
  ...more,
});
const reply = (disputeSn: string): Input<typeof c.answerDispute> => ({
  disputeSn,
  answers: { sent: '100 个' },
  text: '一百个都发了，请核对',
});
export const ruling = (disputeSn: string, refund: string): Input<typeof b.staffDisputeRule> => ({
  disputeSn,
  refund,
  rules: ['2.2', '4.1'],
  reason: '到账截图显示只收到六十个，卖家没有提供发货记录',
});

/** Opens a dispute over an account, whose reasons are others than those of props, and answers it. */
export async function accountDisputed({
  orderSn,
  buyer,
  seller,
}: Pick<Trade, 'orderSn' | 'buyer' | 'seller'>): Promise<string> {
  const { disputeSn } = await buyer.client.ok(c.openDispute, {
    orderSn,
    reason: 'not_as_described',
    want: 'refund',
    answers: { field: '段位', found: '低两段' },
    text: '实际段位比描述低了两段',
  });
  await seller.client.ok(c.answerDispute, { disputeSn, answers: { answer: '描述没有错' }, text: '上架时就是这个段位' });
  return disputeSn;
}

/** Opens the market over a separate database; close `t` in afterAll. */
export async function openCourt(options: Pick<NonNullable<Parameters<typeof testApp>[0]>, 'overrides'> = {}) {
  const t: TestApp = await testApp({ ...options, env: { DATABASE_POOL: '20' } });
  await addGame(t.ctx);
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}')`.execute(t.ctx.db);
  const service: TestStaff = await t.newStaff({ role: 'service' });
  const other: TestStaff = await t.newStaff({ role: 'admin' });

  /** A trade of 100.00 (service fee 1.00) that has come so far. The buyer began with five times the price, a seller of a level with a deposit. */
  async function trade(
    reached: 'paid' | 'shipped' | 'completed',
    priceFen = 10_000,
    sellerLevel = 0,
    depositFen = sellerLevel > 0 ? 100_000 : undefined,
  ): Promise<Trade> {
    const buyer = await t.newUser({ balanceFen: priceFen * 5 });
    const seller = await t.newUser({ sellerLevel, stepUp: true, ...(depositFen !== undefined && { depositFen }) });
    const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen });
    const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    await buyer.client.ok(balancePay, { orderId });
    if (reached !== 'paid') await seller.client.ok(offlineTranSub, { orderId });
    if (reached === 'completed') await buyer.client.ok(confirmRecGoods, { orderId });
    return { buyer, seller, orderId, orderSn };
  }

  async function opened(d: Trade, by: TestUser = d.buyer): Promise<string> {
    return (await by.client.ok(c.openDispute, complaint(d.orderSn))).disputeSn;
  }
  async function answered(d: Trade): Promise<string> {
    const disputeSn = await opened(d);
    await d.seller.client.ok(c.answerDispute, reply(disputeSn));
    return disputeSn;
  }
  const money = async (d: Trade) => {
    const [buyer, seller] = [await loadBalances(t.ctx.db, d.buyer.id), await loadBalances(t.ctx.db, d.seller.id)];
    return { buyer: buyer.availableFen, seller: seller.availableFen, frozen: seller.frozenFen };
  };
  const due = async (kind: string, orderOrDispute: number | string) => await makeDue(t.ctx.db, kind, orderOrDispute);
  const idOf = async (disputeSn: string): Promise<number> =>
    (await sql<{ id: number }>`select id from dispute where sn = ${disputeSn}`.execute(t.ctx.db)).rows[0]?.id ?? 0;
  async function appealTimeOver(disputeSn: string): Promise<void> {
    const id = await idOf(disputeSn);
    await passTime(t.ctx.db, 'dispute', { id }, { until: 'appeal_until' });
    await due('dispute.execute', id);
    await t.timers();
  }
  /** Moves the end of an order's sale hold `hours` nearer and runs what is due then. */
  async function hoursPass({ orderId }: { orderId: number }, hours: number): Promise<void> {
    await passTime(t.ctx.db, 'hold', { code: 'sale_protection', ref: String(orderId) }, { hours });
    await due('hold.release', orderId);
    await t.timers();
  }
  const timersOf = async (orderId: number): Promise<string[]> =>
    (
      await sql<{
        kind: string;
      }>`select kind from timer where ref = ${String(orderId)} and (kind like 'order.%' or kind like 'hold.%') order by kind`.execute(
        t.ctx.db,
      )
    ).rows.map((r) => r.kind);

  return { t, service, other, trade, opened, answered, money, due, idOf, appealTimeOver, hoursPass, timersOf };
}

export type Court = Awaited<ReturnType<typeof openCourt>>;
