/**
 * Orders with payment that keep coming at one rate while their effects are carried out by the same server: how old the oldest undelivered event is
 * (looked at ten times a second), and whether the last round is as the first. `npm run bench -- sustained`; RATE orders a second (150), ROUNDS of
 * SECONDS each (10 of 10).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { benchMarket, type Buyer } from '../lib/market.ts';
import { median, quantile } from '../lib/stats.ts';
import { type Goods, traders } from '../lib/traders.ts';

const PORT = 31_951;
const BUYERS = 400;
const SOCKETS = 64;
const RATE = Number(process.env.RATE ?? 150);
const ROUNDS = Number(process.env.ROUNDS ?? 10);
const SECONDS = Number(process.env.SECONDS ?? 10);
const SAMPLE_MS = 100;
/** Rounds at a third of the rate, until the server's code is optimised. */
const WARM_ROUNDS = 1;

interface Round {
  perSecond: number;
  p50: number;
  p99: number;
  ageP99: number;
  leftEvents: number;
}

/** Samples the age of the oldest undelivered event, in ms, until stopped. */
function watchAge(admin: pg.Client): { stop(): Promise<number[]> } {
  const ages: number[] = [];
  let isRunning = true;
  const watching = (async () => {
    while (isRunning) {
      const { rows } = await admin.query<{ age: number }>(
        'select coalesce(extract(epoch from clock_timestamp() - min(created_at)) * 1000, 0)::float8 as age from outbox',
      );
      ages.push(rows[0]?.age ?? 0);
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    async stop() {
      isRunning = false;
      await watching;
      return ages;
    },
  };
}

/** Starts one order every 1/RATE s, whether or not those before are answered; ends when all are. */
async function offer(
  goods: readonly Goods[],
  rate: number,
  trade: (item: Goods) => Promise<void>,
): Promise<{ perSecond: number; times: number[] }> {
  const begun = performance.now();
  const times: number[] = [];
  const open: Promise<void>[] = [];
  for (const [i, item] of goods.entries()) {
    const due = begun + (i * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 1) await sleep(wait);
    open.push(trade(item).then(() => void times.push(performance.now() - due)));
  }
  await Promise.all(open);
  return { perSecond: goods.length / ((performance.now() - begun) / 1000), times };
}

async function main(): Promise<void> {
  const market = await benchMarket({ buyers: BUYERS });
  const admin = new pg.Client({ connectionString: market.env.DATABASE_URL });
  await admin.connect();
  const server = serverProcess(PORT, market.env);
  const people = traders(PORT, SOCKETS);
  const rounds: Round[] = [];
  try {
    await server.start();
    for (let n = -WARM_ROUNDS; n < ROUNDS; n++) {
      const rate = n < 0 ? RATE / 3 : RATE;
      const goods = await market.addGoods(Math.round(rate * SECONDS));
      const age = watchAge(admin);
      const { perSecond, times } = await offer(goods, rate, (item) =>
        people.trade(market.buyers[item.id % BUYERS] as Buyer, item),
      );
      const ages = await age.stop();
      if (n < 0) continue;
      const { rows } = await admin.query<{ n: number }>('select count(*)::int as n from outbox');
      const round = {
        perSecond: Math.round(perSecond),
        p50: Math.round(quantile(times, 0.5)),
        p99: Math.round(quantile(times, 0.99)),
        ageP99: Math.round(quantile(ages, 0.99)),
        leftEvents: rows[0]?.n ?? 0,
      };
      rounds.push(round);
      console.log(`round ${n}:`, JSON.stringify(round));
    }
    console.log({
      offered: RATE,
      perSecond: median(rounds.map((r) => r.perSecond)),
      first: rounds[0]?.perSecond,
      last: rounds.at(-1)?.perSecond,
      p99Ms: median(rounds.map((r) => r.p99)),
      outboxAgeP99Ms: Math.max(...rounds.map((r) => r.ageP99)),
      brokenInvariants: await brokenInvariants(market.ctx.db),
    });
  } finally {
    await server.kill();
    people.close();
    await admin.end();
    await market.close();
  }
}

await main();
