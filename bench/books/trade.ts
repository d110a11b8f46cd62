/**
 * Order and payment from the balance, both calls over HTTP with idempotency keys, against the same statements from a bare
 * script on the same database: 16 clients each, rounds taken in turn. `npm run bench -- trade`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createApp } from '#server/app.ts';
import { readState } from '#server/db/embedded-cluster.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { type BenchMarket, type Buyer, benchMarket } from '../lib/market.ts';
import { type Statement, recordStatements } from '../lib/statements.ts';
import { median, quantile } from '../lib/stats.ts';
import { drive, type Goods, orderBody, traders } from '../lib/traders.ts';

const CLIENTS = 16;
/** Enough users that none reaches the rate limit. */
const BUYERS = 400;
const ORDERS = Number(process.env.ORDERS ?? 2_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const PORT = 31_950;

/** Checkouts a second on this kind of machine (facts of peers, taken with their own measure). */
const PEERS = { vendure: 8.7, medusa: 1.9 };

/** The statements that one order with its payment runs, recorded inside a server of this process. */
async function record(
  market: BenchMarket,
  buyer: Buyer,
  goods: Goods,
): Promise<{ statements: Statement[]; orderId: number }> {
  const app = await createApp(market.ctx);
  await app.http.ready();
  const call = async (url: string, key: string, payload: string): Promise<number> => {
    const headers = { ...buyer.headers, 'idempotency-key': key };
    const response = await app.http.inject({ method: 'POST', url, headers, payload });
    const { code, msg, data } = response.json<{ code: number; msg: string; data: { orderId: number } }>();
    if (code !== 0) throw new Error(`${url}: ${code} ${msg}`);
    return data.orderId;
  };
  const recording = recordStatements();
  try {
    const orderId = await call('/api/order/placeOrder', `place-${goods.id}`, orderBody(goods));
    await call('/api/pay/balancePay', `pay-${goods.id}`, `orderId=${orderId}`);
    // Bus messages are sent in batches on a separate connection and are not part of a trade.
    return { statements: recording.take().filter(({ text }) => !text.includes('pg_notify')), orderId };
  } finally {
    recording.stop();
    await app.http.close();
  }
}

/** `value` of the recorded run translated to this one: numbers, keys and numbers inside a plan. */
function translate(value: unknown, replacements: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'number') return Number(replacements.get(String(value)) ?? value);
  if (typeof value !== 'string') return value;
  return replacements.get(value) ?? value.replaceAll(/[A-Za-z0-9-]+/g, (token) => replacements.get(token) ?? token);
}

/** The bare script: the recorded statements, as prepared ones, with other goods, buyers and keys. */
function bareScript(sample: { statements: Statement[]; orderId: number; buyer: Buyer; goods: Goods }) {
  const hashOf = (text: string): string => `b${sample.statements.findIndex((s) => s.text === text)}`;
  const plans = sample.statements.map((s) => ({ ...s, name: hashOf(s.text) }));
  return async (client: pg.Client, buyer: Buyer, goods: Goods): Promise<void> => {
    const replacements = new Map([
      [String(sample.goods.id), String(goods.id)],
      [sample.goods.sn, goods.sn],
      [String(sample.buyer.id), String(buyer.id)],
      [`place-${sample.goods.id}`, `place-${goods.id}`],
      [`pay-${sample.goods.id}`, `pay-${goods.id}`],
    ]);
    for (const plan of plans) {
      const values = plan.values.map((value) => withOwnNumber(translate(value, replacements), goods));
      const { rows } = await client.query<{ facts?: { orderId?: number } }>({
        name: plan.name,
        text: plan.text,
        values,
      });
      const placed = rows[0]?.facts?.orderId;
      if (placed !== undefined) replacements.set(String(sample.orderId), String(placed));
    }
  };
}

/** A plan that places an order carries the order's public number, which must be new. */
function withOwnNumber(value: unknown, goods: Goods): unknown {
  return typeof value === 'string' && value.startsWith('{')
    ? value.replace(/"sn":"\d{18}"/, `"sn":"${String(goods.id).padStart(18, '9')}"`)
    : value;
}

interface Runs {
  http: number[];
  bare: number[];
  ms: number[];
}

const STEPS = 2_000;

/** A connection of the database's owner: the market's own role may neither move sequences nor switch triggers. End it. */
async function ownerClient(market: BenchMarket): Promise<pg.Client> {
  const state = readState(market.env.DATA_DIR ?? '');
  const url = new URL(market.env.DATABASE_URL ?? '');
  url.username = 'postgres';
  url.password = state?.superPassword ?? '';
  const client = new pg.Client({ connectionString: url.href, options: '-c jit=off' });
  await client.connect();
  return client;
}

/** Makes ids far from every other number in a plan, so that the bare script finds them again. */
async function moveIds(market: BenchMarket): Promise<void> {
  const client = await ownerClient(market);
  await client.query(`select setval(pg_get_serial_sequence('goods', 'id'), 710000000)`);
  await client.query(`select setval(pg_get_serial_sequence('orders', 'id'), 830000000)`);
  await client.end();
}

/**
 * What the trigger that keeps the figures (docs/decisions/370) costs in a step of an order: the same steps with and without it, in turn, in a
 * transaction that is rolled back. Median ms of a step.
 */
async function costOfFigures(market: BenchMarket): Promise<{ withFiguresMs: number; withoutMs: number }> {
  const client = await ownerClient(market);
  const times = { enable: [] as number[], disable: [] as number[] };
  try {
    const { rows } = await client.query<{ id: number }>(
      'select id from orders where paid_at is not null order by id desc limit 100',
    );
    for (const how of ['enable', 'disable', 'disable', 'enable'] as const) {
      await client.query('begin');
      await client.query(`alter table orders ${how} trigger orders_counted`);
      for (let i = 0; i < STEPS / 2; i++) {
        const began = performance.now();
        await client.query({
          name: 'step',
          text: "update orders set paid_at = paid_at + interval '1 day' where id = $1",
          values: [rows[i % rows.length]?.id],
        });
        times[how].push(performance.now() - began);
      }
      await client.query('rollback');
    }
  } finally {
    await client.end();
  }
  const shown = (list: number[]): number => Number(median(list).toFixed(3));
  return { withFiguresMs: shown(times.enable), withoutMs: shown(times.disable) };
}

/** Has the database count the time of every function, triggers included, from the next connection on. */
async function countFunctions(market: BenchMarket): Promise<void> {
  const client = await ownerClient(market);
  await client.query(`alter system set track_functions = 'all'`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

/** The functions that took the most time: calls and own time of each by order of both kinds, in microseconds. */
async function printFunctions(market: BenchMarket, orders: number): Promise<void> {
  const client = await ownerClient(market);
  const { rows } = await client.query(
    `select funcname as name, round(calls / $1::numeric, 2)::float8 as calls, round((self_time * 1000 / $1)::numeric)::int as "selfUs"
     from pg_stat_user_functions order by self_time desc limit 30`,
    [orders],
  );
  await client.end();
  console.table(rows);
}

/** Rounds of both in turn; the first one warms up and does not count. */
async function measure(market: BenchMarket, admin: pg.Client, clients: readonly pg.Client[]): Promise<Runs> {
  const buyerOf = (goods: Goods): Buyer => market.buyers[goods.id % BUYERS] as Buyer;
  const [goods] = await market.addGoods(1);
  if (!goods) throw new Error('no goods');
  const buyer = buyerOf(goods);
  const bare = bareScript({ ...(await record(market, buyer, goods)), buyer, goods });
  const server = serverProcess(PORT, market.env);
  const people = traders(PORT, CLIENTS);
  const runs: Runs = { http: [], bare: [], ms: [] };
  try {
    await server.start();
    for (let round = -1; round < ROUNDS; round++) {
      const ofHttp = await market.addGoods(ORDERS);
      const ofBare = await market.addGoods(ORDERS);
      const web = await drive(ofHttp, CLIENTS, (item) => people.trade(buyerOf(item), item));
      await drained(admin);
      const sql = await drive(ofBare, CLIENTS, (item, i) => bare(clients[i] as pg.Client, buyerOf(item), item));
      await drained(admin);
      if (round < 0) continue;
      runs.http.push(web.perSecond);
      runs.bare.push(sql.perSecond);
      runs.ms.push(...web.times);
      const ratio = (web.perSecond / sql.perSecond).toFixed(2);
      console.log(`round ${round}: ${web.perSecond.toFixed(0)} over HTTP, ${sql.perSecond.toFixed(0)} bare, ${ratio}`);
    }
    return runs;
  } finally {
    await server.kill();
    people.close();
  }
}

async function main(): Promise<void> {
  const market = await benchMarket({ buyers: BUYERS });
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: market.env.DATABASE_URL, options: '-c jit=off' });
    await client.connect();
    return client;
  };
  const admin = await connect();
  const clients = await Promise.all(Array.from({ length: CLIENTS }, connect));
  try {
    await moveIds(market);
    if (process.env.FUNCTIONS === '1') await countFunctions(market);
    const runs = await measure(market, admin, clients);
    if (process.env.FUNCTIONS === '1') await printFunctions(market, 2 * ORDERS * (ROUNDS + 1));
    const ratios = runs.http.map((value, i) => value / (runs.bare[i] ?? Number.NaN));
    console.log({
      ordersASecond: Math.round(median(runs.http)),
      bareASecond: Math.round(median(runs.bare)),
      ratio: Number(median(ratios).toFixed(2)),
      p50Ms: Number(quantile(runs.ms, 0.5).toFixed(1)),
      p99Ms: Number(quantile(runs.ms, 0.99).toFixed(1)),
      ...(await costOfFigures(market)),
      timesVendure: Math.round(median(runs.http) / PEERS.vendure),
      timesMedusa: Math.round(median(runs.http) / PEERS.medusa),
      brokenInvariants: await brokenInvariants(market.ctx.db),
    });
  } finally {
    await Promise.all([admin, ...clients].map((client) => client.end()));
    await market.close();
  }
}

/** Waits until the server has carried out every event, so that one measurement does not pay for another. */
async function drained(admin: pg.Client): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const { rows } = await admin.query<{ n: number }>('select count(*)::int as n from outbox');
    if (rows[0]?.n === 0) return;
    await sleep(200);
  }
  throw new Error('events are not carried out');
}

await main();
