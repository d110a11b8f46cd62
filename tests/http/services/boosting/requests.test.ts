/** Open orders of boosting: money in escrow from the first moment, one claim of many, and every end with its recipient (decision 286). */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as c from '#subjects/services/contract/boosting.ts';
import { codes } from '#contract/codes.ts';
import { revealSecret, orderDetail } from '#subjects/orders/contract/order.ts';
import { sealSecret } from '#subjects/orders/contract/handover.ts';
import { serviceAct, serviceOrder } from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { requestSteps } from '#subjects/services/server/requests/rows.ts';
import { addBoostGame, BOOST_GAME, openedBooster } from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';

let t: TestApp;
let staff: TestStaff;
let one: Awaited<ReturnType<typeof openedBooster>>;
let two: Awaited<ReturnType<typeof openedBooster>>;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addBoostGame(t);
  staff = await t.newStaff();
  one = await openedBooster(t, staff, { balanceFen: 1_000_000 });
  two = await openedBooster(t, staff, { balanceFen: 1_000_000 });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const START = 50_000;
const ASK = {
  gameId: BOOST_GAME,
  scopeKind: 'rank',
  fromRank: '钻石一',
  toRank: '最强王者',
  area: '微信一区',
  mode: 'account',
  hours: 20,
  milestones: [
    { title: '星耀三', sharePercent: 40 },
    { title: '最强王者', sharePercent: 60 },
  ],
  price: '100.00',
  safetyDeposit: '20.00',
  efficiencyDeposit: '10.00',
  openHours: 24,
} as const;

const available = async (user: TestUser): Promise<number> => (await loadBalances(t.ctx.db, user.id)).availableFen;
const postRequest = async (more: object = {}): Promise<{ buyer: TestUser; requestSn: string }> => {
  const buyer = await t.newUser({ balanceFen: START });
  const { requestSn } = await buyer.client.ok(c.boostPost, { ...ASK, ...more } as never);
  return { buyer, requestSn };
};
const statusOf = async (requestSn: string): Promise<string> =>
  (await sql<{ status: string }>`select status from boost_request where sn = ${requestSn}`.execute(t.ctx.db)).rows[0]
    ?.status ?? '';
const giveUp = async (booster: TestUser, orderId: number) =>
  await booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '到此为止，抱歉' });

test('takes price and fee immediately, is visible to boosters of the game only, and is refunded in full when withdrawn', async () => {
  const { buyer, requestSn } = await postRequest();
  expect(await available(buyer)).toBe(START - 10_100);
  const [own] = (await buyer.client.ok(c.myBoostRequests, {})).list;
  expect(own).toMatchObject({ requestSn, title: '钻石一 打到 最强王者', total: '101.00', statusName: '等人接单' });
  const board = await one.booster.client.ok(c.boostBoard, {});
  const seen = board.list.find((r) => r.requestSn === requestSn);
  expect(seen).toMatchObject({ net: '95.00', closed: null, safetyDeposit: '20.00' });
  expect(seen?.milestones.map((m) => m.amount)).toEqual(['40.00', '60.00']);
  // Neither a buyer nor a booster who was not approved can read the board.
  expect(await buyer.client.ok(c.boostBoard, {})).toMatchObject({ isBooster: false, list: [] });
  const stranger = await t.newUser();
  expect((await stranger.client.call(c.boostWithdraw, { requestSn })).code).toBe(codes.NOT_FOUND[0]);
  expect((await stranger.client.call(c.boostTake, { requestSn })).code).toBe(codes.PROVIDER_REQUIRED[0]);
  expect(await buyer.client.ok(c.boostWithdraw, { requestSn })).toEqual({ back: '101.00' });
  expect(await available(buyer)).toBe(START);
  expect((await buyer.client.call(c.boostWithdraw, { requestSn })).code).toBe(codes.ORDER_STATE[0]);
  expect((await one.booster.client.call(c.boostTake, { requestSn })).code).toBe(codes.ORDER_STATE[0]);
});

test('is filtered by game, price, time and method, and sorted', async () => {
  const cheap = await postRequest({
    price: '30.00',
    safetyDeposit: '0',
    efficiencyDeposit: '0',
    hours: 4,
    mode: 'together',
  });
  const dear = await postRequest({ price: '300.00', hours: 40 });
  const sns = async (input: object): Promise<string[]> =>
    (await one.booster.client.ok(c.boostBoard, input as never)).list.map((r) => r.requestSn);
  expect(await sns({ maxPrice: '50.00' })).toEqual([cheap.requestSn]);
  expect(await sns({ minPrice: '200.00' })).toEqual([dear.requestSn]);
  expect(await sns({ mode: 'together' })).toEqual([cheap.requestSn]);
  expect(await sns({ maxHours: 5 })).toEqual([cheap.requestSn]);
  expect((await sns({ sort: 'price' })).slice(0, 2)).toEqual([dear.requestSn, cheap.requestSn]);
  expect(await sns({ gameId: BOOST_GAME + 1 })).toEqual([]);
  for (const { buyer, requestSn } of [cheap, dear]) await buyer.client.ok(c.boostWithdraw, { requestSn });
});

test('gets field errors for invalid input and takes no money', async () => {
  const buyer = await t.newUser({ balanceFen: START });
  const wrong: [string, object][] = [
    ['milestones', { milestones: [{ title: '一半', sharePercent: 50 }] }],
    ['toRank', { toRank: '钻石一' }],
    ['fromRank', { fromRank: undefined }],
    ['gameId', { gameId: 4242 }],
    ['safetyDeposit', { safetyDeposit: '500.00' }],
    ['efficiencyDeposit', { efficiencyDeposit: '100.01' }],
    ['price', { price: '0.10' }],
    ['openHours', { openHours: 999 }],
  ];
  for (const [field, change] of wrong) {
    const rejected = await buyer.client.call(c.boostPost, { ...ASK, ...change } as never);
    expect([field, rejected.code]).toEqual([field, codes.BAD_INPUT[0]]);
  }
  const masked = await postRequest({ note: '加微信 wx12345678 详谈' });
  expect((await masked.buyer.client.ok(c.myBoostRequests, {})).list[0]?.note).not.toContain('wx12345678');
  await masked.buyer.client.ok(c.boostWithdraw, { requestSn: masked.requestSn });
  const changed = await buyer.client.call(c.boostPost, { ...ASK, shownTotal: '99.00' } as never);
  expect(changed.code).toBe(codes.PRICE_CHANGED[0]);
  expect(await available(buyer)).toBe(START);
  const poor = await t.newUser({ balanceFen: 10_099 });
  expect((await poor.client.call(c.boostPost, ASK as never)).code).toBe(codes.BALANCE_LOW[0]);
  const unverified = await t.newUser({ balanceFen: START, verified: false });
  expect((await unverified.client.call(c.boostPost, ASK as never)).code).toBe(codes.REAL_NAME_REQUIRED[0]);
});

test('concurrent claims and a withdrawal: one succeeds, and the money has one owner', async () => {
  for (let round = 0; round < 4; round++) {
    const { buyer, requestSn } = await postRequest();
    const before = (await available(one.booster)) + (await available(two.booster));
    const all = await Promise.all([
      one.booster.client.call(c.boostTake, { requestSn }),
      two.booster.client.call(c.boostTake, { requestSn }),
      ...(round % 2 === 0 ? [] : [buyer.client.call(c.boostWithdraw, { requestSn })]),
      one.booster.client.call(c.boostTake, { requestSn }),
      two.booster.client.call(c.boostTake, { requestSn }),
    ]);
    expect(all.filter(({ code }) => code === 0)).toHaveLength(1);
    const orders = await sql<{ n: number }>`select count(*)::int as n from orders where buyer_id = ${buyer.id}`.execute(
      t.ctx.db,
    );
    const isTaken = (await statusOf(requestSn)) === 'taken';
    expect(orders.rows[0]?.n).toBe(isTaken ? 1 : 0);
    expect(await available(buyer)).toBe(isTaken ? START - 10_100 : START);
    const held = before - (await available(one.booster)) - (await available(two.booster));
    expect(held).toBe(isTaken ? 3000 : 0);
    const list = (await buyer.client.ok(c.myBoostRequests, {})).list[0];
    if (isTaken && list?.orderSn) {
      const by = await one.booster.client.call(serviceOrder, { orderSn: list.orderSn });
      const order = await buyer.client.ok(serviceOrder, { orderSn: list.orderSn });
      await giveUp(by.code === 0 ? one.booster : two.booster, order.orderId);
      // All of it is back, with the efficiency deposit of who gave up.
      expect(await available(buyer)).toBe(START + 1000);
    }
  }
});

test('the same key posts one request and makes one order', async () => {
  const buyer = await t.newUser({ balanceFen: START });
  const key = { idempotencyKey: 'same-key-for-one-ask' };
  const posts = await Promise.all([1, 2, 3].map(() => buyer.client.call(c.boostPost, ASK as never, key)));
  expect(new Set(posts.map((p) => (p.data as { requestSn?: string } | undefined)?.requestSn)).size).toBe(1);
  expect(await available(buyer)).toBe(START - 10_100);
  const requestSn = (await buyer.client.ok(c.myBoostRequests, {})).list[0]?.requestSn ?? '';
  const claim = { idempotencyKey: 'same-key-for-one-claim' };
  const first = await one.booster.client.ok(c.boostTake, { requestSn }, claim);
  expect(await one.booster.client.ok(c.boostTake, { requestSn }, claim)).toEqual(first);
  await giveUp(one.booster, first.orderId);
});

test('is refunded by the deadline, once, also with a concurrent claim', async () => {
  const { buyer, requestSn } = await postRequest();
  await sql`update timer set due_at = now() - interval '1 second' where kind = 'boost.expire'
    and ref = (select id::text from boost_request where sn = ${requestSn})`.execute(t.ctx.db);
  await t.timers();
  await t.timers();
  expect([await statusOf(requestSn), await available(buyer)]).toEqual(['expired', START]);
  const late = await postRequest();
  await sql`update timer set due_at = now() - interval '1 second' where kind = 'boost.expire'
    and ref = (select id::text from boost_request where sn = ${late.requestSn})`.execute(t.ctx.db);
  const [claim] = await Promise.all([one.booster.client.call(c.boostTake, { requestSn: late.requestSn }), t.timers()]);
  expect(await statusOf(late.requestSn)).toBe(claim.code === 0 ? 'taken' : 'expired');
  expect(await available(late.buyer)).toBe(claim.code === 0 ? START - 10_100 : START);
  if (claim.code === 0) await giveUp(one.booster, (claim.data as { orderId: number }).orderId);
});

test('cannot be claimed by its buyer, without money for the deposits, or beyond the deposit’s limit', async () => {
  const { requestSn } = await one.booster.client.ok(c.boostPost, ASK as never);
  expect((await one.booster.client.call(c.boostTake, { requestSn })).code).toBe(codes.GOODS_OWN[0]);
  const poor = await openedBooster(t, staff, { balanceFen: 100 });
  expect((await poor.booster.client.call(c.boostTake, { requestSn })).code).toBe(codes.BALANCE_LOW[0]);
  expect(await statusOf(requestSn)).toBe('open');
  const [seen] = (await poor.booster.client.ok(c.boostBoard, {})).list.filter((r) => r.requestSn === requestSn);
  expect(seen?.closed).toBe('可用余额不够付两笔保证金');
  await one.booster.client.ok(c.boostWithdraw, { requestSn });
});

test('becomes an ordinary order: credentials for its booster, inaccessible while paused', async () => {
  const { buyer, requestSn } = await postRequest();
  const { orderId, orderSn } = await one.booster.client.ok(c.boostTake, { requestSn });
  await t.relay();
  const view = await buyer.client.ok(serviceOrder, { orderSn });
  expect(view).toMatchObject({ state: 'waiting', held: '101.00', area: '微信一区', safetyDeposit: '20.00' });
  expect(view.milestones.map((m) => [m.title, m.amount])).toEqual([
    ['星耀三', '40.00'],
    ['最强王者', '60.00'],
  ]);
  await buyer.client.ok(sealSecret, { orderId, step: 1, fields: { account: 'user-1' } });
  expect((await two.booster.client.call(revealSecret, { orderId, step: 1 })).code).toBe(codes.ORDER_NOT_FOUND[0]);
  expect((await one.booster.client.ok(revealSecret, { orderId, step: 1 })).fields).toBeTruthy();
  await buyer.client.ok(serviceAct, { orderId, act: 'pause' });
  expect((await one.booster.client.call(revealSecret, { orderId, step: 1 })).code).toBe(codes.SEAL_PAUSED[0]);
  const detail = await one.booster.client.ok(orderDetail, { orderSn });
  expect(detail.handover.find((h) => h.sealed)?.sealed?.canOpen).toBe(false);
  await buyer.client.ok(serviceAct, { orderId, act: 'resume' });
  expect((await one.booster.client.call(revealSecret, { orderId, step: 1 })).code).toBe(0);
  await giveUp(one.booster, orderId);
});

test('changes state only by its transitions, also in the database', async () => {
  const { buyer, requestSn } = await postRequest();
  await buyer.client.ok(c.boostWithdraw, { requestSn });
  for (const to of ['open', ...requestSteps.map((s) => s.to).filter((s) => s !== 'withdrawn')])
    await expect(
      sql`update boost_request set status = ${to}, ended_at = case when ${to} = 'open' then null else now() end where sn = ${requestSn}`.execute(
        t.ctx.db,
      ),
    ).rejects.toThrow();
  // Its money cannot be left behind either.
  const open = await postRequest();
  await expect(
    sql`update boost_request set status = 'expired', ended_at = now() where sn = ${open.requestSn}`.execute(t.ctx.db),
  ).rejects.toThrow(/escrow/);
  await open.buyer.client.ok(c.boostWithdraw, { requestSn: open.requestSn });
});
