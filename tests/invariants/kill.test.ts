/**
 * Kill -9 of the server and of PostgreSQL while 2,000 payments are under way, alternating, several times. Afterwards the books are whole, no order is
 * paid without its money or the reverse, and every client that asked again under its key has one result. Effects, whose commits do not wait
 * for the disk, are either there or still to be carried out. And a job that takes PostgreSQL down with it is given up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Effects } from '#server/jobs/events.ts';
import type { JobSpec } from '#server/jobs/kinds.ts';
import { timersOnce } from '#server/jobs/workers.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import {
  type ServerResponse,
  killable,
  type KillableMarket,
  type Walker,
  NO_RESPONSE,
} from '#tests/support/servers/killable.ts';
import { deliveredEffects } from '#tests/support/orders/delivered-effects.ts';
import { seededChance } from '#tests/support/time/chance.ts';
import { sizeOf } from '#tests/sizes.ts';

const chance = seededChance('kill');

const ROUNDS = sizeOf('killRounds');
const PAYMENTS = 2000;
const BUYERS = 50;
const BALANCE_FEN = 90_000_000;

let market: KillableMarket;
let sellerId = 0;
const buyers: Walker[] = [];

beforeAll(async () => {
  market = await killable('kill');
  sellerId = (await market.person(0)).id;
  for (let i = 0; i < BUYERS; i++) buyers.push(await market.person(BALANCE_FEN));
}, 300_000);
afterAll(async () => await market.close());

/** 2,000 unpaid orders, spread over the buyers. */
async function placeOrders(round: number): Promise<{ id: number; buyer: number }[]> {
  const { rows } = await sql<{ id: number; buyer: number }>`
    with g as (insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, status)
      select 1, ${sellerId}, 1, 1, '测试账号', 1000, 4 from generate_series(1, ${PAYMENTS}) returning id, sn),
    n as (select id, sn, row_number() over (order by id)::int as i from g)
    insert into orders (sn, dist_id, type_id, goods_id, goods_sn, game_id, buyer_id, seller_id, unit_price_fen, goods_fen, service_fee_fen, total_fen, commission_fen, fees, snapshot)
    select 'K' || ${round}::int || '-' || i, 1, 1, id, sn, 1, (${buyers.map((b) => b.id)}::bigint[])[1 + i % ${BUYERS}], ${sellerId}, 1000, 1000, 10, 1010, 50, '[]', '{}'
    from n returning id, buyer_id as buyer`.execute(market.ctx.db);
  return rows;
}

function send(order: { id: number; buyer: number }): Promise<ServerResponse> {
  const headers = buyers.find((b) => b.id === order.buyer)?.headers ?? {};
  return market.send(headers, '/api/pay/balancePay', { orderId: String(order.id) }, `pay-${order.id}`);
}

/** Asks until there is a definitive answer. Returns how often it had to ask, and the answer. */
async function payUntilKnown(order: { id: number; buyer: number }): Promise<{ tries: number; body: string }> {
  for (let tries = 1; tries < 200; tries++) {
    const response = await send(order);
    if (response.status === 200) return { tries, body: response.body };
    if (response.status !== NO_RESPONSE && response.status !== 503 && response.status !== 429)
      throw new Error(`${response.status} ${response.body}`);
    await sleep(50 + chance.next() * 150);
  }
  throw new Error('no definitive answer');
}

async function strike(round: number): Promise<void> {
  await sleep(100 + chance.next() * 400);
  if (round % 2 === 0) {
    await market.server.kill();
    await market.server.start();
  } else if (market.database.pid !== undefined) process.kill(market.database.pid, 'SIGKILL');
}

test.each(Array.from({ length: ROUNDS }, (_, i) => i))('round %i', { timeout: 300_000 }, async (round) => {
  const orders = await placeOrders(round);
  const [results] = await Promise.all([Promise.all(orders.map(payUntilKnown)), strike(round)]);
  expect(results.some((r) => r.tries > 1)).toBe(true);
  await market.reachable();
  const { rows } = await sql<{
    status: number;
    n: number;
  }>`select status, count(*) as n from orders where sn like ${`K${round}-%`} group by status`.execute(market.ctx.db);
  expect(rows).toEqual([{ status: 1, n: PAYMENTS }]);
  for (const i of [0, 7, 1999]) {
    const order = orders[i];
    if (order) expect((await payUntilKnown(order)).body).toBe(results[i]?.body);
  }
  expect(await brokenInvariants(market.ctx.db)).toEqual([]);
  const effects = await deliveredEffects(market.ctx.db);
  expect(effects.n).toBeGreaterThan(0);
  expect(effects.missing).toBe(0);
});

test('a job that takes PostgreSQL down each time it runs becomes a dead letter after its attempts', {
  timeout: 300_000,
}, async () => {
  const { ctx, database } = market;
  const deadly: JobSpec<'text'> = { lane: 'upkeep', key: 'text', attempts: 2, leaseSeconds: 1, every: undefined };
  const effects = new Effects({ topics: {}, jobs: { 'test.deadly': deadly } });
  let runs = 0;
  effects.timer('test.deadly', async () => {
    runs += 1;
    if (database.pid !== undefined) process.kill(database.pid, 'SIGKILL');
    for (;;) await sql`select 1`.execute(ctx.db);
  });
  const letters = async (): Promise<{ error: string; attempts: number }[]> =>
    (
      await sql<{ error: string; attempts: number }>`
        select error, attempts from dead_letter where what = 'job' and name = 'test.deadly'`.execute(ctx.db)
    ).rows;
  await market.reachable();
  await sql`insert into timer (kind, ref, due_at) values ('test.deadly', '1', now())`.execute(ctx.db);
  // The first claim may be lost with the log; the later ones are counted.
  const MAX_RUNS = deadly.attempts + 1;
  while (runs <= MAX_RUNS && (await letters()).length === 0) {
    await timersOnce(ctx, effects).catch(() => 0);
    await market.reachable();
    await sleep(200);
  }
  expect(await letters()).toEqual([{ error: '进程在运行中结束', attempts: deadly.attempts + 1 }]);
  expect(runs).toBeLessThanOrEqual(MAX_RUNS);
});
