/** Packages of boosting from rank to rank: what a booster may offer, and what a buyer is shown side by side. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateBooster } from '#subjects/services/contract/booster.ts';
import { boostRoutes } from '#subjects/services/contract/boosting.ts';
import { codes } from '#contract/codes.ts';
import { getGoodsList, goodsInfo } from '#subjects/goods/contract/goods.ts';
import { orderDetail } from '#subjects/orders/contract/order.ts';
import { placeServiceOrder, serviceOffer } from '#subjects/services/contract/services.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import { reindexGoods } from '#subjects/goods/server/service.ts';
import {
  addBoostGame,
  BOOST_GAME,
  openedBooster,
  PACKAGE,
  putOnSale,
  serviceTrade,
} from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';

let t: TestApp;
let staff: TestStaff;
type Opened = Awaited<ReturnType<typeof openedBooster>>;
let [exact, longer, other]: Opened[] = [];

const RANKS = ['青铜', '白银', '黄金', '铂金', '王者'];

beforeAll(async () => {
  t = await testApp();
  await addBoostGame(t);
  const rank = {
    key: 'rank',
    label: '段位',
    kind: 'single',
    required: true,
    inCard: true,
    filterable: true,
    goodsTypes: [1],
    sort: 0,
    options: RANKS.map((label, i) => ({ v: i + 1, label })),
  };
  await sql`insert into catalogue_version (game_id, kind, version, body) values (${BOOST_GAME}, 'fields', 2, ${JSON.stringify([rank])}::jsonb)`.execute(
    t.ctx.db,
  );
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
  staff = await t.newStaff();
  exact = await openedBooster(t, staff, { pack: { route: { from: 2, to: 4 }, price: '120.00' } });
  longer = await openedBooster(t, staff, { pack: { route: { from: 1, to: 5 }, price: '90.00', minutes: 300 } });
  other = await openedBooster(t, staff, { pack: { route: { from: 3, to: 5 } } });
  await openedBooster(t, staff);
  const { rows } = await sql<{ id: number }>`select goods_id as id from service_package`.execute(t.ctx.db);
  for (const { id } of rows) await reindexGoods(t.ctx, t.ctx.db, id);
});
afterAll(async () => {
  await t.close();
});

test('a package leads upwards on the ladder of its game, and keeps its route until it is changed', async () => {
  if (!exact) throw new Error('no booster');
  const { client } = exact.booster;
  const save = async (values: object) =>
    await client.call(updateBooster, { packages: [{ ...PACKAGE, ...values }] } as never);
  for (const route of [
    { from: 4, to: 2 },
    { from: 2, to: 2 },
    { from: 2, to: 9 },
  ])
    expect([route, (await save({ route })).code]).toEqual([route, codes.BAD_INPUT[0]]);
  const own = { packageSn: exact.packageSn, price: '120.00' };
  const routeOf = async (values: object) => {
    const { packages } = await client.ok(updateBooster, { packages: [{ ...PACKAGE, ...own, ...values }] } as never);
    return packages.find(({ packageSn }) => packageSn === exact?.packageSn)?.route;
  };
  const versionOf = async (goodsSn: string) => (await t.client().ok(serviceOffer, { goodsSn })).goodsVersion;
  const version = await versionOf(exact.goodsSn);
  expect(await routeOf({})).toEqual({ from: 2, to: 4 });
  expect(await versionOf(exact.goodsSn)).toBe(version);
  // Another route is another work: staff look at it before anybody can order it.
  expect(await routeOf({ route: { from: 2, to: 3 } })).toEqual({ from: 2, to: 3 });
  expect((await t.client().call(goodsInfo, { goodsSn: exact.goodsSn })).code).not.toBe(0);
  expect(await routeOf({ route: null })).toBeNull();
  expect(await routeOf({ route: { from: 2, to: 4 } })).toEqual({ from: 2, to: 4 });
  await putOnSale(t, exact.goodsSn);
  const { rows } = await sql<{ id: number }>`select id from goods where sn = ${exact.goodsSn}`.execute(t.ctx.db);
  await reindexGoods(t.ctx, t.ctx.db, rows[0]?.id ?? 0);
});

test('nobody orders by terms that a booster has changed since', async () => {
  const mine = await openedBooster(t, staff, { pack: { title: '只为改条件的套餐' } });
  const versionOf = async () => (await t.client().ok(serviceOffer, { goodsSn: mine.goodsSn })).goodsVersion;
  const goodsVersion = await versionOf();
  const buyer = await t.newUser({ balanceFen: 50_000 });
  const order = async () =>
    (
      await buyer.client.call(placeServiceOrder, {
        goodsSn: mine.goodsSn,
        num: 1,
        area: '微信一区',
        goodsVersion,
      } as never)
    ).code;
  const save = async (values: object) =>
    await mine.booster.client.ok(updateBooster, {
      packages: [{ ...PACKAGE, title: '只为改条件的套餐', packageSn: mine.packageSn, ...values }],
    } as never);
  await save({ safetyDeposit: '0', efficiencyDeposit: '0' });
  expect(await order()).toBe(codes.GOODS_CHANGED[0]);
  // Terms need no review.
  expect([await versionOf(), (await t.client().ok(serviceOffer, { goodsSn: mine.goodsSn })).closed]).toEqual([
    goodsVersion + 1,
    null,
  ]);
  await save({ safetyDeposit: '0', efficiencyDeposit: '0' });
  expect([await versionOf(), (await t.client().ok(serviceOffer, { goodsSn: mine.goodsSn })).closed]).toEqual([
    goodsVersion + 1,
    null,
  ]);
});

test('the comparison has the exact route first, then longer ones, and nothing that does not lead there', async () => {
  const client = t.client();
  const { ranks, list, total } = await client.ok(boostRoutes, { gameId: BOOST_GAME, from: 2, to: 4 });
  expect(ranks.map(({ label }) => label)).toEqual(RANKS);
  expect(list.map(({ goodsSn }) => goodsSn)).toEqual([exact?.goodsSn, longer?.goodsSn]);
  expect(total).toBe(2);
  expect(list[0]).toMatchObject({ from: 2, to: 4, price: '121.20', hours: 10, safetyDeposit: '20.00', stages: 3 });
  expect(await client.ok(boostRoutes, { gameId: BOOST_GAME, from: 1, to: 2 })).toMatchObject({ total: 1 });
  // Without a route the most common one is shown as an example, with the packages that asking for it brings.
  const { popular, shown, ...example } = await client.ok(boostRoutes, { gameId: BOOST_GAME });
  const asked = await client.ok(boostRoutes, { gameId: BOOST_GAME, ...popular[0] });
  expect([shown, asked.shown]).toEqual([popular[0], null]);
  expect(example.list.length).toBeGreaterThan(0);
  expect(example).toMatchObject({ list: asked.list, total: asked.total, guide: asked.guide });
  expect((await client.call(boostRoutes, { gameId: BOOST_GAME, from: 4, to: 2 })).code).toBe(codes.BAD_INPUT[0]);
  expect((await client.call(boostRoutes, { gameId: 4242 })).code).toBe(codes.NOT_FOUND[0]);
});

test('among longer routes the cheapest to order is first, not the cheapest by its unit', async () => {
  const dear = await openedBooster(t, staff, { pack: { route: { from: 1, to: 5 }, price: '50.00', minNum: 2 } });
  const ended = await openedBooster(t, staff, { pack: { route: { from: 1, to: 5 }, price: '20.00' } });
  const { rows } = await sql<{
    id: number;
  }>`select id from goods where sn in (${dear.goodsSn}, ${ended.goodsSn})`.execute(t.ctx.db);
  for (const { id } of rows) await reindexGoods(t.ctx, t.ctx.db, id);
  await sql`update provider set status = 'suspended' where user_id = ${ended.booster.id}`.execute(t.ctx.db);
  const { list, total } = await t.client().ok(boostRoutes, { gameId: BOOST_GAME, from: 2, to: 4 });
  expect(list.map(({ goodsSn, price }) => [goodsSn, price])).toEqual([
    [exact?.goodsSn, '121.20'],
    [longer?.goodsSn, '90.90'],
    [dear.goodsSn, '101.00'],
  ]);
  // The list of the game has as many: neither has packages of boosters who are not at work.
  const listed = await t
    .client()
    .ok(getGoodsList, { goodsTypeId: 60, gameId: BOOST_GAME, rankFrom: 2, rankTo: 4 } as never);
  expect([total, listed.total]).toEqual([3, 3]);
  await sql`update goods set status = 3 where sn in (${dear.goodsSn}, ${ended.goodsSn})`.execute(t.ctx.db);
  for (const { id } of rows) await reindexGoods(t.ctx, t.ctx.db, id);
});

test('a package stays in its game', async () => {
  if (!exact) throw new Error('no booster');
  const otherGame = BOOST_GAME + 1;
  await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
    values (${otherGame}, 'boost2', '和平精英', 2, 'H', 'hepingjingying', 'hpjy', '[{"id":60,"name":"代练"}]')`.execute(
    t.ctx.db,
  );
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
  await sql`update provider set games = games || ${otherGame}::int where user_id = ${exact.booster.id}`.execute(
    t.ctx.db,
  );
  const { code, msg } = await exact.booster.client.call(updateBooster, {
    packages: [{ ...PACKAGE, packageSn: exact.packageSn, price: '120.00', gameId: otherGame }],
  } as never);
  expect([code, msg]).toEqual([codes.BAD_INPUT[0], '套餐不能换游戏，请另发一个套餐']);
});

test('the history of a package has what its booster changed, and when it was on and off sale', async () => {
  const mine = await openedBooster(t, staff, { pack: { route: { from: 1, to: 2 } } });
  const save = async (values: object) =>
    await mine.booster.client.ok(updateBooster, {
      packages: [{ ...PACKAGE, packageSn: mine.packageSn, ...values }],
    } as never);
  await save({ status: 2 });
  await save({ status: 1 });
  await save({ safetyDeposit: '0' });
  await save({ safetyDeposit: '0', price: '101.00' });
  await save({ safetyDeposit: '0', price: '101.00', route: { from: 1, to: 3 } });
  await save({ safetyDeposit: '0', price: '101.00', status: 3 });
  const { rows } = await sql<{ kind: string; changed: string[] | null }>`
    select e.kind, e.detail->'changed' as changed from goods_event e join goods g on g.id = e.goods_id
    where g.sn = ${mine.goodsSn} and e.kind <> 'published' order by e.id`.execute(t.ctx.db);
  expect(rows.map(({ kind, changed }) => [kind, changed])).toEqual([
    ['off', null],
    ['on', null],
    ['edited', ['terms']],
    ['edited', ['price']],
    ['edited', ['attrs']],
    ['removed', null],
  ]);
});

const snsOf = (...all: (Opened | undefined)[]): string[] => all.map((one) => one?.goodsSn ?? '').toSorted();

test('the list of a game has the same packages', async () => {
  const found = async (filter: object) =>
    (await t.client().ok(getGoodsList, { goodsTypeId: 60, gameId: BOOST_GAME, ...filter } as never)).list
      .map(({ goodsSn }) => goodsSn)
      .toSorted();
  expect(await found({ rankFrom: 2, rankTo: 4 })).toEqual(snsOf(exact, longer));
  expect(await found({ rankFrom: 3, rankTo: 5 })).toEqual(snsOf(longer, other));
  expect(await found({ rankFrom: 4, rankTo: 2 })).toEqual([]);
  const { code } = await t.client().call(getGoodsList, { goodsTypeId: 60, rankFrom: 2, rankTo: 4 } as never);
  expect(code).toBe(codes.BAD_INPUT[0]);
});

test('the route is part of the offer and of what an order stores', async () => {
  if (!longer) throw new Error('no booster');
  expect((await t.client().ok(serviceOffer, { goodsSn: longer.goodsSn })).route).toEqual({
    from: 1,
    to: 5,
    text: '青铜 打到 王者',
  });
  const { buyer, orderSn } = await serviceTrade(t, longer, { accepted: false });
  const order = await buyer.client.ok(orderDetail, { orderSn });
  expect(JSON.stringify(order)).toContain('青铜 打到 王者');
});

test('a route has a usual price: of deals when there are enough, else of packages, never of too few', async () => {
  const client = t.client();
  const guide = async () => (await client.ok(boostRoutes, { gameId: BOOST_GAME, from: 2, to: 4 })).guide;
  await sql`update goods set status = 4 where id in (select goods_id from service_package where rank_from <> 2 or rank_to <> 4)`.execute(
    t.ctx.db,
  );
  // Too few of them say nothing.
  expect(await guide()).toBeNull();
  for (const price of ['100.00', '150.00'])
    await openedBooster(t, staff, { pack: { route: { from: 2, to: 4 }, price } });
  await openedBooster(t, staff, { pack: { route: { from: 1, to: 5 }, price: '280.00' } });
  await openedBooster(t, staff, { pack: { route: { from: 4, to: 5 }, price: '999.00' } });
  expect(await guide()).toEqual({ low: '115.00', typical: '130.00', high: '142.50', samples: 4, of: 'packages' });
  const buyer = await t.newUser();
  const ask = async (fen: number, status: string) =>
    await sql`insert into boost_request (sn, dist_id, buyer_id, game_id, scope_kind, from_rank, to_rank, area, mode, minutes, milestones, goods_fen, total_fen, price,
        status, order_id, expires_at, ended_at)
      select 'BRGUIDE' || ${status} || ${fen}, 1, ${buyer.id}, ${BOOST_GAME}, 'rank', '白银', '铂金', '一区', 'together', 600,
        '[{"title":"全部","shareBp":10000}]'::jsonb, ${fen}, ${fen}, '{}'::jsonb, ${status},
        case when ${status} = 'taken' then (select id from orders o where not exists (select from boost_request b where b.order_id = o.id) order by id limit 1) end,
        now(), now()`.execute(t.ctx.db);
  if (!exact) throw new Error('no booster');
  for (const fen of [5000, 6000, 7000, 8000, 9000]) {
    await serviceTrade(t, exact);
    await ask(fen, 'taken');
  }
  // Unclaimed requests do not count for the price.
  await ask(900_000, 'expired');
  expect(await guide()).toEqual({ low: '60.00', typical: '70.00', high: '80.00', samples: 5, of: 'deals' });
  const { popular } = await client.ok(boostRoutes, { gameId: BOOST_GAME });
  expect(popular[0]).toEqual({ from: 2, to: 4 });
});
