/**
 * Whether the snapshot of an order belongs in a separate table: its bytes, what a change of status writes and reads, and what lists read, with
 * the snapshot in the row and beside it; and the log of a whole order, which that is compared with. First fill a market, then measure it; its orders
 * are copied until there are ORDERS (100,000), and it is of no use afterwards:
 *
 *     DATA_DIR=/tmp/snapshot npm run seed
 *     DATA_DIR=/tmp/snapshot npm run bench -- snapshot
 *
 * Without DATA_DIR only the whole order is measured.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '#server/db/embedded.ts';
import { readState } from '#server/db/embedded-cluster.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { benchMarket, type Buyer } from '../lib/market.ts';
import { drive, traders } from '../lib/traders.ts';

const ORDERS = Number(process.env.ORDERS ?? 100_000);
/** Orders whose status is changed in each variant, each twice. */
const STEPS = Number(process.env.STEPS ?? 1_000);
const PLACED = 500;
const TRADES = 600;
const BUYERS = 50;
const PORT = 32_310;
const CLIENTS = 8;
const quiet = { info: () => undefined, warn: console.warn, error: console.error };

type Variant = 'in the row' | 'beside it';

/** The cost of a statement: pages found, pages changed, and the log it wrote. */
interface Cost {
  pages: number;
  dirtied: number;
  records: number;
  fullPages: number;
  bytes: number;
}

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Shared Dirtied Blocks': number;
  'WAL Records'?: number;
  'WAL FPI'?: number;
  'WAL Bytes'?: number;
}

async function costOf(client: pg.Client, text: string, values: unknown[] = []): Promise<Cost> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, buffers, wal, timing off, format json) ${text}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error(`no plan of ${text}`);
  return {
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    dirtied: plan['Shared Dirtied Blocks'],
    records: plan['WAL Records'] ?? 0,
    fullPages: plan['WAL FPI'] ?? 0,
    bytes: plan['WAL Bytes'] ?? 0,
  };
}

/** The mean cost of a statement for each of the ids; several statements of one id are added up. */
async function meanCost(client: pg.Client, texts: readonly string[], ids: readonly number[]): Promise<Cost> {
  const sum: Cost = { pages: 0, dirtied: 0, records: 0, fullPages: 0, bytes: 0 };
  for (const id of ids)
    for (const text of texts) {
      const cost = await costOf(client, text, [id]);
      for (const key of Object.keys(sum) as (keyof Cost)[]) sum[key] += cost[key];
    }
  const mean = (n: number): number => Number((n / ids.length).toFixed(1));
  return {
    pages: mean(sum.pages),
    dirtied: mean(sum.dirtied),
    records: mean(sum.records),
    fullPages: mean(sum.fullPages),
    bytes: Math.round(sum.bytes / ids.length),
  };
}

/** Copies beyond the numbers of real orders; only one live order may name a listing, so copies name none. */
const FIRST_COPY = 10_000_000;
const copyOf = (id: string): string =>
  `jsonb_populate_record(o, jsonb_build_object('id', ${id}, 'sn', 'S' || ${id}, 'goods_id', null))`;

async function copyOrders(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from orders');
  const count = rows[0]?.n ?? 0;
  if (count >= ORDERS) return;
  const copies = Math.ceil(ORDERS / count);
  await client.query(
    `insert into orders overriding system value select r.* from orders o cross join generate_series(1, $1::int) i
     cross join lateral ${copyOf(`${FIRST_COPY} + i * 100000 + o.id`)} r order by md5(o.id || ' ' || i)`,
    [copies],
  );
}

async function printSizes(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`
    select count(*)::int as orders, round(avg(pg_column_size(snapshot)))::int as "snapshotBytes", max(pg_column_size(snapshot)) as "largest",
      round(avg(pg_column_size(o.*)))::int as "rowBytes", count(*) filter (where pg_column_toast_chunk_id(snapshot) is not null)::int as "toasted",
      round(count(*)::numeric / (pg_relation_size('orders') / 8192), 2)::float8 as "rowsAPage", pg_relation_size('orders') / 8192 as pages
    from orders o`);
  console.log(JSON.stringify(rows[0]));
}

/** The lists that show titles, and reads that need no snapshot. `O` is the order with its snapshot as `snapshot`. */
const READS: Readonly<Record<string, string>> = {
  'desk, 30 paid orders':
    "select o.sn, o.snapshot->>'gameName', o.snapshot->>'title', b.nick_name, s.nick_name from (select o.* from O o where o.status = 1 order by o.created_at desc, o.id desc limit 31) o join app_user b on b.id = o.buyer_id join app_user s on s.id = o.seller_id",
  'own orders, 20':
    'select o.* from O o where o.buyer_id = (select buyer_id from orders group by 1 order by count(*) desc limit 1) order by o.id desc limit 21',
  'valuation, 500 newest sales of a game':
    "select o.snapshot->'attrs' from O o where o.status = 3 and o.game_id = (select game_id from orders where status = 3 group by 1 order by count(*) desc limit 1) order by o.completed_at desc, o.id desc limit 500",
  'sums of all orders (no snapshot)': 'select sum(total_fen), count(paid_at) from orders',
};
const BESIDE = '(select o.*, x.snapshot as kept from orders o join order_snapshot x on x.order_id = o.id)';
const readIn = (variant: Variant, text: string): string =>
  variant === 'in the row'
    ? text.replaceAll(' O o', ' orders o')
    : text.replaceAll('o.snapshot', 'o.kept').replaceAll(' O o', ` ${BESIDE} o`);

const SHIP = `update orders set status = 2, shipped_at = now(), auto_confirm_at = now() + interval '3 days', confirm_stopped_at = null where id = $1 and status = any ('{1}')`;
const COMPLETE = `update orders set status = 3, completed_at = now() where id = $1 and status = any ('{2}')`;
const TOUCH = `update orders set touched_at = now() where id = $1`;

async function hotUpdates(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ n: number }>(
    `select n_tup_hot_upd::int as n from pg_stat_user_tables where relname = 'orders'`,
  );
  return rows[0]?.n ?? 0;
}

async function measure(client: pg.Client, variant: Variant, ids: readonly number[]): Promise<void> {
  await client.query('vacuum full orders');
  await client.query('vacuum analyze');
  console.log(`\nsnapshot ${variant}`);
  await printSizes(client);
  for (const [name, text] of Object.entries(READS)) {
    const read = readIn(variant, text);
    await costOf(client, read);
    console.log(`  ${name}: ${(await costOf(client, read)).pages} pages`);
  }
  await client.query('checkpoint');
  const hot = await hotUpdates(client);
  const print = (what: string, cost: Cost): void => console.log(`  ${what}:`, JSON.stringify(cost));
  print('paid → shipped, after a checkpoint', await meanCost(client, [SHIP], ids));
  print('shipped → completed, soon after', await meanCost(client, [COMPLETE], ids));
  print('a column without an index', await meanCost(client, [TOUCH], ids));
  console.log(`  within their page (HOT): ${(await hotUpdates(client)) - hot} of ${3 * ids.length}`);
  const own = `$1::bigint + ${variant === 'in the row' ? 1_000_000_000 : 2_000_000_000}`;
  const place = `insert into orders overriding system value select r.* from orders o cross join lateral ${copyOf(own)} r where o.id = $1`;
  const keep = `insert into order_snapshot select ${own}, snapshot from order_snapshot where order_id = $1`;
  const inserts = variant === 'in the row' ? [place] : [place, keep];
  print('placed', await meanCost(client, inserts, ids.slice(0, PLACED)));
}

/** The log that one order with payment and its effects writes in a market, and how often its row changes. */
async function wholeOrder(): Promise<void> {
  const market = await benchMarket({ buyers: BUYERS });
  const admin = new pg.Client({ connectionString: market.env.DATABASE_URL });
  await admin.connect();
  const server = serverProcess(PORT, { ...market.env, WITH_EFFECTS: '1' }, 'tests/support/servers/api-main.ts');
  const people = traders(PORT, CLIENTS);
  const read = async () => {
    const { rows } = await admin.query<{ lsn: number; placed: number; changed: number }>(`
      select (pg_current_wal_insert_lsn() - '0/0')::float8 as lsn, n_tup_ins::int as placed, n_tup_upd::int as changed
      from pg_stat_user_tables where relname = 'orders'`);
    return rows[0] ?? { lsn: 0, placed: 0, changed: 0 };
  };
  const trade = async (count: number): Promise<void> => {
    const goods = await market.addGoods(count);
    await drive(goods, CLIENTS, (item) => people.trade(market.buyers[item.id % BUYERS] as Buyer, item));
    for (let n = 1; n > 0; await sleep(200))
      n = (await admin.query<{ n: number }>('select count(*)::int as n from outbox')).rows[0]?.n ?? 0;
    // Until every connection has reported its changes.
    await sleep(2_000);
  };
  try {
    await server.start();
    await trade(100);
    const before = await read();
    await trade(TRADES);
    const after = await read();
    const placed = after.placed - before.placed;
    console.log(
      `\na whole order with payment and effects: ${Math.round((after.lsn - before.lsn) / placed)} bytes of log, its row changes ${((after.changed - before.changed) / placed).toFixed(1)} times`,
    );
  } finally {
    await server.kill();
    people.close();
    await admin.end();
    await market.close();
  }
}

const MOVE = `do $$ begin
  create table order_snapshot (order_id bigint primary key, snapshot jsonb not null);
  insert into order_snapshot select id, snapshot from orders order by id;
  update orders set snapshot = '{}';
end $$`;

/** The two variants, one after the other, in the market of `dataDir`. */
async function tables(dataDir: string): Promise<void> {
  const database = await startEmbedded({ dataDir, log: quiet });
  const url = new URL(database.ownerUrl);
  url.username = 'postgres';
  url.password = readState(dataDir)?.superPassword ?? '';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // Measured is the table with its indexes, without what triggers do in other tables.
    await client.query('set session_replication_role = replica');
    await copyOrders(client);
    const { rows } = await client.query<{ id: number }>(
      `select id from orders where status = 1 and id >= ${FIRST_COPY} order by md5(id::text) limit $1`,
      [2 * STEPS],
    );
    const ids = rows.map(({ id }) => Number(id));
    if (ids.length < 2 * STEPS) throw new Error(`only ${ids.length} paid orders; set STEPS or ORDERS`);
    await measure(client, 'in the row', ids.slice(0, STEPS));
    await client.query(MOVE);
    await measure(client, 'beside it', ids.slice(STEPS));
  } finally {
    await client.end();
    await database.stop();
  }
}

if (process.env.DATA_DIR !== undefined) await tables(process.env.DATA_DIR);
await wholeOrder();
