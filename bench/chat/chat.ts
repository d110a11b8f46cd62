/**
 * From one member's `send` to every member's `msg`, each message stored before it is acknowledged; compared with a bare `ws` echo with
 * the same rooms and rate, and with an echo that also waits for the same disk, which shows the disk's share of the time. `npm run
 * bench -- chat`.
 */
import { join } from 'node:path';
import { sql } from 'kysely';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { benchMarket } from '../lib/market.ts';
import { median, quantile } from '../lib/stats.ts';
import { chatTalkers, echoTalkers, MEMBERS, round } from '../lib/talk.ts';

const ROOMS = Number(process.env.ROOMS ?? 25);
/** Per member; the chat accepts 20 in 10 s. */
const EVERY_MS = 1000;
const SECONDS = Number(process.env.SECONDS ?? 12);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const PORTS = { chat: 31_961, echo: 31_962, disk: 31_963 };
const TARGETS = ['echo', 'disk', 'chat'] as const;
type Target = (typeof TARGETS)[number];

async function main(): Promise<void> {
  const market = await benchMarket({ buyers: ROOMS * MEMBERS });
  await sql`insert into dist_host (dist_id, host) values (1, 'localhost') on conflict do nothing`.execute(
    market.ctx.db,
  );
  const chat = serverProcess(PORTS.chat, market.env, 'tests/support/servers/api-main.ts');
  const echo = serverProcess(PORTS.echo, {}, 'bench/lib/echo.ts');
  const disk = serverProcess(PORTS.disk, { LOG_FILE: join(market.env.DATA_DIR ?? '', 'log') }, 'bench/lib/echo.ts');
  await Promise.all([chat.start(), echo.start(), disk.start()]);
  const targets = {
    chat: await chatTalkers(market, PORTS.chat),
    echo: await echoTalkers(PORTS.echo, ROOMS),
    disk: await echoTalkers(PORTS.disk, ROOMS),
  };
  const empty = (): Record<Target, number[]> => ({ chat: [], echo: [], disk: [] });
  const p99 = empty();
  const p50 = empty();
  for (let n = -1; n < ROUNDS; n++) {
    for (const target of TARGETS) {
      const measured = await round(targets[target], { everyMs: EVERY_MS, seconds: SECONDS });
      if (measured.lost > 0) throw new Error(`${target} lost ${measured.lost}`);
      if (n < 0) continue;
      p50[target].push(quantile(measured.times, 0.5));
      p99[target].push(quantile(measured.times, 0.99));
    }
    if (n >= 0)
      console.log(
        `round ${n}: p99 ${TARGETS.map((target) => `${target} ${p99[target][n]?.toFixed(2)}`).join(', ')} ms`,
      );
  }
  const figure = (values: readonly number[]): number => Number(median(values).toFixed(2));
  const times = (target: Target): number => figure(p99.chat.map((value, i) => value / (p99[target][i] ?? Number.NaN)));
  console.log(
    JSON.stringify({
      clients: ROOMS * MEMBERS,
      messagesASecond: Math.round((ROOMS * MEMBERS * 1000) / EVERY_MS),
      p50Ms: Object.fromEntries(TARGETS.map((target) => [target, figure(p50[target])])),
      p99Ms: Object.fromEntries(TARGETS.map((target) => [target, figure(p99[target])])),
      p99Ratio: times('echo'),
      p99RatioToDisk: times('disk'),
    }),
  );
  for (const target of TARGETS) for (const { ws } of targets[target]) ws.terminate();
  await Promise.all([chat.kill(), echo.kill(), disk.kill()]);
  await market.close();
}

await main();
process.exit(0);
