import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import * as o from '#subjects/orders/contract/order.ts';
import { providerList, reviewProvider, setRecyclerLimit } from '#subjects/providers/contract/staff-providers.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import * as r from '#subjects/recycling/contract/recycling.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addCoinGame, addDeposit, COIN_AREA, COIN_GAME } from '#tests/support/services/coins.ts';
import { addGame } from '#tests/support/goods/goods.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addCoinGame(t);
  await addGame(t.ctx);
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

async function recycler(balanceFen: number, dayLimitFen = 100_000_000): Promise<TestUser> {
  const user = await t.newUser({ balanceFen });
  await sql`insert into recycler (user_id, dist_id, name, day_limit_fen, status) values (${user.id}, 1, '安心回收', ${dayLimitFen}, 1)`.execute(
    t.ctx.db,
  );
  await addDeposit(t, user.id, RECYCLER_DEPOSIT_FEN, 'recycler');
  return user;
}

const RECYCLER_DEPOSIT_FEN = 1_000_000;

/** Another game of the catalogue (addGame). */
const OTHER_GAME = 1;

const OFFER = {
  gameId: COIN_GAME,
  areaId: COIN_AREA,
  lotUnits: 1000,
  lotPrice: '16.00',
  wantedNum: 10,
  minNum: 2,
  delivery: [1],
};
const SALE = { num: 2, delivery: 1, roleName: '出货号' };

const offered = async (user: TestUser, overrides: object = {}) =>
  (await user.client.ok(r.saveCoinRecycle, { ...OFFER, ...overrides })).offerSn;

test('the money for coin is in escrow before the delivery', async () => {
  const buyer = await recycler(100_000);
  const offerSn = await offered(buyer);
  const seller = await t.newUser();
  const { list } = await seller.client.ok(r.coinRecycleList, { gameId: COIN_GAME });
  expect(list[0]).toMatchObject({ offerSn, ratioText: '1元=62.5万金币', lotNet: '15.20', wantedNum: 10 });
  const sold = await seller.client.ok(r.sellCoin, { offerSn, ...SALE });
  expect(sold).toMatchObject({ status: 1, coinText: '2,000 万金币', net: '30.40' });
  expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(100_000 - 3232);
  expect((await seller.client.ok(r.coinRecycleList, {})).list[0]?.wantedNum).toBe(8);
  await seller.client.ok(o.offlineTranSub, { orderId: sold.orderId });
  await buyer.client.ok(o.confirmRecGoods, { orderId: sold.orderId });
  expect((await loadBalances(t.ctx.db, seller.id)).frozenFen).toBe(3040);
});

test('a cancelled sale makes the lots available to other sellers', async () => {
  const buyer = await recycler(100_000);
  const offerSn = await offered(buyer);
  const seller = await t.newUser();
  const { orderId } = await seller.client.ok(r.sellCoin, { offerSn, ...SALE });
  await seller.client.ok(o.cancelOrder, { orderId });
  const own = await buyer.client.ok(r.coinRecycleList, { own: 1 });
  expect(own.list.find((one) => one.offerSn === offerSn)?.wantedNum).toBe(10);
  expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(100_000);
});

test('a recycler without money, over the daily limit or without demand buys nothing, and nothing is stored', async () => {
  const seller = await t.newUser();
  const code = async (offerSn: string, input: object = {}) =>
    (await seller.client.call(r.sellCoin, { offerSn, ...SALE, ...input } as never)).code;
  const poor = await offered(await recycler(100));
  expect(await code(poor)).toBe(codes.GOODS_STOCK[0]);
  const small = await offered(await recycler(100_000, 1000));
  expect(await code(small)).toBe(codes.GOODS_STOCK[0]);
  const rich = await recycler(1_000_000);
  const fine = await offered(rich);
  expect(await code(fine, { num: 11 })).toBe(codes.GOODS_STOCK[0]);
  expect(await code(fine, { num: 1 })).toBe(codes.COIN_LOTS[0]);
  expect(await code(fine, { delivery: 3 })).toBe(codes.BAD_INPUT[0]);
  expect(await code(fine, { version: 9 })).toBe(codes.GOODS_CHANGED[0]);
  expect((await rich.client.call(r.sellCoin, { offerSn: fine, ...SALE })).code).toBe(codes.GOODS_OWN[0]);
  expect((await seller.client.call(r.saveCoinRecycle, OFFER)).code).toBe(codes.PROVIDER_REQUIRED[0]);
  expect((await t.client().call(r.coinRecycleList, { own: 1 })).status).toBe(401);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from orders where seller_id = ${seller.id}`.execute(t.ctx.db);
  expect(rows[0]?.n).toBe(0);
});

test('concurrent sellers succeed up to the amount that the recycler wants, each key once', async () => {
  const buyer = await recycler(10_000_000);
  const offerSn = await offered(buyer);
  const sellers = await Promise.all(Array.from({ length: 30 }, async () => await t.newUser()));
  const responses = await Promise.all(
    sellers.map(
      async (seller) => await seller.client.call(r.sellCoin, { offerSn, ...SALE }, { idempotencyKey: 'once' }),
    ),
  );
  expect(responses.filter((a) => a.code === 0)).toHaveLength(5);
  const winner = sellers[responses.findIndex((a) => a.code === 0)];
  const again = await winner?.client.ok(r.sellCoin, { offerSn, ...SALE }, { idempotencyKey: 'once' });
  expect(again?.orderSn).toBe(responses.find((a) => a.code === 0)?.data?.orderSn);
  const { rows } = await sql<{
    wanted: number;
  }>`select wanted_lots as wanted from recycle_coin_offer where sn = ${offerSn}`.execute(t.ctx.db);
  expect(rows[0]?.wanted).toBe(0);
});

test('an applicant is approved by staff, makes offers in own games, and leaves when nothing is open', async () => {
  const staff = await t.newStaff({ role: 'reviewer' });
  const user = await t.newUser({ balanceFen: 100_000 });
  expect((await user.client.ok(r.getRecyclerInfo, {})).recycler).toBeNull();
  const form = { name: '云顶回收', intro: '', gameIds: [COIN_GAME], contact: 'QQ 12345678' };
  expect((await user.client.ok(r.recyclerApply, form)).status).toBe('reviewing');
  expect((await user.client.call(r.recyclerApply, form)).code).toBe(codes.PROVIDER_STATE[0]);
  expect((await user.client.call(r.saveCoinRecycle, OFFER)).code).toBe(codes.PROVIDER_REQUIRED[0]);
  const pending = (await staff.client.ok(providerList, { kind: 'recycler', waiting: '1' })).list;
  const { id, updateMark } = pending.find((one) => one.userId === String(user.id)) ?? { id: 0, updateMark: '' };
  const early = await staff.client.call(reviewProvider, { id, decision: 'approve', updateMark });
  expect([early.code, early.msg]).toEqual([
    codes.SHOP_DEPOSIT[0],
    '该用户的回收商保证金有效金额为 0.00 元，低于申请等级所需的 10,000.00 元，请对方缴足后再通过',
  ]);
  await addDeposit(t, user.id, RECYCLER_DEPOSIT_FEN, 'recycler');
  await staff.client.ok(reviewProvider, { id, decision: 'approve', updateMark });
  const info = await user.client.ok(r.getRecyclerInfo, {});
  expect(info.recycler).toMatchObject({
    status: 'approved',
    dayLimit: '20000.00',
    daySpent: '0.00',
    balance: '1000.00',
  });
  const offerSn = await offered(user);
  const foreign = await t.newUser();
  expect((await foreign.client.call(r.saveCoinRecycle, { offerSn, act: 'pull' })).code).toBe(
    codes.PROVIDER_REQUIRED[0],
  );
  await user.client.ok(r.saveCoinRecycle, { offerSn, lotPrice: '17.00' });
  const { orderId } = await foreign.client.ok(r.sellCoin, { offerSn, ...SALE });
  expect((await user.client.ok(r.getRecyclerInfo, {})).recycler).toMatchObject({ daySpent: '34.00', openNum: 1 });
  expect((await user.client.call(r.updateRecycler, { act: 'leave' })).code).toBe(codes.COIN_OPEN_ORDERS[0]);
  await foreign.client.ok(o.cancelOrder, { orderId });
  await user.client.ok(r.updateRecycler, { act: 'leave' });
  expect((await foreign.client.call(r.sellCoin, { offerSn, ...SALE })).code).toBe(codes.GOODS_NOT_FOUND[0]);
  expect((await user.client.call(r.saveCoinRecycle, OFFER)).code).toBe(codes.PROVIDER_REQUIRED[0]);
});

test('a suspended recycler buys nothing, and has its offers back when restored', async () => {
  const staff = await t.newStaff({ role: 'reviewer' });
  const user = await t.newUser({ balanceFen: 100_000 });
  await user.client.ok(r.recyclerApply, {
    name: '老韩回收站',
    intro: '',
    gameIds: [COIN_GAME],
    contact: 'QQ 12345678',
  });
  const decide = async (decision: 'approve' | 'suspend' | 'restore', reason?: string) => {
    const { list } = await staff.client.ok(providerList, { kind: 'recycler' });
    const { id, updateMark } = list.find((one) => one.userId === String(user.id)) ?? { id: 0, updateMark: '' };
    await staff.client.ok(reviewProvider, { id, decision, updateMark, ...(reason && { reason }) });
  };
  await addDeposit(t, user.id, RECYCLER_DEPOSIT_FEN, 'recycler');
  await decide('approve');
  const offerSn = await offered(user);
  const view = async () =>
    (await t.client().ok(r.coinRecycleList, { gameId: COIN_GAME })).list.some((one) => one.offerSn === offerSn);
  expect(await view()).toBe(true);
  await decide('suspend', '多次超时或被投诉');
  expect(await view()).toBe(false);
  await decide('restore');
  expect(await view()).toBe(true);
});

/** A recycler that a reviewer has admitted, and how staff see it now. */
async function admitted(name: string) {
  const staff = await t.newStaff({ role: 'reviewer' });
  const user = await t.newUser({ balanceFen: 100_000 });
  await user.client.ok(r.recyclerApply, { name, intro: '', gameIds: [COIN_GAME], contact: 'QQ 12345678' });
  const item = async () => {
    const { list } = await staff.client.ok(providerList, { kind: 'recycler', pageSize: 50 });
    const found = list.find((one) => one.userId === String(user.id));
    if (!found) throw new Error('not in the list');
    return found;
  };
  await addDeposit(t, user.id, RECYCLER_DEPOSIT_FEN, 'recycler');
  const { id, updateMark } = await item();
  await staff.client.ok(reviewProvider, { id, decision: 'approve', updateMark });
  return { user, staff, item };
}

test('changes of name and games are reviewed by staff', async () => {
  const { user, staff, item } = await admitted('改名回收');
  await user.client.ok(r.updateRecycler, { name: '新名回收', gameIds: [COIN_GAME, OTHER_GAME] });
  const before = (await user.client.ok(r.getRecyclerInfo, {})).recycler;
  expect(before).toMatchObject({ name: '改名回收', hasPending: true, games: [{ gameId: COIN_GAME }] });
  const { id, updateMark, pending } = await item();
  expect(pending.map(({ label, after }) => [label, after])).toEqual([
    ['名称', '新名回收'],
    ['游戏', expect.stringContaining('、')],
  ]);
  await staff.client.ok(reviewProvider, { id, decision: 'approve', updateMark });
  const after = (await user.client.ok(r.getRecyclerInfo, {})).recycler;
  expect(after).toMatchObject({ name: '新名回收', hasPending: false });
  expect(after?.games.map(({ gameId }) => gameId)).toEqual([COIN_GAME, OTHER_GAME]);
});

test('dropping a game hides the recycler’s offers in it', async () => {
  const { user, staff, item } = await admitted('减项回收');
  const offerSn = await offered(user);
  await user.client.ok(r.updateRecycler, { gameIds: [OTHER_GAME] });
  const statusOf = async () =>
    (await user.client.ok(r.coinRecycleList, { own: 1 })).list.find((one) => one.offerSn === offerSn)?.status;
  expect(await statusOf()).toBe(1);
  const { id, updateMark } = await item();
  await staff.client.ok(reviewProvider, { id, decision: 'approve', updateMark });
  expect(await statusOf()).toBe(2);
  const back = await user.client.call(r.saveCoinRecycle, { offerSn, act: 'push' });
  expect([back.status, back.msg]).toEqual([422, '该游戏不在您的回收范围内，请先在资料里加上']);
});

describe('the daily limit', () => {
  test('is changed by staff with a reason that the recycler can read, and takes effect immediately', async () => {
    const { user, staff, item } = await admitted('额度回收');
    const offerSn = await offered(user);
    const { id, dayLimit } = await item();
    expect(dayLimit).toBe('20000.00');
    const change = { id, limit: '30.00', seenLimit: '20000.00', reason: '收货超时增多，暂时下调' };
    expect(await staff.client.ok(setRecyclerLimit, change)).toEqual({ limit: '30.00' });
    await t.relay();
    expect((await user.client.ok(r.getRecyclerInfo, {})).recycler?.dayLimit).toBe('30.00');
    const { list } = await user.client.ok(noticeList, {});
    expect(list.map(({ body }) => body)).toContainEqual(
      expect.stringContaining('由 20,000.00 元调整为 30.00 元：收货超时增多'),
    );
    const { rows } = await sql<{ detail: unknown }>`
      select detail from audit_log where act = 'provider.limit' and target = ${`user:${user.id}`}`.execute(t.ctx.db);
    expect(rows).toEqual([{ detail: { fromFen: 2_000_000, toFen: 3000, reason: change.reason } }]);
    const buyer = await t.newUser();
    expect((await buyer.client.call(r.sellCoin, { offerSn, ...SALE })).code).not.toBe(0);
    await staff.client.ok(setRecyclerLimit, { ...change, limit: '500', seenLimit: '30.00' });
    await buyer.client.ok(r.sellCoin, { offerSn, ...SALE });
  });

  test('takes one of several concurrent changes, and rejects one based on an old version', async () => {
    const { user, staff, item } = await admitted('同时回收');
    const { id } = await item();
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        staff.client.call(setRecyclerLimit, { id, limit: `${n + 1}00`, seenLimit: '20000', reason: '按申请上调' }),
      ),
    );
    expect(responses.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(responses.filter(({ code }) => code === codes.PROVIDER_STATE[0])).toHaveLength(7);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit_log where act = 'provider.limit' and target = ${`user:${user.id}`}`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('is changed by reviewers only, for approved recyclers, with a reason', async () => {
    const { staff, item } = await admitted('权限回收');
    const { id } = await item();
    const change = { id, limit: '100', seenLimit: '20000', reason: '按申请上调' };
    const service = await t.newStaff({ role: 'service' });
    expect((await service.client.call(setRecyclerLimit, change)).status).toBe(403);
    for (const wrong of [{ reason: '' }, { limit: '0' }, { limit: '1e5' }, { limit: '-5' }, { limit: '99999999999' }])
      expect((await staff.client.call(setRecyclerLimit, { ...change, ...wrong })).status).toBe(422);
    await staff.client.ok(reviewProvider, {
      id,
      decision: 'suspend',
      reason: '多次超时',
      updateMark: (await item()).updateMark,
    });
    expect((await staff.client.call(setRecyclerLimit, change)).code).toBe(codes.PROVIDER_STATE[0]);
  });
});
