/** The worked examples of docs/LEDGER.md, derived again: the flows are run, and the document must have the ledger's transfers. */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  recycleAccept,
  recycleApply,
  recycleBid,
  recycleTaken,
} from '#subjects/recycling/contract/account-recycling.ts';
import * as staffCalls from '#subjects/promotions/contract/staff-campaigns.ts';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { distributeUserCoupon } from '#subjects/promotions/contract/coupon.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { depositRelease } from '#subjects/deposits/contract/deposit.ts';
import { acceptRuling, answerDispute, openDispute } from '#subjects/disputes/contract/dispute.ts';
import { cancelOrder, confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, recPay, sandboxPress } from '#subjects/payments/contract/pay.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { ensureHandover } from '#subjects/orders/server/handover/handover.ts';
import { onDue } from '#subjects/recycling/server/accounts/clock.ts';
import { settle } from '#subjects/recycling/server/accounts/decide.ts';
import { bidFloor } from '#subjects/recycling/server/accounts/platform.ts';
import { lockedRequest, platformId } from '#subjects/recycling/server/accounts/rows.ts';
import { account, brokenInvariants, post, postings } from '#subjects/ledger/server/service.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { complaint, ruling } from '#tests/support/orders/disputes.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { Book, example, ledgerDocument } from '#tests/support/market/ledger-book.ts';

const HOST = 'moon.example';

let t: TestApp;
let distId: number;
let book: Book;

beforeAll(async () => {
  t = await testApp();
  book = new Book(t);
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

async function person(name: string, overrides: Parameters<TestApp['newUser']>[0] = {}): Promise<TestUser> {
  const user = await t.newUser(overrides);
  book.name(name, user);
  return user;
}

const agrees = async (heading: string): Promise<void> => expect(await book.lines(), heading).toEqual(example(heading));

test('books a sale on a distributor’s site with a coupon and an inviter', async () => {
  await addCampaign(t.ctx, { code: 'LEDGER', amountFen: 1_000 });
  const [inviter, seller] = [await person('inviter'), await person('seller')];
  const buyer = await person('buyer', { balanceFen: 50_000, host: HOST });
  await sql`update app_user set inviter_id = ${inviter.id} where id = ${buyer.id}`.execute(t.ctx.db);
  await book.open();
  const { coupon } = await buyer.client.ok(distributeUserCoupon, { code: 'LEDGER' });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 20_000 });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn, couponId: coupon?.couponId });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  await seller.client.ok(offlineTranSub, { orderId: order.orderId });
  await buyer.client.ok(confirmRecGoods, { orderId: order.orderId });
  await passTime(t.ctx.db, 'hold', { ref: String(order.orderId) }, { until: 'release_at' });
  await makeDue(t.ctx.db, 'hold.release', order.orderId);
  await t.timers();
  await agrees('A coupon, a distributor and an inviter');
});

test('a coupon is returned with its order', async () => {
  await addCampaign(t.ctx, { code: 'LEDGER2', amountFen: 1_000 });
  const [buyer, seller] = [await person('buyer', { balanceFen: 50_000 }), await person('seller')];
  await book.open();
  const { coupon } = await buyer.client.ok(distributeUserCoupon, { code: 'LEDGER2' });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 20_000 });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn, couponId: coupon?.couponId });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  await buyer.client.ok(cancelOrder, { orderId: order.orderId });
  await agrees('A coupon that is returned');
});

test('an order that is not shipped and on which nobody acts', async () => {
  await addCampaign(t.ctx, { code: 'LEDGER3', amountFen: 1_000 });
  const [buyer, seller] = [await person('buyer', { balanceFen: 50_000 }), await person('seller')];
  await book.open();
  const { coupon } = await buyer.client.ok(distributeUserCoupon, { code: 'LEDGER3' });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 20_000 });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn, couponId: coupon?.couponId });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  await t.relay();
  // The time to ship is over; a day before the end; the end.
  for (const until of ['ship_by', 'late_end_at', 'late_end_at'] as const) {
    await passTime(t.ctx.db, 'orders', { id: order.orderId }, { until });
    await makeDue(t.ctx.db, 'order.late', order.orderId);
    await t.timers();
  }
  await agrees('An order that is never shipped');
});

test('books a deposit, what a cancellation deducts from it, and its return', async () => {
  const [seller, buyer] = [
    await person('seller', { balanceFen: 50_000 }),
    await person('buyer', { balanceFen: 200_000 }),
  ];
  await book.open();
  await seller.client.ok(depositPay, { role: 'seller', level: 1 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 100_000 });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  await seller.client.ok(cancelOrder, { orderId: order.orderId });
  await t.relay();
  await seller.client.ok(depositRelease, { role: 'seller', act: 'ask' });
  await passTime(t.ctx.db, 'deposit_release', { user_id: seller.id }, { until: 'release_at' });
  await makeDue(t.ctx.db, 'deposit.release');
  await t.timers();
  await agrees('A deposit');
});

test('books a lost dispute: the ruling divides the escrow, and the losing seller’s deposit pays', async () => {
  const [seller, buyer] = [
    await person('seller', { balanceFen: 50_000 }),
    await person('buyer', { balanceFen: 200_000 }),
  ];
  const service = (await t.newStaff({ role: 'service' })).client;
  await book.open();
  await seller.client.ok(depositPay, { role: 'seller', level: 1 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen: 100_000 });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  await seller.client.ok(offlineTranSub, { orderId: order.orderId });
  const { disputeSn } = await buyer.client.ok(openDispute, complaint(order.orderSn));
  await seller.client.ok(answerDispute, { disputeSn, answers: { sent: '100 个' }, text: '一百个都发了，请核对' });
  await service.ok(staffDisputeRule, { ...ruling(disputeSn, '400'), penalty: true });
  for (const party of [buyer, seller]) await party.client.ok(acceptRuling, { disputeSn });
  await agrees('A lost dispute');
});

test('a distributor’s commission is settled by its operator and finance only, once', async () => {
  const share = {
    code: 'dist_share' as const,
    debit: account.clearing('bank', 1),
    credit: account.commission(distId),
    dist: distId,
  };
  await post(t.ctx.db, [{ ...share, ref: 'ledger-example', fen: 30_000 }]);
  const operator = (await t.newStaff({ role: 'operator', distId })).client;
  const finance = (await t.newStaff({ role: 'finance' })).client;
  await book.open();
  const days = await operator.ok(staffCalls.commissionDays, {});
  expect(days).toMatchObject({ distId, dists: [{ distId }] });
  expect((await operator.call(staffCalls.commissionDays, { distId: 1 })).status).toBe(404);
  expect((await finance.call(staffCalls.requestSettlement, { distId, amount: '200.00' })).status).toBe(403);
  expect((await operator.call(staffCalls.requestSettlement, { distId, amount: '99999.00' })).code).toBe(3101);
  const { settlementSn } = await operator.ok(staffCalls.requestSettlement, { distId, amount: '200.00' });
  expect((await operator.call(staffCalls.requestSettlement, { distId, amount: '100.00' })).code).toBe(3408);
  expect((await operator.call(staffCalls.paySettlement, { settlementSn, receiptNo: 'BANK-1' })).status).toBe(403);
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => finance.call(staffCalls.paySettlement, { settlementSn, receiptNo: 'BANK-1' })),
  );
  expect(responses.filter((p) => p.code === 0)).toHaveLength(1);
  await agrees('A settlement');
  const stranger = (await t.newStaff({ role: 'operator', distId: 1 })).client;
  expect((await stranger.ok(staffCalls.settlementList, {})).list).toEqual([]);
});

test('a campaign above the limit needs a second person, odds stay within 100 %, and it stops once', async () => {
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

test('refunds a changed order at a channel without refunds', async () => {
  const [buyer, seller] = [await person('buyer'), await person('seller')];
  const goods = await addGoods(t.ctx, { sellerId: seller.id });
  const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  const { payRand } = await buyer.client.ok(recPay, { orderId });
  await buyer.client.ok(cancelOrder, { orderId });
  await book.open();
  await t.client().ok(sandboxPress, { payRand, act: 'pay' });
  await agrees('Money that arrived too late at the sandbox');
});

test('books an account sold to a recycler, with a lower reading', async () => {
  const [seller, recycler] = [await person('seller'), await person('recycler', { balanceFen: 100_000 })];
  await sql`insert into recycler (user_id, dist_id, name, day_limit_fen, status) values (${recycler.id}, 1, '安心回收', 10000000, 1)`.execute(
    t.ctx.db,
  );
  book.name('platform', { id: (await platformId(t.ctx.db)) ?? 0 });
  await book.open();
  const { requestSn } = await seller.client.ok(recycleApply, { gameId: 1, details: {} as never, accountNo: 'ledger' });
  const locked = async (trx: Trx) => {
    const request = await lockedRequest(trx, sql`r.sn = ${requestSn}`);
    if (!request) throw new Error('no request');
    return request;
  };
  await inTransaction(t.ctx.db, async (trx) => await bidFloor(trx, await locked(trx), 50_000));
  await recycler.client.ok(recycleBid, { requestSn, price: '600' });
  await sql`update recycle_request set due_at = now() - interval '1 second' where sn = ${requestSn}`.execute(t.ctx.db);
  await onDue(t.ctx, (await locked(t.ctx.db)).id);
  const { orderId } = await seller.client.ok(recycleAccept, { requestSn, price: '600.00' });
  await inTransaction(t.ctx.db, async (trx) => {
    await ensureHandover(t.ctx, trx, orderId);
    await sql`update order_handover set done_at = now(), done_by = 'test' where order_id = ${orderId}`.execute(trx);
  });
  await inTransaction(
    t.ctx.db,
    async (trx) => await settle(t.ctx, trx, await locked(trx), { cutFen: 5_000, staffId: null }),
  );
  await recycler.client.ok(recycleTaken, { requestSn });
  await agrees('An account sold to a recycler');
});

/** Tables of the document that list what is, and derive nothing. */
const NO_EXAMPLES = ['Who ends it when nobody acts', 'Accounts', 'Postings', 'Rules that always hold'];

describe('the document', () => {
  const tables = ledgerDocument
    .split(/\n(?=#{2,3} )/)
    .filter((section) => /\n\| /.test(section))
    .map((section) => /^#+ (.+)/.exec(section)?.[1] ?? '')
    .filter((heading) => !NO_EXAMPLES.includes(heading));
  const tests = ['ledger/examples', 'ledger/channels', 'ledger/services', 'inspections/wrong-readings']
    .map((name) => readFileSync(`tests/http/${name}.test.ts`, 'utf8'))
    .join();

  test('computes each of its examples anew', () => {
    expect(tables.length).toBeGreaterThan(15);
    expect(tables.filter((heading) => !tests.includes(`agrees('${heading}')`))).toEqual([]);
    for (const heading of tables) expect(example(heading), heading).not.toEqual([]);
  });

  test('lists every posting with its accounts, and has an example of each', () => {
    const listed = new Set(
      [...(ledgerDocument.split('## Postings')[1]?.split('\n## ')[0] ?? '').matchAll(/^\| (`.*?`) *\|/gm)].flatMap(
        ([, codes = '']) => [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code),
      ),
    );
    const view = new Set(tables.flatMap(example).map((line) => line.split(' ')[0]));
    const codes = Object.keys(postings);
    expect(codes.filter((code) => !listed.has(code))).toEqual([]);
    expect(codes.filter((code) => !view.has(code))).toEqual([]);
    expect([...listed, ...view].filter((code) => code === undefined || !(code in postings))).toEqual([]);
  });
});
