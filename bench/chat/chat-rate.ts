/**
 * `npm run bench -- chat-rate`: how many messages a second one node delivers in groups of four, each stored before it is acknowledged. People say
 * more and more a second (they may say two each); a rate is kept when every delivery came and 99 of 100 within a second. The load shares the
 * machine. RATES are the messages a second that are tried.
 */
import { sql } from 'kysely';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { benchMarket } from '../lib/market.ts';
import { quantile } from '../lib/stats.ts';
import { chatTalkers, MEMBERS, round } from '../lib/talk.ts';

const RATES = (process.env.RATES ?? '500,1000,1500,2000,3000,4000,5000').split(',').map(Number);
const SECONDS = Number(process.env.SECONDS ?? 8);
const PORT = 31_964;
/** The chat takes 20 messages in 10 s of each. */
const PER_MEMBER = 1.8;
const KEPT_MS = 1000;

const people = Math.ceil(Math.max(...RATES) / PER_MEMBER / MEMBERS) * MEMBERS;
const market = await benchMarket({ buyers: people });
await sql`insert into dist_host (dist_id, host) values (1, 'localhost') on conflict do nothing`.execute(market.ctx.db);
const chat = serverProcess(PORT, market.env, 'tests/support/servers/api-main.ts');
await chat.start();
const talkers = await chatTalkers(market, PORT);
console.log(`${talkers.length} connections`);
let kept = 0;
for (const rate of RATES) {
  const { times, lost } = await round(talkers, { everyMs: (talkers.length * 1000) / rate, seconds: SECONDS });
  const delivered = Math.round(times.length / SECONDS);
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  console.log(
    `${rate} messages a second: ${delivered} delivered a second, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms, ${lost} not in time`,
  );
  if (lost > 0 || p99 > KEPT_MS) break;
  kept = delivered;
}
console.log(JSON.stringify({ connections: talkers.length, deliveredASecond: kept }));
for (const { ws } of talkers) ws.terminate();
await chat.kill();
await market.close();
process.exit(0);
