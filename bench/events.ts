/**
 * Events carried out a second, by one process with the database beside it: each kind alone, written first and then timed until the outbox is
 * empty. `npm run bench -- events`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createApp } from '#server/app.ts';
import { startEffects } from '#server/jobs/run.ts';
import { benchMarket } from './lib/market.ts';
import { median } from './lib/stats.ts';

const EVENTS = Number(process.env.EVENTS ?? 3_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);

const market = await benchMarket({ buyers: 50 });
const { db } = market.ctx;
const app = await createApp(market.ctx);
await app.http.ready();
const effects = startEffects(market.ctx, app.effects);
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
  };
  for (const [topic, fill] of Object.entries(write)) {
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await fill();
      const begun = performance.now();
      for (let left = EVENTS; left > 0; await sleep(5)) {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from outbox`.execute(db);
        left = rows[0]?.n ?? 0;
      }
      rates.push(EVENTS / ((performance.now() - begun) / 1000));
    }
    const failed = await sql<{ n: number }>`select count(*)::int as n from timer where kind = 'event'`.execute(db);
    console.log(topic, {
      eventsASecond: Math.round(median(rates)),
      rounds: rates.map(Math.round),
      failed: failed.rows[0]?.n,
    });
  }
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from notice where kind = 'money.hold'`.execute(
    db,
  );
  if (rows[0]?.n !== EVENTS * ROUNDS) throw new Error(`${rows[0]?.n} notices of ${EVENTS * ROUNDS}`);
} finally {
  await effects.stop();
  await app.http.close();
  await market.close();
}
