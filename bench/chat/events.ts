/**
 * Events carried out a second, by one process with the database beside it: each kind alone, written first and then timed until the outbox is
 * empty, with the processor time of this process for each. `npm run bench -- events`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { createApp } from '#server/app.ts';
import { startEffects } from '#server/jobs/run.ts';
import { type Buyer, benchMarket } from '../lib/market.ts';
import { median } from '../lib/stats.ts';
import { drive, traders } from '../lib/traders.ts';

const EVENTS = Number(process.env.EVENTS ?? 3_000);
/** Orders with payment of a round; placed and paid before it is timed. */
const ORDERS = Number(process.env.ORDERS ?? 600);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const BUYERS = 50;

const market = await benchMarket({ buyers: BUYERS });
const { db } = market.ctx;
const app = await createApp(market.ctx);
await app.http.listen({ port: 0, host: '127.0.0.1' });
const clients = traders((app.http.server.address() as AddressInfo).port, 4);

/** Writes the events of paid orders, as buyers do. Nothing delivers them yet. */
async function payOrders(): Promise<void> {
  const goods = await market.addGoods(ORDERS);
  await drive(goods, 4, async (item) => await clients.trade(market.buyers[item.id % BUYERS] as Buyer, item));
}

/** Delivers what was written; the seconds until nothing is left, and the milliseconds of this process. */
async function deliverEvents(): Promise<{ seconds: number; busyMs: number }> {
  const effects = startEffects(market.ctx, app.effects);
  const busy = process.cpuUsage();
  const begun = performance.now();
  try {
    for (let left = 1; left > 0; await sleep(5)) {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from outbox`.execute(db);
      left = rows[0]?.n ?? 0;
    }
    const { user, system } = process.cpuUsage(busy);
    return { seconds: (performance.now() - begun) / 1000, busyMs: (user + system) / 1000 };
  } finally {
    await effects.stop();
  }
}

try {
  const ids = (await market.addGoods(EVENTS)).map(({ id }) => id);
  const people = market.buyers.map(({ id }) => id);
  const write: Record<string, () => Promise<unknown>> = {
    'goods.reindex': () =>
      sql`insert into outbox (topic, payload) select 'goods.reindex', jsonb_build_object('goodsId', id) from unnest(${ids}::bigint[]) id`.execute(
        db,
      ),
    'goods.score': () =>
      sql`insert into outbox (topic, payload) select 'goods.score', jsonb_build_object('goodsId', id) from unnest(${ids}::bigint[]) id`.execute(
        db,
      ),
    // Heard, and found to be about nothing: what the relay itself costs.
    'order.sellerCancelled': () =>
      sql`insert into outbox (topic, payload) select 'order.sellerCancelled', jsonb_build_object('orderId', 900000000 + n) from generate_series(1, ${EVENTS}::int) n`.execute(
        db,
      ),
    notice: () =>
      sql`insert into outbox (topic, payload) select 'notice', jsonb_build_object('kind', 'money.hold', 'userId', (${people}::bigint[])[1 + n % ${people.length}],
        'ref', gen_random_uuid()::text, 'values', jsonb_build_object('text', '测试')) from generate_series(1, ${EVENTS}::int) n`.execute(
        db,
      ),
    'order.paid': payOrders,
  };
  for (const [topic, fill] of Object.entries(write)) {
    const count = topic === 'order.paid' ? ORDERS : EVENTS;
    const rates: number[] = [];
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await fill();
      const { seconds, busyMs } = await deliverEvents();
      rates.push(count / seconds);
      times.push(busyMs / count);
    }
    const failed = await sql<{ n: number }>`select count(*)::int as n from timer where kind = 'event'`.execute(db);
    console.log(topic, {
      eventsASecond: Math.round(median(rates)),
      rounds: rates.map(Math.round),
      busyMsAnEvent: median(times).toFixed(2),
      failed: failed.rows[0]?.n,
    });
  }
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from notice where kind = 'money.hold'`.execute(
    db,
  );
  if (rows[0]?.n !== EVENTS * ROUNDS) throw new Error(`${rows[0]?.n} notices of ${EVENTS * ROUNDS}`);
} finally {
  clients.close();
  await app.http.close();
  await market.close();
}
