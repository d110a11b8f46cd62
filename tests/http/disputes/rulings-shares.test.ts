/** A ruling after completion takes back what a distributor and an inviter had of the fees, through HTTP. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeAccountCheck } from '#subjects/accounts/contract/email-and-closing.ts';
import {
  staffDisputeDetail,
  staffDisputeRule,
  staffDisputeSecond,
} from '#subjects/disputes/contract/staff-disputes.ts';
import { requestSettlement, commissionDays } from '#subjects/promotions/contract/staff-campaigns.ts';
import { openDispute } from '#subjects/disputes/contract/dispute.ts';
import { inviteStats } from '#subjects/orders/contract/invite.ts';
import { confirmRecGoods, offlineTranSub, orderDetail, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import {
  loadBalances,
  brokenInvariants,
  loadDebts,
  matureShares,
  loadMaturing,
  post,
  releaseHold,
} from '#subjects/ledger/server/service.ts';
import { inTransaction } from '#server/db/client.ts';
import { passTime } from '#tests/support/time/clock.ts';
import type { TestUser } from '#tests/support/servers/build.ts';
import { complaint, type Court, type Trade, openCourt, ruling } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';

/** The shares of a trade of 100.00: 20 % and 5 % of 5.00 commission and 1.00 service fee. */
const DIST_FEN = 120;
const INVITE_FEN = 30;
const HOST = 'moon.localhost';
let distId: number;
let court: Court;
let t: Court['t'];

beforeAll(async () => {
  court = await openCourt();
  ({ t } = court);
  const { rows } = await sql<{ id: number }>`
    update distributor d set conf = own.conf, theme = own.theme from distributor own where own.id = 1 and d.code = 'moon'
    returning d.id`.execute(t.ctx.db);
  distId = rows[0]?.id ?? 0;
  await sql`insert into dist_host (host, dist_id) values (${HOST}, ${distId})`.execute(t.ctx.db);
  await t.ctx.dir.reload();
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

async function shared(): Promise<{ d: Trade; inviter: TestUser }> {
  const inviter = await t.newUser();
  const seller = await t.newUser();
  const buyer = await t.newUser({ balanceFen: 50_000, host: HOST });
  await sql`update app_user set inviter_id = ${inviter.id} where id = ${buyer.id}`.execute(t.ctx.db);
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen: 10_000 });
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  await seller.client.ok(offlineTranSub, { orderId });
  await buyer.client.ok(confirmRecGoods, { orderId });
  return { d: { buyer, seller, orderId, orderSn }, inviter };
}

async function ruledBack(d: Trade, yuan: string): Promise<Record<string, number>> {
  const disputeSn = await court.answered(d);
  await court.service.client.ok(staffDisputeRule, ruling(disputeSn, yuan));
  await court.appealTimeOver(disputeSn);
  return await postedBack(d);
}

async function postedBack(d: Trade): Promise<Record<string, number>> {
  const { rows } = await sql<{ code: string; fen: number }>`
    select code, amount_fen as fen from ledger_transfer where order_id = ${d.orderId} and (code like 'ruling%' or code like '%\_back') order by code`.execute(
    t.ctx.db,
  );
  return Object.fromEntries(rows.map(({ code, fen }) => [code, fen]));
}

test('the whole price: the buyer gets every fen, and all who had shares return them', async () => {
  const { d, inviter } = await shared();
  expect((await inviter.client.ok(inviteStats, {})).rewardTotal).toBe('0.30');
  expect(await ruledBack(d, '100.00')).toEqual({
    ruling_take_back: 9_500,
    ruling_fee_back: 450,
    dist_share_back: DIST_FEN,
    invite_reward_back: INVITE_FEN,
  });
  expect(await court.money(d)).toEqual({ buyer: 50_000, seller: 0, frozen: 0 });
  expect((await inviter.client.ok(inviteStats, {})).rewardTotal).toBe('0.00');
  expect((await d.buyer.client.ok(orderDetail, { orderSn: d.orderSn })).money.refunded).toBe('101.00');
});

test('a part: each returns their part', async () => {
  const { d } = await shared();
  expect(await ruledBack(d, '40.00')).toEqual({
    ruling_take_back: 3_800,
    ruling_fee_back: 180,
    dist_share_back: 48,
    invite_reward_back: 12,
  });
  expect((await court.money(d)).buyer).toBe(50_000 - 10_100 + 4_040);
});

test('for shares withdrawn meanwhile the fund advances after two persons approve, and their owners owe the fund', async () => {
  const { d, inviter } = await shared();
  // As if their protection had ended before the case was opened: settled and spent.
  await inTransaction(t.ctx.db, async (trx) => {
    await matureShares(trx, { id: d.orderId, distId, inviterId: inviter.id });
    const same = { dist: distId, ref: `test:${d.orderId}` };
    const [frozen, of] = [`user:${inviter.id}:frozen`, `user:${inviter.id}:available`];
    const { rows } = await sql<{ fen: number }>`
      select balance as fen from ledger_account where key = ${`dist:${distId}:commission`}`.execute(trx);
    await post(trx, [
      {
        ...same,
        code: 'dist_settle',
        debit: `dist:${distId}:commission`,
        credit: 'clearing:bank:0',
        fen: (rows[0]?.fen ?? 0) - 20,
      },
      { ...same, code: 'freeze', debit: of, credit: frozen, fen: 20 },
    ]);
    await sql`insert into hold (user_id, code, ref, amount_fen, reason) values (${inviter.id}, 'freeze', ${`test:${d.orderId}`}, 20, '测试')`.execute(
      trx,
    );
  });
  const disputeSn = await court.answered(d);
  // 101.00 is far below the limit of one person: the fund's part alone asks for the second.
  expect(await court.service.client.ok(staffDisputeRule, ruling(disputeSn, '100.00'))).toEqual({ waits: true });
  const { draft } = await court.other.client.ok(staffDisputeDetail, { disputeSn });
  await court.other.client.ok(staffDisputeSecond, { disputeSn, draftId: draft?.draftId ?? 0, allow: true });
  await court.appealTimeOver(disputeSn);
  expect(await postedBack(d)).toEqual({ ruling_take_back: 9_500, ruling_fee_back: 450, ruling_from_fund: 150 });
  expect((await court.money(d)).buyer).toBe(50_000);
  const owed = async (who: Parameters<typeof loadDebts>[1]) =>
    (await loadDebts(t.ctx.db, who)).map((x) => [
      x.code,
      x.amountFen,
      x.paidFen,
      x.creditor.startsWith('platform:guarantee_fund'),
    ]);
  // Their remaining balance is taken immediately.
  expect(await owed({ distId })).toEqual([['dist_share', DIST_FEN, 20, true]]);
  expect(await owed({ userId: inviter.id })).toEqual([['invite_reward', INVITE_FEN, 10, true]]);
});

test('P8: shares are payable only after the protection has ended', async () => {
  const { d, inviter } = await shared();
  const operator = await t.newStaff({ role: 'operator', distId });
  const before = await operator.client.ok(commissionDays, {});
  expect((await operator.client.call(requestSettlement, { distId, amount: '1.20' })).status).toBe(422);
  expect(before.maturingOrders.map(({ share }) => share)).toContain('1.20');
  const stats = await inviter.client.ok(inviteStats, {});
  expect(stats).toMatchObject({ rewardTotal: '0.30', rewardMaturing: '0.30', maturing: [{ reward: '0.30' }] });
  expect((await loadBalances(t.ctx.db, inviter.id)).availableFen).toBe(0);
  // Nor is it left behind in an account that closes.
  const closing = await inviter.client.ok(closeAccountCheck, {});
  expect(closing.conditions.filter(({ met }) => !met).map(({ text }) => text)).toEqual(['没有待结算的奖励']);
  await passTime(t.ctx.db, 'hold', { ref: String(d.orderId) }, { until: 'release_at' });
  await court.due('hold.release', d.orderId);
  await t.timers();
  expect((await loadBalances(t.ctx.db, inviter.id)).availableFen).toBe(INVITE_FEN);
  expect(await inviter.client.ok(inviteStats, {})).toMatchObject({
    rewardTotal: '0.30',
    rewardMaturing: '0.00',
    maturing: [],
  });
  expect(await operator.client.ok(commissionDays, {})).toMatchObject({ maturing: '0.00', maturingOrders: [] });
});

test('P8: a concurrent maturing and dispute have one consistent result', async () => {
  const trades = await Promise.all(Array.from({ length: 5 }, shared));
  for (const { d } of trades) {
    await passTime(t.ctx.db, 'hold', { ref: String(d.orderId) }, { until: 'release_at' });
    const [opened] = await Promise.all([
      d.buyer.client.call(openDispute, complaint(d.orderSn)),
      releaseHold(t.ctx.db, { orderId: d.orderId }),
      releaseHold(t.ctx.db, { orderId: d.orderId }),
    ]);
    const { distFen } = await loadMaturing(t.ctx.db, d.orderId);
    expect(distFen).toBe(opened.code === 0 ? DIST_FEN : 0);
  }
});
