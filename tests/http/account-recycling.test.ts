import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as c from '#contract/account-recycling.ts';
import { staffDisputeRule } from '#contract/backstage-disputes.ts';
import { codes } from '#contract/codes.ts';
import { answerDispute } from '#contract/dispute.ts';
import { cancelOrder, offlineTranSub, orderDetail } from '#contract/order.ts';
import { onDue } from '#server/slices/recycling/accounts/clock.ts';
import { type RecycleState, recycleEnds, recycleSteps } from '#server/slices/recycling/accounts/states.ts';
import type { TestApp, TestStaff } from '#tests/support/build.ts';
import { assign, staffPicture } from '#tests/support/orders.ts';
import { openRecycling, type Recycling, SAID } from '#tests/support/recycling.ts';
import { fenOf } from '#web/lib/format.ts';

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

test('the floor stands as a bid with its money, blind bids come in, the best binds and the others go back', async () => {
  const asked = await ask();
  const [a, b] = [await recycler(), await recycler()];
  const first = await info(asked);
  expect(first.status).toBe('bidding');
  expect(first.bids).toMatchObject([{ name: '平台保底', isBest: true, price: first.floorPrice }]);
  expect(first.floor?.lines.reduce((sum, l) => sum + fenOf(l.amount), fenOf(first.floor.typical))).toBe(
    fenOf(first.floor?.floor ?? '0'),
  );
  expect((await bid(a, asked, '700')).code).toBe(0);
  expect((await bid(b, asked, '720.50')).code).toBe(0);
  // 1 % service fee on top.
  expect(await available(b)).toBe(1_000_000 - 72_050 - 721);
  const board = await a.client.ok(c.recycleBoard, {});
  const mine = board.list.find((r) => r.requestSn === asked.sn);
  expect(mine).toMatchObject({ myBid: '700.00', price: null });
  expect(JSON.stringify(board)).not.toContain('720.50');
  expect((await b.client.call(c.recycleInfo, { requestSn: asked.sn })).status).toBe(404);
  const lower = await bid(a, asked, '650');
  expect(lower).toMatchObject({ status: 422, field: 'price' });
  await due(asked);
  const quoted = await info(asked);
  expect(quoted).toMatchObject({ status: 'quoted', price: '720.50' });
  expect(await available(a)).toBe(1_000_000);
  expect((await bid(a, asked, '800')).code).not.toBe(0);
  const early = await asked.seller.client.call(c.recycleAccept, { requestSn: asked.sn, price: '700.00' });
  expect(early.code).not.toBe(0);
  await asked.seller.client.ok(c.recycleWithdraw, { requestSn: asked.sn });
  expect(await available(b)).toBe(1_000_000);
});

test('as stated, it is paid at the inspection, and the recycler may take over', async () => {
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

test('a difference takes off the published amount, once the seller agrees', async () => {
  const trade = await sold();
  const told = await inspect(trade.sn, { ...SAID, skins: 150 });
  expect(told.data).toMatchObject({ status: 'reconfirm', waits: false });
  const state = await info(trade);
  const cut = fenOf(state.cut);
  expect(cut).toBeGreaterThan(10_000);
  expect(state.readings.find((r) => r.key === 'skins')).toMatchObject({
    said: '300款',
    found: '150款',
    cut: state.cut,
  });
  expect(state.readings.find((r) => r.key === 'clean')).toMatchObject({ cut: '0.00' });
  expect(await available(trade.seller)).toBe(0);
  await trade.seller.client.ok(c.recycleAnswer, { requestSn: trade.sn, agree: 1 });
  expect(await balances(trade.seller)).toMatchObject({ availableFen: 0, frozenFen: 70_000 - cut });
  await held(trade.orderId);
  expect(await available(trade.seller)).toBe(70_000 - cut);
  expect(await available(trade.buyer)).toBe(1_000_000 - 70_000 - 700 + cut);
});

test('the seller may take the account back free of charge, also by not answering', async () => {
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

test('the floor can be taken at once; what was not handed over in time ends by itself', async () => {
  const asked = await ask();
  const { floorPrice } = await info(asked);
  const { orderId } = await asked.seller.client.ok(c.recycleAccept, {
    requestSn: asked.sn,
    price: floorPrice ?? '0',
    floor: 1,
  });
  expect(orderId).toBeGreaterThan(0);
  await due(asked);
  expect((await info(asked)).status).toBe('closed');
});

test('what the platform bought is taken over by staff who did not inspect it, and everybody sees what it brought', async () => {
  const asked = await ask();
  const { floorPrice } = await info(asked);
  const { orderId } = await asked.seller.client.ok(c.recycleAccept, {
    requestSn: asked.sn,
    price: floorPrice ?? '',
    floor: '1',
  } as never);
  await handOver(asked.seller, orderId);
  await assign(t, orderId, m.kefu);
  const took = async (staff: TestStaff) => (await staff.client.call(c.staffRecycleTaken, { requestSn: asked.sn })).code;
  const other = await t.newStaff({ role: 'service' });
  expect(await took(other)).toBe(codes.ORDER_STATE[0]);
  expect((await inspect(asked.sn, SAID)).code).toBe(0);
  expect(await available(asked.seller)).toBe(0);
  expect(await took(m.kefu)).toBe(codes.FORBIDDEN[0]);
  expect(await available(asked.seller)).toBe(0);
  expect((await other.client.ok(c.staffRecycleInfo, { requestSn: asked.sn })).canTake).toBe(true);
  const third = await t.newStaff({ role: 'service' });
  // One alone frees nothing: two say so, neither of whom has read it.
  expect(await took(other)).toBe(0);
  expect(await took(other)).toBe(codes.SECOND_PERSON[0]);
  expect(await available(asked.seller)).toBe(0);
  expect(await took(third)).toBe(0);
  expect(await took(third)).toBe(0);
  expect(await available(asked.seller)).toBe(Math.round(Number(floorPrice) * 100));
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

test('what the platform bought and cannot take over is contested by a colleague, and two rule on it', async () => {
  const asked = await ask();
  const { floorPrice } = await info(asked);
  const { orderId } = await asked.seller.client.ok(c.recycleAccept, {
    requestSn: asked.sn,
    price: floorPrice ?? '',
    floor: '1',
  } as never);
  await handOver(asked.seller, orderId);
  await assign(t, orderId, m.kefu);
  expect((await inspect(asked.sn, SAID)).code).toBe(0);
  const [other, third] = [await t.newStaff({ role: 'admin' }), await t.newStaff({ role: 'admin' })];
  const failed = { requestSn: asked.sn, failed: '1', note: '登录后皮肤只有一半' } as never;
  expect((await m.kefu.client.call(c.staffRecycleTaken, failed)).code).toBe(codes.FORBIDDEN[0]);
  expect((await other.client.call(c.staffRecycleTaken, { requestSn: asked.sn, failed: '1' } as never)).code).toBe(
    codes.BAD_INPUT[0],
  );
  const both = await Promise.all([other, third].map((staff) => staff.client.call(c.staffRecycleTaken, failed)));
  expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
  // The money stays where it is, though two say afterwards that it was taken over.
  for (const staff of [other, third]) await staff.client.call(c.staffRecycleTaken, { requestSn: asked.sn });
  await m.held(orderId);
  expect(await available(asked.seller)).toBe(0);
  const { rows } = await sql<{ sn: string }>`select sn from dispute where order_id = ${orderId}`.execute(t.ctx.db);
  const disputeSn = rows[0]?.sn ?? '';
  await asked.seller.client.ok(answerDispute, {
    disputeSn,
    answers: { answer: '交付时和描述一致' },
    text: '交付时和描述一致',
  } as never);
  const ruling = { disputeSn, refund: floorPrice ?? '', rules: ['2.2'], reason: '接管时的截图与读数不符' };
  expect(await other.client.ok(staffDisputeRule, ruling as never)).toEqual({ waits: true });
});

test('nothing ships before it was inspected, and no button says so', async () => {
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

test('of bids at once each counts, none after the end; of two acceptances one', async () => {
  const asked = await ask();
  const buyers = await Promise.all(Array.from({ length: 6 }, () => recycler()));
  const results = await Promise.all([
    ...buyers.map((b, i) => bid(b, asked, String(600 + i))),
    ...buyers.map((b, i) => bid(b, asked, String(610 + i))),
  ]);
  expect(results.filter((r) => r.code === 0).length).toBeGreaterThanOrEqual(6);
  await sql`update recycle_request set due_at = now() - interval '1 second' where id = ${asked.id}`.execute(t.ctx.db);
  const late = await Promise.all([
    onDue(t.ctx, asked.id),
    onDue(t.ctx, asked.id),
    ...buyers.map((b) => bid(b, asked, '900')),
  ]);
  expect(late.slice(2).every((r) => r !== undefined && r.code !== 0)).toBe(true);
  const { price } = await info(asked);
  const open = await sql<{
    n: number;
  }>`select count(*)::int as n from recycle_quote where request_id = ${asked.id} and status = 'open'`.execute(t.ctx.db);
  expect(open.rows[0]?.n).toBe(1);
  const accepted = await Promise.all(
    [1, 2, 3].map(() => asked.seller.client.call(c.recycleAccept, { requestSn: asked.sn, price: price ?? '0' })),
  );
  expect(accepted.filter((r) => r.code === 0)).toHaveLength(1);
});

test('nobody bids on his own account, above his balance or his day; nobody else decides', async () => {
  const owner = await recycler();
  const asked = await ask(owner);
  expect((await bid(owner, asked, '500')).code).not.toBe(0);
  expect((await bid(await recycler(100), asked, '500')).field).toBe('price');
  expect((await bid(await recycler(1_000_000, 10_000), asked, '500')).code).not.toBe(0);
  expect((await bid(await t.newUser({ balanceFen: 100_000 }), asked, '500')).code).not.toBe(0);
  const other = await t.newUser();
  expect((await other.client.call(c.recycleWithdraw, { requestSn: asked.sn })).status).toBe(404);
  expect((await other.client.call(c.recycleAccept, { requestSn: asked.sn, price: '1', floor: 1 })).status).toBe(404);
  const twice = await owner.client.call(c.recycleApply, {
    gameId: 1,
    details: SAID as never,
    accountNo: m.lastAccount(),
  });
  expect(twice).toMatchObject({ status: 422, field: 'accountNo' });
  const empty = await owner.client.call(c.recycleApply, { gameId: 1, details: {} as never, accountNo: 'x' });
  expect(empty).toMatchObject({ status: 422, field: 'details.skins' });
});

test('whoever states more than there is gets no more than an honest seller', async () => {
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
  await held(orderId);
  expect(await available(boast.seller)).toBeLessThanOrEqual(Math.max(honest, 10_000) * 1.1);
});

test('leaving out what is bad lowers the floor instead of raising it', async () => {
  const floorOf = async (details: object) =>
    fenOf((await t.client().ok(c.recycleFloor, { gameId: 1, details: details as never })).floor?.floor ?? '0');
  expect(await floorOf({ skins: 300 })).toBeLessThanOrEqual(await floorOf({ skins: 300, clean: false }));
});

test('the platform stops at its budget', async () => {
  await sql`insert into setting (key, version, value) select key, version + 1, value || '{"budgetFen": 1}' from setting where key = 'recycling' order by version desc limit 1`.execute(
    t.ctx.db,
  );
  await t.ctx.dir.reload();
  const asked = await ask();
  expect(await info(asked)).toMatchObject({ floorPrice: null, bids: [] });
  await due(asked);
  expect((await info(asked)).status).toBe('expired');
});

test('above the limit of one person a colleague must read the same', async () => {
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

test('the table of steps is the database’s, and every path ends with nobody’s money held', async () => {
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
