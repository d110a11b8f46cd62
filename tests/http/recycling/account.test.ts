import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as c from '#subjects/recycling/contract/account-recycling.ts';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { codes } from '#contract/codes.ts';
import { answerDispute } from '#subjects/disputes/contract/dispute.ts';
import { cancelOrder, offlineTranSub, orderDetail } from '#subjects/orders/contract/order.ts';
import { staffReveal } from '#subjects/orders/contract/staff-orders.ts';
import { onDue } from '#subjects/recycling/server/accounts/clock.ts';
import { type RecycleState, recycleEnds, recycleSteps } from '#subjects/recycling/server/accounts/states.ts';
import { yuanText } from '#contract/wire.ts';
import type { TestApp, TestStaff } from '#tests/support/servers/build.ts';
import { assign, staffPicture } from '#tests/support/orders/orders.ts';
import { openRecycling, type Recycling, SAID } from '#tests/support/services/recycling.ts';
import { addCollection } from '#tests/support/orders/sales.ts';
import { putSetting } from '#tests/support/market/settings.ts';
import { fenOf } from '#web/lib/format/format.ts';

let m: Recycling;
let t: TestApp;
let ask: Recycling['ask'];
let recycler: Recycling['recycler'];
let due: Recycling['due'];
let held: Recycling['held'];
let info: Recycling['info'];
let available: Recycling['available'];
let balances: Recycling['balances'];
let bid: Recycling['bid'];
let handOver: Recycling['handOver'];
let sold: Recycling['sold'];
let inspect: Recycling['inspect'];

beforeAll(async () => {
  m = await openRecycling();
  ({ t, ask, recycler, due, held, info, available, balances, bid, handOver, sold, inspect } = m);
});
afterAll(() => m.close());

/** Returns the users notified of a returned bid, one list for each time. */
async function told(requestId: number, what: string): Promise<number[][]> {
  const { rows } = await sql<{ ids: number[] }>`
    select payload->'userIds' as ids from outbox where topic = 'notice' and payload->>'ref' = ${`recycle:${requestId}:${what}`} order by id`.execute(
    t.ctx.db,
  );
  return rows.map(({ ids }) => ids.map(Number));
}

test('the floor is stored as a bid with its money, blind bids follow, the best one binds and the others are refunded', async () => {
  const request = await ask();
  const [a, b] = [await recycler(), await recycler()];
  const first = await info(request);
  expect(first).toMatchObject({ status: 'bidding', bindHours: 24 });
  expect(first.bids).toMatchObject([{ name: '平台保底', isBest: true, price: first.floorPrice }]);
  expect(first.floor?.lines.reduce((sum, l) => sum + fenOf(l.amount), fenOf(first.floor.typical))).toBe(
    fenOf(first.floor?.floor ?? '0'),
  );
  expect((await bid(a, request, '700')).code).toBe(0);
  expect((await bid(b, request, '720.50')).code).toBe(0);
  // 1 % service fee on top.
  expect(await available(b)).toBe(1_000_000 - 72_050 - 721);
  const board = await a.client.ok(c.recycleBoard, {});
  const mine = board.list.find((r) => r.requestSn === request.sn);
  expect(mine).toMatchObject({ myBid: '700.00', price: null });
  expect(JSON.stringify(board)).not.toContain('720.50');
  expect((await b.client.call(c.recycleInfo, { requestSn: request.sn })).status).toBe(404);
  const lower = await bid(a, request, '650');
  expect(lower).toMatchObject({ status: 422, field: 'price' });
  await due(request);
  const quoted = await info(request);
  expect(quoted).toMatchObject({ status: 'quoted', price: '720.50' });
  expect(await available(a)).toBe(1_000_000);
  expect(await told(request.id, 'back')).toEqual([[a.id]]);
  expect((await bid(a, request, '800')).code).not.toBe(0);
  const early = await request.seller.client.call(c.recycleAccept, { requestSn: request.sn, price: '700.00' });
  expect(early.code).not.toBe(0);
  await request.seller.client.ok(c.recycleWithdraw, { requestSn: request.sn });
  expect(await available(b)).toBe(1_000_000);
  expect(await told(request.id, 'back')).toEqual([[a.id], [b.id]]);
});

test('an account as stated is paid at the inspection, and the recycler can take over', async () => {
  const trade = await sold();
  expect((await trade.buyer.client.call(cancelOrder, { orderId: trade.orderId })).code).not.toBe(0);
  const done = await inspect(trade.sn, SAID);
  expect(done).toMatchObject({ code: 0, data: { status: 'paid', waits: false } });
  // Held until the recycler has taken the account over.
  expect(await balances(trade.seller)).toMatchObject({ availableFen: 0, frozenFen: 70_000 });
  expect(await info(trade)).toMatchObject({
    status: 'paid',
    statusName: '已付款，等接管',
    heldUntil: expect.any(String),
  });
  expect((await trade.seller.client.call(c.recycleTaken, { requestSn: trade.sn })).status).toBe(404);
  await trade.buyer.client.ok(c.recycleTaken, { requestSn: trade.sn });
  await trade.buyer.client.ok(c.recycleTaken, { requestSn: trade.sn });
  expect(await available(trade.seller)).toBe(70_000);
  expect(await info(trade)).toMatchObject({ statusName: '已到账', heldUntil: null });
  expect(await available(trade.buyer)).toBe(1_000_000 - 70_000 - 700);
});

test('a difference deducts the published amount after the seller agrees', async () => {
  const trade = await sold();
  const outcome = await inspect(trade.sn, { ...SAID, skins: 150 });
  expect(outcome.data).toMatchObject({ status: 'reconfirm', waits: false });
  const state = await info(trade);
  const cut = fenOf(state.cut);
  expect(cut).toBeGreaterThan(10_000);
  expect(state.readings.find((r) => r.key === 'skins')).toMatchObject({
    said: '300款',
    found: '150款',
    cut: state.cut,
  });
  expect(state.readings.find((r) => r.key === 'clean')).toMatchObject({ cut: '0.00' });
  // The money of a seller who agrees still waits for the take-over.
  const { rows: asked } = await sql<{ text: string }>`select payload->'values'->>'text' as text from outbox
    where topic = 'notice' and payload->>'ref' = ${`recycle:${trade.id}:验号有差异`}`.execute(t.ctx.db);
  expect(asked[0]?.text).toContain('接受就付款，接管账号后到账');
  expect(await available(trade.seller)).toBe(0);
  const waiting = await trade.buyer.client.ok(orderDetail, { orderSn: state.orderSn ?? '' });
  expect(waiting).toMatchObject({ cutAsked: true, deadline: state.dueTime });
  expect(waiting.deadlineText).toContain('等待卖家答复减价');
  await trade.seller.client.ok(c.recycleAnswer, { requestSn: trade.sn, agree: 1 });
  await t.relay();
  const { rows: notices } = await sql<{ kind: string }>`
    select distinct kind from notice where user_id in (${trade.seller.id}, ${trade.buyer.id}) and kind ~ '^(order|recycle)[.]' order by kind`.execute(
    t.ctx.db,
  );
  // The payment is announced with the deduction, and by no notice that speaks of shipping or a receipt.
  expect(notices.map(({ kind }) => kind)).toEqual(['recycle.recycler', 'recycle.seller']);
  expect(await balances(trade.seller)).toMatchObject({ availableFen: 0, frozenFen: 70_000 - cut });
  // The order's page counts with what is paid, and shows where the difference went.
  const { rows } = await sql<{ sn: string }>`select sn from orders where id = ${trade.orderId}`.execute(t.ctx.db);
  const orderSn = rows[0]?.sn ?? '';
  const net = yuanText(70_000 - cut);
  const { money, attrs, process } = await trade.seller.client.ok(orderDetail, { orderSn });
  expect(money).toMatchObject({ sellerGets: net });
  expect(money.points.at(-1)).toMatchObject({ title: '放款给卖家', amount: net });
  expect(new Set(attrs.map(({ label }) => label)).size).toBe(attrs.length);
  expect(JSON.stringify(process)).not.toContain('已发货');
  expect((await trade.buyer.client.ok(orderDetail, { orderSn })).money.parts).toMatchObject([
    { code: 'goods', amount: net },
    { code: 'cut', amount: yuanText(cut), state: '已退回' },
    { code: 'service' },
  ]);
  await held(trade.orderId);
  expect(await available(trade.seller)).toBe(70_000 - cut);
  expect(await available(trade.buyer)).toBe(1_000_000 - 70_000 - 700 + cut);
});

test('the seller may withdraw the account free of charge, also by not responding', async () => {
  for (const answers of [true, false]) {
    const trade = await sold();
    await inspect(trade.sn, { ...SAID, clean: false });
    if (answers) await trade.seller.client.ok(c.recycleAnswer, { requestSn: trade.sn, agree: 0 });
    else await due(trade);
    expect((await info(trade)).status).toBe('declined');
    expect(await available(trade.buyer)).toBe(1_000_000);
    expect(await available(trade.seller)).toBe(0);
    expect((await trade.seller.client.call(c.recycleAnswer, { requestSn: trade.sn, agree: 1 })).code).not.toBe(0);
  }
});

test('the floor can be accepted immediately; a hand-over that misses its deadline ends the order', async () => {
  const request = await ask();
  const { floorPrice } = await info(request);
  const { orderId } = await request.seller.client.ok(c.recycleAccept, {
    requestSn: request.sn,
    price: floorPrice ?? '0',
    floor: 1,
  });
  expect(orderId).toBeGreaterThan(0);
  await due(request);
  expect((await info(request)).status).toBe('closed');
});

test('an account bought by the platform is taken over by staff who did not inspect it, and its price is public', async () => {
  const request = await m.soldToPlatform();
  const { floorPrice } = request;
  const took = async (staff: TestStaff) =>
    (await staff.client.call(c.staffRecycleTaken, { requestSn: request.sn })).code;
  const other = await t.newStaff({ role: 'service' });
  expect(await took(other)).toBe(codes.ORDER_STATE[0]);
  expect((await inspect(request.sn, SAID)).code).toBe(0);
  expect(await available(request.seller)).toBe(0);
  expect(await took(m.kefu)).toBe(codes.FORBIDDEN[0]);
  expect(await available(request.seller)).toBe(0);
  expect((await other.client.ok(c.staffRecycleInfo, { requestSn: request.sn })).canTake).toBe(true);
  const third = await t.newStaff({ role: 'service' });
  // One alone frees nothing: two say so, neither of whom has read it.
  await other.client.ok(staffReveal, { orderId: request.orderId, step: 1 } as never);
  expect(await took(other)).toBe(0);
  expect(await took(other)).toBe(codes.SECOND_PERSON[0]);
  expect(await available(request.seller)).toBe(0);
  await third.client.ok(staffReveal, { orderId: request.orderId, step: 1 } as never);
  expect(await took(third)).toBe(0);
  expect(await took(third)).toBe(0);
  expect(await available(request.seller)).toBe(Math.round(Number(floorPrice) * 100));
  // A recycler's purchase is the recycler's to confirm.
  const trade = await sold();
  expect((await inspect(trade.sn, SAID)).code).toBe(0);
  expect((await other.client.call(c.staffRecycleTaken, { requestSn: trade.sn })).code).toBe(codes.ORDER_STATE[0]);
  await trade.buyer.client.ok(c.recycleTaken, { requestSn: trade.sn });
  const { list } = await t.client().ok(c.recycleRecent, {});
  expect(list[0]).toMatchObject({ price: '700.00', isPlatform: false, hours: 0 });
  expect(list[1]).toMatchObject({ price: floorPrice, isPlatform: true });
  const next = await ask();
  expect((await bid(trade.buyer, next, '650')).code).toBe(0);
  expect((await info(next)).bids.find(({ isPlatform }) => !isPlatform)?.hours).toBe(0);
});

test('pages show the time limits of the current setting', async () => {
  const before = await t.client().ok(c.recycleTerms, {});
  expect(before).toMatchObject({ bidSeconds: 600, bindSeconds: 86_400, takeOverSeconds: 86_400 });
  await putSetting(t, 'recycling', { bidSeconds: 900 });
  expect(await t.client().ok(c.recycleTerms, {})).toEqual({ ...before, bidSeconds: 900 });
  await putSetting(t, 'recycling', { bidSeconds: before.bidSeconds });
});

test('an account that the platform cannot take over is disputed by a colleague, and two rule on it', async () => {
  const request = await m.soldToPlatform();
  const { floorPrice, orderId } = request;
  expect((await inspect(request.sn, SAID)).code).toBe(0);
  const [other, third] = [await t.newStaff({ role: 'admin' }), await t.newStaff({ role: 'admin' })];
  const failed = { requestSn: request.sn, failed: '1', note: '登录后皮肤只有一半' } as never;
  expect((await m.kefu.client.call(c.staffRecycleTaken, failed)).code).toBe(codes.FORBIDDEN[0]);
  expect((await other.client.call(c.staffRecycleTaken, { requestSn: request.sn, failed: '1' } as never)).code).toBe(
    codes.BAD_INPUT[0],
  );
  const both = await Promise.all([other, third].map((staff) => staff.client.call(c.staffRecycleTaken, failed)));
  expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
  // The money stays where it is, though two say afterwards that it was taken over.
  for (const staff of [other, third]) await staff.client.call(c.staffRecycleTaken, { requestSn: request.sn });
  await m.held(orderId);
  expect(await available(request.seller)).toBe(0);
  const { rows } = await sql<{ sn: string }>`select sn from dispute where order_id = ${orderId}`.execute(t.ctx.db);
  const disputeSn = rows[0]?.sn ?? '';
  await request.seller.client.ok(answerDispute, {
    disputeSn,
    answers: { answer: '交付时和描述一致' },
    text: '交付时和描述一致',
  } as never);
  const ruling = { disputeSn, refund: floorPrice ?? '', rules: ['2.2'], reason: '接管时的截图与验号结果不符' };
  expect(await other.client.ok(staffDisputeRule, ruling as never)).toEqual({ waits: true });
});

test('shipping before the inspection is rejected and not offered', async () => {
  const trade = await sold();
  const { orderSn } = await info(trade);
  const order = await trade.seller.client.ok(orderDetail, { orderSn: orderSn ?? '' });
  expect(order.acts.map(({ act }) => act)).not.toContain('ship');
  const shipped = await trade.seller.client.call(offlineTranSub, { orderId: trade.orderId });
  expect(shipped.code).toBe(codes.ORDER_RECYCLED[0]);
  await sql`update order_handover set done_at = now(), done_by = 'test' where order_id = ${trade.orderId}`.execute(
    t.ctx.db,
  );
  await expect(sql`update orders set status = 2 where id = ${trade.orderId}`.execute(t.ctx.db)).rejects.toThrow(
    'not inspected',
  );
});

test('concurrent bids all count, none after the deadline; of two acceptances one succeeds', async () => {
  const request = await ask();
  const buyers = await Promise.all(Array.from({ length: 6 }, () => recycler()));
  const results = await Promise.all([
    ...buyers.map((b, i) => bid(b, request, String(600 + i))),
    ...buyers.map((b, i) => bid(b, request, String(610 + i))),
  ]);
  expect(results.filter((r) => r.code === 0).length).toBeGreaterThanOrEqual(6);
  await sql`update recycle_request set due_at = now() - interval '1 second' where id = ${request.id}`.execute(t.ctx.db);
  const late = await Promise.all([
    onDue(t.ctx, request.id),
    onDue(t.ctx, request.id),
    ...buyers.map((b) => bid(b, request, '900')),
  ]);
  expect(late.slice(2).every((r) => r !== undefined && r.code !== 0)).toBe(true);
  const { price } = await info(request);
  const open = await sql<{
    n: number;
  }>`select count(*)::int as n from recycle_quote where request_id = ${request.id} and status = 'open'`.execute(
    t.ctx.db,
  );
  expect(open.rows[0]?.n).toBe(1);
  const accepted = await Promise.all(
    [1, 2, 3].map(() => request.seller.client.call(c.recycleAccept, { requestSn: request.sn, price: price ?? '0' })),
  );
  expect(accepted.filter((r) => r.code === 0)).toHaveLength(1);
});

test('bids on the own account, above the balance or the daily limit are rejected; only the seller decides', async () => {
  const owner = await recycler();
  const request = await ask(owner);
  expect((await bid(owner, request, '500')).code).not.toBe(0);
  expect((await bid(await recycler(100), request, '500')).field).toBe('price');
  expect((await bid(await recycler(1_000_000, 10_000), request, '500')).code).not.toBe(0);
  expect((await bid(await t.newUser({ balanceFen: 100_000 }), request, '500')).code).not.toBe(0);
  const other = await t.newUser();
  expect((await other.client.call(c.recycleWithdraw, { requestSn: request.sn })).status).toBe(404);
  expect((await other.client.call(c.recycleAccept, { requestSn: request.sn, price: '1', floor: 1 })).status).toBe(404);
  const twice = await owner.client.call(c.recycleApply, {
    gameId: 1,
    details: SAID as never,
    accountNo: m.lastAccount(),
  });
  expect(twice).toMatchObject({ status: 422, field: 'accountNo' });
  const empty = await owner.client.call(c.recycleApply, { gameId: 1, details: {} as never, accountNo: 'x' });
  expect(empty).toMatchObject({ status: 422, field: 'details.skins' });
});

test('an overstated account brings no more than an honest one', async () => {
  const honest = fenOf((await info(await ask(undefined, { skins: 60, clean: false }))).floorPrice ?? '0');
  const boast = await ask(undefined, { skins: 900, clean: true });
  const boasted = await info(boast);
  if (boasted.floorPrice === null) throw new Error('no floor');
  const { orderId } = await boast.seller.client.ok(c.recycleAccept, {
    requestSn: boast.sn,
    price: boasted.floorPrice,
    floor: 1,
  });
  await handOver(boast.seller, orderId);
  await assign(t, orderId, m.kefu);
  await inspect(boast.sn, { skins: 60, clean: false });
  await boast.seller.client.ok(c.recycleAnswer, { requestSn: boast.sn, agree: 1 });
  // The money waits for the take-over.
  const { availableFen, frozenFen } = await balances(boast.seller);
  expect(availableFen).toBe(0);
  expect(frozenFen).toBeGreaterThan(0);
  expect(frozenFen).toBeLessThanOrEqual(Math.max(honest, 10_000) * 1.1);
});

test('omitting bad attributes lowers the floor', async () => {
  const floorOf = async (details: object) =>
    fenOf((await t.client().ok(c.recycleFloor, { gameId: 1, details: details as never })).floor?.floor ?? '0');
  expect(await floorOf({ skins: 300 })).toBeGreaterThan(0);
  expect(await floorOf({ skins: 300 })).toBeLessThanOrEqual(await floorOf({ skins: 300, clean: false }));
});

test('the platform buys nothing beyond its budget', async () => {
  await sql`insert into setting (key, version, value) select key, version + 1, value || '{"budgetFen": 1}' from setting where key = 'recycling' order by version desc limit 1`.execute(
    t.ctx.db,
  );
  await t.ctx.dir.reload();
  const request = await ask();
  expect(await info(request)).toMatchObject({ floorPrice: null, bids: [] });
  await due(request);
  expect((await info(request)).status).toBe('expired');
});

test('above the limit of one person a colleague must read the same values', async () => {
  const trade = await sold('700');
  await sql`insert into setting (key, version, value) select key, version + 1, value || '{"secondPersonFen": 100}' from setting where key = 'withdraw' order by version desc limit 1`.execute(
    t.ctx.db,
  );
  await t.ctx.dir.reload();
  expect((await inspect(trade.sn, SAID)).data).toMatchObject({ status: 'accepted', waits: true });
  expect((await inspect(trade.sn, SAID)).data).toMatchObject({ waits: true });
  const chief = await t.newStaff({ role: 'admin' });
  expect((await inspect(trade.sn, SAID, chief, [await staffPicture(chief)])).data).toMatchObject({
    status: 'paid',
    waits: false,
  });
});

test('above it an account of a game without readable fields needs a colleague as well', async () => {
  const trade = await sold('700');
  // A game may have no field that takes part in a price.
  await sql`update recycle_request set cuts = '[]' where sn = ${trade.sn}`.execute(t.ctx.db);
  expect((await inspect(trade.sn, SAID)).data).toMatchObject({ status: 'accepted', waits: true });
  expect((await inspect(trade.sn, SAID)).data).toMatchObject({ status: 'accepted', waits: true });
  const chief = await t.newStaff({ role: 'admin' });
  const read = await inspect(trade.sn, SAID, chief, [await staffPicture(chief)]);
  expect(read.data).toMatchObject({ status: 'paid', waits: false });
});

test('the transitions equal the database’s, and every path ends without held money', async () => {
  const { rows } = await sql<{
    from: RecycleState;
    to: RecycleState;
  }>`select from_status as "from", to_status as "to" from recycle_transition`.execute(t.ctx.db);
  const pair = (s: { from: string; to: string }) => `${s.from}>${s.to}`;
  expect(rows.map(pair).toSorted()).toEqual(recycleSteps.map(pair).toSorted());
  // Every path ends, and ends are where no step leads on.
  const walk = (state: RecycleState, seen: RecycleState[]): RecycleState[][] => {
    const next = recycleSteps.filter((s) => s.from === state);
    return next.length === 0 ? [seen] : next.flatMap((s) => walk(s.to, [...seen, s.to]));
  };
  const paths = walk('bidding', ['bidding']);
  expect(new Set(paths.map((p) => p.at(-1)))).toEqual(new Set(recycleEnds));
  expect(paths.every((p) => p.length <= 5)).toBe(true);
});

test('a collection of other games is not recycled, though its pages have separate fields', async () => {
  await addCollection(t.ctx);
  const seller = await t.newUser();
  const details = { skins: 300 } as never;
  expect((await seller.client.call(c.recycleFloor, { gameId: 15, details })).code).toBe(codes.NOT_FOUND[0]);
  const asked = await seller.client.call(c.recycleApply, { gameId: 15, details, accountNo: 'acc-collection' });
  expect(asked.code).toBe(codes.NOT_FOUND[0]);
});
