/** The worked examples of docs/LEDGER.md, derived anew: the flows are run, and what the ledger then holds must stand in the document. */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as staffCalls from '#contract/backstage-promos.ts';
import { staffDisputeRule } from '#contract/backstage-disputes.ts';
import { distributeUserCoupon } from '#contract/coupon.ts';
import { depositPay, depositRelease } from '#contract/deposit.ts';
import { acceptRuling, answerDispute, openDispute } from '#contract/dispute.ts';
import { cancelOrder, confirmRecGoods, offlineTranSub, placeOrder } from '#contract/order.ts';
import { balancePay } from '#contract/pay.ts';
import { account, brokenInvariants, post, postings } from '#server/slices/ledger/service.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/build.ts';
import { addCampaign } from '#tests/support/campaigns.ts';
import { complaint, ruling } from '#tests/support/disputes.ts';
import { addGame, addGoods } from '#tests/support/goods.ts';

const document = readFileSync('docs/LEDGER.md', 'utf8');
const HOST = 'moon.example';

let t: TestApp;
let distId: number;
const named = new Map<string, string>();

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  const { rows } = await sql<{ id: number }>`
    insert into distributor (code, name, conf, theme, commission_bp) select 'moon', '月光', conf, theme, 2000 from distributor where id = 1 returning id`.execute(
    t.ctx.db,
  );
  distId = rows[0]?.id ?? 0;
  await sql`insert into dist_host (host, dist_id) values (${HOST}, ${distId})`.execute(t.ctx.db);
  await t.ctx.dir.reload();
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

async function person(name: string, given: Parameters<TestApp['newUser']>[0] = {}): Promise<TestUser> {
  const user = await t.newUser(given);
  named.set(`user:${user.id}`, `user:${name}`);
  return user;
}

/** An account as the document names it: people by their part, one order, no shards. */
const accountName = (key: string): string =>
  key
    .replace(/^user:\d+/, (owner) => named.get(owner) ?? owner)
    .replace(/^order:\d+:/, 'order:')
    .replace(/^dist:\d+:/, 'dist:')
    .replace(/^(platform|clearing):(\w+):\d+$/, '$1:$2');

/** The transfers since `after` as 'code | from → to | fen', and the newest id. */
async function linesAfter(after: number): Promise<{ lines: string[]; last: number }> {
  const { rows } = await sql<{ id: number; code: string; debit: string; credit: string; fen: number }>`
    select id, code, debit, credit, amount_fen as fen from ledger_transfer where id > ${after} order by id`.execute(
    t.ctx.db,
  );
  return {
    lines: rows.map((r) => `${r.code} | ${accountName(r.debit)} → ${accountName(r.credit)} | ${r.fen}`),
    last: rows.at(-1)?.id ?? after,
  };
}

/** The rows of the table under a heading, in the same form. */
function example(heading: string): string[] {
  const section = document.split(`### ${heading}\n`)[1]?.split(/\n##/)[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, , code, way, fen]) => `${code} | ${way} | ${/^\d+/.exec(fen ?? '')?.[0] ?? ''}`);
}

test('a sale on a distributor’s site with a coupon and an inviter', async () => {
  await addCampaign(t.ctx, { code: 'LEDGER', amountFen: 1_000 });
  const [inviter, seller] = [await person('inviter'), await person('seller')];
  const buyer = await person('buyer', { balanceFen: 50_000, host: HOST });
  await sql`update app_user set inviter_id = ${inviter.id} where id = ${buyer.id}`.execute(t.ctx.db);
  const { last } = await linesAfter(0);
  const { coupon } = await buyer.client.ok(distributeUserCoupon, { code: 'LEDGER' });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 20_000 });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn, couponId: coupon?.couponId });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  await seller.client.ok(offlineTranSub, { orderId: order.orderId });
  await buyer.client.ok(confirmRecGoods, { orderId: order.orderId });
  await sql`update hold set release_at = now() where ref = ${String(order.orderId)}`.execute(t.ctx.db);
  await sql`update timer set due_at = now() where kind = 'hold.release' and ref = ${String(order.orderId)}`.execute(
    t.ctx.db,
  );
  await t.timers();
  expect((await linesAfter(last)).lines.toSorted()).toEqual(
    example('A coupon, a distributor and an inviter').toSorted(),
  );
});

test('a coupon comes back with its order', async () => {
  await addCampaign(t.ctx, { code: 'LEDGER2', amountFen: 1_000 });
  const [buyer, seller] = [await person('buyer', { balanceFen: 50_000 }), await person('seller')];
  const { last } = await linesAfter(0);
  const { coupon } = await buyer.client.ok(distributeUserCoupon, { code: 'LEDGER2' });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 20_000 });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn, couponId: coupon?.couponId });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  await buyer.client.ok(cancelOrder, { orderId: order.orderId });
  expect((await linesAfter(last)).lines.toSorted()).toEqual(example('A coupon that comes back').toSorted());
});

test('a deposit, what a cancel takes from it, and what comes back', async () => {
  const [seller, buyer] = [
    await person('seller', { balanceFen: 50_000 }),
    await person('buyer', { balanceFen: 200_000 }),
  ];
  const { last } = await linesAfter(0);
  await seller.client.ok(depositPay, { role: 'seller', level: 1 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 100_000 });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  await seller.client.ok(cancelOrder, { orderId: order.orderId });
  await t.relay();
  await seller.client.ok(depositRelease, { role: 'seller', act: 'ask' });
  await sql`update deposit_release set release_at = now() where user_id = ${seller.id}`.execute(t.ctx.db);
  await sql`update timer set due_at = now() where kind = 'deposit.release'`.execute(t.ctx.db);
  await t.timers();
  expect((await linesAfter(last)).lines.toSorted()).toEqual(example('A deposit').toSorted());
});

test('a lost dispute: the ruling divides the escrow, and the loser’s deposit pays', async () => {
  const [seller, buyer] = [
    await person('seller', { balanceFen: 50_000 }),
    await person('buyer', { balanceFen: 200_000 }),
  ];
  const service = (await t.newStaff({ role: 'service' })).client;
  const { last } = await linesAfter(0);
  await seller.client.ok(depositPay, { role: 'seller', level: 1 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen: 100_000 });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  await seller.client.ok(offlineTranSub, { orderId: order.orderId });
  const { disputeSn } = await buyer.client.ok(openDispute, complaint(order.orderSn));
  await seller.client.ok(answerDispute, { disputeSn, answers: { sent: '100 个' }, text: '一百个都发了，请核对' });
  await service.ok(staffDisputeRule, { ...ruling(disputeSn, '400'), penalty: true });
  for (const side of [buyer, seller]) await side.client.ok(acceptRuling, { disputeSn });
  expect((await linesAfter(last)).lines.toSorted()).toEqual(example('A lost dispute').toSorted());
});

test('a distributor’s commission is settled by its operator and finance, once, and by nobody else', async () => {
  const share = {
    code: 'adjust' as const,
    debit: account.clearing('bank', 1),
    credit: account.commission(distId),
    dist: distId,
  };
  await post(t.ctx.db, [{ ...share, ref: 'ledger-example', fen: 30_000 }]);
  const operator = (await t.newStaff({ role: 'operator', distId })).client;
  const finance = (await t.newStaff({ role: 'finance' })).client;
  const { last } = await linesAfter(0);
  const days = await operator.ok(staffCalls.commissionDays, {});
  expect(days).toMatchObject({ distId, dists: [{ distId }] });
  expect((await operator.call(staffCalls.commissionDays, { distId: 1 })).status).toBe(404);
  expect((await finance.call(staffCalls.askSettlement, { distId, amount: '200.00' })).status).toBe(403);
  expect((await operator.call(staffCalls.askSettlement, { distId, amount: '99999.00' })).code).toBe(3101);
  const { settlementSn } = await operator.ok(staffCalls.askSettlement, { distId, amount: '200.00' });
  expect((await operator.call(staffCalls.askSettlement, { distId, amount: '100.00' })).code).toBe(3408);
  expect((await operator.call(staffCalls.paySettlement, { settlementSn, receiptNo: 'BANK-1' })).status).toBe(403);
  const presses = await Promise.all(
    Array.from({ length: 5 }, () => finance.call(staffCalls.paySettlement, { settlementSn, receiptNo: 'BANK-1' })),
  );
  expect(presses.filter((p) => p.code === 0)).toHaveLength(1);
  expect((await linesAfter(last)).lines).toEqual(example('A settlement'));
  const stranger = (await t.newStaff({ role: 'operator', distId: 1 })).client;
  expect((await stranger.ok(staffCalls.settlementList, {})).list).toEqual([]);
});

test('campaigns: a second person above the limit, odds within a hundred percent, stopped once', async () => {
  const content = (await t.newStaff({ role: 'content' })).client;
  const finance = (await t.newStaff({ role: 'finance' })).client;
  const base = {
    name: '测试活动',
    kind: 'goods' as const,
    amount: '10.00',
    minimum: '50.00',
    validDays: 7,
    runDays: 7,
  };
  const small = await content.ok(staffCalls.createCampaign, { ...base, code: 'SMALL1', total: 10 });
  expect(small.status).toBe(1);
  expect((await content.call(staffCalls.createCampaign, { ...base, code: 'SMALL1', total: 10 })).code).toBe(3407);
  const large = await content.ok(staffCalls.createCampaign, { ...base, code: 'LARGE1', total: 100_000 });
  expect(large.status).toBe(0);
  const user = await t.newUser();
  expect((await user.client.call(distributeUserCoupon, { code: 'LARGE1' })).code).toBe(3401);
  expect((await content.call(staffCalls.openCampaign, { campaignId: large.campaignId })).status).toBe(403);
  await finance.ok(staffCalls.openCampaign, { campaignId: large.campaignId });
  expect((await user.client.call(distributeUserCoupon, { code: 'LARGE1' })).code).toBe(0);
  const stops = await Promise.all(
    Array.from({ length: 4 }, () =>
      content.call(staffCalls.stopCampaign, { campaignId: large.campaignId, reason: '预算' }),
    ),
  );
  expect(stops.filter((s) => s.code === 0)).toHaveLength(1);
  await content.ok(staffCalls.createCampaign, { ...base, code: 'ODDS1', total: 10, oddsBp: 9_000 });
  expect(
    (await content.call(staffCalls.createCampaign, { ...base, code: 'ODDS2', total: 10, oddsBp: 2_000 })).status,
  ).toBe(422);
  const { list } = await finance.ok(staffCalls.staffCampaignList, {});
  expect(list.find((k) => k.code === 'LARGE1')).toMatchObject({
    statusName: '已停止',
    budget: '1000000.00',
    left: 99_999,
  });
});

test('every posting stands in the document’s table', () => {
  const missing = Object.keys(postings).filter((code) => code !== 'adjust' && !document.includes(`\`${code}\``));
  expect(missing).toEqual([]);
});
