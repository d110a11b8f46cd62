/**
 * What people read in a market with many orders beside the same in one with few: home, a listing, one's own orders and the desk, in turn on both,
 * with no answer kept: pages of the database, the fastest tenth in ms, which other programs disturb least, and the median. `npm run bench -- orders`; SIZES=10000,10000000 by default, which needs 20 GB in the folder of temporary files (TMPDIR) and
 * a quarter of an hour.
 */
import pg from 'pg';
import { staffCounters } from '#subjects/back-office/contract/overview.ts';
import { staffOrderList } from '#subjects/orders/contract/staff-orders.ts';
import { latestDealRecord } from '#subjects/orders/contract/site-figures.ts';
import { getFrontUserList } from '#subjects/goods/contract/front-page.ts';
import { currentdayDealGoodsList, getAvGoodsList, getGoodsList, goodsInfo } from '#subjects/goods/contract/goods.ts';
import { distCount, queryOrderList } from '#subjects/orders/contract/order.ts';
import { createApp } from '#server/app.ts';
import { cookieName, openSession } from '#server/access/session.ts';
import type { Context } from '#server/context.ts';
import { readState } from '#server/db/embedded-cluster.ts';
import { derivedToken } from '#server/kernel/secrets/crypto.ts';
import { createStaff } from '#subjects/back-office/server/staff/create.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { TestClient } from '#tests/support/servers/client.ts';
import { readingsOf } from '#tests/support/database/slopes.ts';
import { benchMarket, type BenchMarket } from '../lib/market.ts';
import { median, quantile } from '../lib/stats.ts';

const SIZES = (process.env.SIZES ?? '10000,10000000').split(',').map(Number);
const ROUNDS = Number(process.env.ROUNDS ?? 60);
const WARM_ROUNDS = 5;
const BATCH = 500_000;
/** Listings of each market, whatever its orders: what grows is the history. */
const GOODS = 10_000;
/** Orders in progress are what staff have in hand, whatever the history. */
const OPEN = 400;
/** Orders of one person as a buyer, and as many as a seller. */
const ORDERS_EACH = 100;
const DAYS = 1_095;
/** Numbers of generated rows begin here. */
const FIRST = 10_000_000;
/** As long as the snapshots of the demo market are on the average. */
const SNAPSHOT = JSON.stringify({
  title: '测试账号 皮肤齐全 全部换绑 秒发货',
  gameCode: 'wzry',
  gameName: '王者荣耀',
  areaName: '安卓 QQ',
  serverName: '手 Q 1 区 荣耀峡谷',
  attrs: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`field${i}`, `选项之一 ${i}`])),
  picture: { key: 'goods/0123456789abcdef0123456789abcdef', width: 1200, height: 900 },
  fieldsVersion: 1,
  version: 3,
});

async function superuser({ env }: BenchMarket): Promise<pg.Client> {
  const url = new URL(env.DATABASE_URL ?? '');
  url.username = 'postgres';
  url.password = readState(env.DATA_DIR ?? '')?.superPassword ?? '';
  const client = new pg.Client({ connectionString: url.href, options: '-c jit=off -c synchronous_commit=off' });
  await client.connect();
  return client;
}

const personOf = (number: string, people: number): string => `${FIRST} + (${number}) % ${people}`;

async function fillPeopleAndGoods(client: pg.Client, people: number, sellerId: number): Promise<void> {
  await client.query(
    `insert into app_user overriding system value select r.* from app_user u cross join generate_series(0, $2::int - 1) i
     cross join lateral jsonb_populate_record(u, jsonb_build_object('id', ${FIRST} + i, 'phone_hash', '\\x' || lpad(to_hex(i), 64, '0'),
       'union_num', 'U' || lpad(i::text, 9, '0'), 'invite_code', 'G' || lpad(i::text, 9, '0'), 'nick_name', '用户' || i)) r where u.id = $1`,
    [sellerId, people],
  );
  await client.query(`insert into goods (id, dist_id, seller_id, game_id, type_id, title, price_fen, stock, status, refreshed_at) overriding system value
    select ${FIRST} + i, 1, ${personOf('i', people)}, 1, case i % 2 when 0 then 1 else 27 end, '测试账号 皮肤齐全 ' || i, 1000 + i % 50000, 1, 2, now() - i * interval '1 minute'
    from generate_series(0, ${GOODS} - 1) i`);
  await client.query(`insert into goods_search (goods_id, game_id, type_id, seller_id, price_fen, refreshed_at, score, tsv)
    select id, game_id, type_id, seller_id, price_fen, refreshed_at, id % 1000, array_to_tsvector(array['测试', '账号', '皮肤', '齐全']) from goods where id >= ${FIRST}`);
  await client.query('insert into goods_stat (goods_id, game_id) select goods_id, game_id from goods_search');
}

/** Drops the indexes of orders that no constraint needs, and makes them again. */
const DROP_INDEXES = `do $$ declare i record; begin
  create temp table dropped_index as
    select c.relname as name, pg_get_indexdef(x.indexrelid) as def from pg_index x join pg_class c on c.oid = x.indexrelid
    where x.indrelid = 'orders'::regclass and not exists (select from pg_constraint k where k.conindid = x.indexrelid);
  for i in select name from dropped_index loop execute 'drop index ' || i.name; end loop;
end $$`;
const MAKE_INDEXES = `do $$ declare i record; begin
  for i in select def from dropped_index loop execute i.def; end loop;
  drop table dropped_index;
end $$`;

/** Orders over three years, the newest in progress; index by index, as a restored dump is. */
async function fillOrders(client: pg.Client, size: number, people: number): Promise<void> {
  await client.query(DROP_INDEXES);
  for (let from = 1; from <= size; from += BATCH)
    await client.query(
      `insert into orders (id, sn, dist_id, type_id, goods_id, goods_sn, game_id, buyer_id, seller_id, status, unit_price_fen, goods_fen, total_fen, fees, snapshot,
         created_at, paid_at, ship_by, shipped_at, auto_confirm_at, completed_at) overriding system value
       select ${FIRST} + i, 'G' || ${FIRST} + i, 1, type, case type when 27 then ${FIRST} + i % ${GOODS} end, 'YSG' || i % ${GOODS}, 1,
         ${personOf('i + 1', people)}, ${personOf('i', people)}, status, fen, fen, fen, '[]', $3::jsonb,
         at, at + interval '1 minute', at + interval '2 hours', case when status <> 1 then at + interval '10 minutes' end,
         case status when 2 then at + interval '3 days' end, case status when 3 then at + interval '1 hour' end
       from generate_series($1::int, $2::int) i cross join lateral (select case i % 2 when 0 then 1 else 27 end as type, 1000 + i % 50000 as fen,
         case when i > ${size - OPEN} then 1 + i % 2 when i % 10 = 2 then 7 else 3 end as status,
         now() - (${size} - i) * interval '${(DAYS * 86_400) / size} seconds' - interval '2 hours' as at) x`,
      [from, Math.min(from + BATCH - 1, size), SNAPSHOT],
    );
  console.log(`${size} orders: rows written, indexes to come`);
  await client.query("set maintenance_work_mem = '1GB'");
  await client.query('set max_parallel_maintenance_workers = 1');
  await client.query(MAKE_INDEXES);
}

/** The kept sums by day, as a recount of each day makes them. */
async function countFigures(client: pg.Client): Promise<void> {
  const day = `(completed_at at time zone 'Asia/Shanghai')::date`;
  await client.query(`insert into order_day (figure, day, dist_id, n, amount)
    select f.figure, f.day, o.dist_id, sum(f.n), sum(f.amount) from orders o cross join lateral order_figures(o) f group by 1, 2, 3`);
  await client.query(`insert into deal_day (day, game_id, type_id, deals)
    select ${day}, game_id, type_id, count(*) from orders where status = 3 group by 1, 2, 3`);
  await client.query(`insert into seller_day (day, game_id, seller_id, deals)
    select ${day}, game_id, seller_id, count(*) from orders where status = 3 group by 1, 2, 3`);
}

async function fill(market: BenchMarket, size: number): Promise<void> {
  const client = await superuser(market);
  const people = Math.ceil(size / ORDERS_EACH);
  const began = performance.now();
  const said = (what: string): void =>
    console.log(`${size} orders: ${what} after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  try {
    await client.query('set session_replication_role = replica');
    await fillPeopleAndGoods(client, people, market.sellerId);
    await fillOrders(client, size, people);
    said('stored');
    await countFigures(client);
    await client.query('vacuum analyze');
    const { rows } = await client.query<{ total: number; heap: number }>(
      `select pg_total_relation_size('orders')::float8 / 1e9 as total, pg_table_size('orders')::float8 / 1e9 as heap`,
    );
    said(`ready, ${rows[0]?.total.toFixed(2)} GB with indexes, ${rows[0]?.heap.toFixed(2)} GB rows,`);
  } finally {
    await client.end();
  }
}

/** Gives a client what a log-in leaves in a browser. */
function giveSession({ keys, config }: Context, client: TestClient, sid: string, isStaff: boolean): void {
  client.jar.set(cookieName(config, isStaff), sid);
  client.jar.set('csrfToken', derivedToken(keys, sid, 'csrf'));
  client.token = derivedToken(keys, sid, 'hdr');
}

type Paths = Readonly<Record<string, () => Promise<unknown>>>;

/** Reads of users, each with a name and its calls, as the law of slopes names them (tests/invariants/slopes.test.ts). */
async function pathsOf({ ctx }: BenchMarket): Promise<{ paths: Paths; close(): Promise<void> }> {
  const app = await createApp(ctx);
  await app.http.ready();
  await catalogue(ctx);
  const visitor = new TestClient(app.http);
  const origin = { distId: 1, ip: '127.0.0.1', agent: 'bench' };
  const person = new TestClient(app.http);
  giveSession(ctx, person, await openSession(ctx, { ...origin, userId: FIRST + 5, kind: 'web' }), false);
  const created = await createStaff(ctx.db, ctx.keys, {
    login: 'support',
    name: '客服',
    role: 'admin',
    password: 'Correct-horse-battery-9',
    totpSecret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    distId: undefined,
  });
  const staff = new TestClient(app.http, { host: 'backstage.localhost' });
  const staffSid = await openSession(ctx, { ...origin, staffId: created?.id ?? 0, kind: 'staff' });
  giveSession(ctx, staff, staffSid, true);
  const { list } = await visitor.ok(getGoodsList, { gameId: 1, sort: 'newest' });
  const goodsSn = list[0]?.goodsSn ?? '';
  const paths: Paths = {
    home: async () =>
      await Promise.all([
        visitor.ok(distCount, {}),
        visitor.ok(latestDealRecord, {}),
        visitor.ok(currentdayDealGoodsList, {}),
        visitor.ok(getFrontUserList, {}),
        visitor.ok(getGoodsList, { sort: 'newest' }),
      ]),
    'goods page': async () =>
      await Promise.all([visitor.ok(goodsInfo, { goodsSn }), visitor.ok(getAvGoodsList, { goodsSn })]),
    'own orders': async () => await person.ok(queryOrderList, { belong: 0 }),
    desk: async () => {
      await staff.ok(staffCounters, {});
      for (const scope of [
        {},
        { status: 2 },
        { mine: '1' },
        { late: '1' },
        { cancelAsked: '1' },
        { stopped: '1' },
      ] as const)
        await staff.ok(staffOrderList, scope);
    },
  };
  return { paths, close: async () => await app.http.close() };
}

async function main(): Promise<void> {
  const settings = { PUBLIC_CACHE_TTL_MS: '0', LIMIT_FACTOR: '1000', BACKSTAGE_HOST: 'backstage.localhost' };
  const markets: BenchMarket[] = [];
  const open: { paths: Paths; close(): Promise<void> }[] = [];
  try {
    for (const size of SIZES) {
      const market = await benchMarket({ buyers: 0, settings });
      markets.push(market);
      await fill(market, size);
      open.push(await pathsOf(market));
    }
    const names = Object.keys(open[0]?.paths ?? {});
    const times = new Map(names.map((name) => [name, SIZES.map((): number[] => [])]));
    for (let round = -WARM_ROUNDS; round < ROUNDS; round++)
      for (const [name, lists] of times)
        for (const [i, { paths }] of open.entries()) {
          const began = performance.now();
          await paths[name]?.();
          if (round >= 0) lists[i]?.push(performance.now() - began);
        }
    for (const [name, lists] of times) {
      const pages: number[] = [];
      for (const { paths } of open)
        pages.push((await readingsOf(async () => await paths[name]?.())).reduce((sum, one) => sum + one.pages, 0));
      const fast = lists.map((list) => quantile(list, 0.1));
      const cells = lists.map((list, i) => `${pages[i]} | ${fast[i]?.toFixed(1)} | ${median(list).toFixed(1)}`);
      console.log(`| ${name} | ${cells.join(' | ')} | ${((fast.at(-1) ?? 0) / (fast[0] ?? 0)).toFixed(2)} |`);
    }
  } finally {
    for (const one of open) await one.close();
    for (const market of markets) await market.close();
  }
}

await main();
