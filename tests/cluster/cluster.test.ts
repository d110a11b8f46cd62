/**
 * A market on several machines: nginx, two nodes for calls, two for chat, one worker, PgBouncer by transaction, a standby and Redis. Under
 * mixed trade and chat each part is killed in turn and comes back. No order is placed or paid twice, no fen and no message is lost, and a
 * table says what users saw. `CLUSTER_ROUNDS=6` repeats it, `CLUSTER_TABLE=FILE` writes the table down.
 */
import { writeFileSync } from 'node:fs';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pooledProblems } from '#server/db/pooled.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import { killable, type KillableMarket, type Walker } from '#tests/support/servers/killable.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { sizeOf } from '#tests/sizes.ts';
import { expectNothingLost, groupOf } from './books.ts';
import { Load } from './load.ts';
import { missingReason, nginx, ownPort, type Part, pgbouncer, redis, sharedFolder, standby } from './parts.ts';

const ROUNDS = sizeOf('clusterRounds');
const PORTS = {
  pooler: await ownPort(),
  redis: await ownPort(),
  standby: await ownPort(),
  web: [await ownPort(), await ownPort()],
  chat: [await ownPort(), await ownPort()],
  worker: await ownPort(),
};
const missing = missingReason();
if (missing !== undefined) console.log(`skipped: ${missing}`);
const AWAY_MS = 2_500;
const SETTLE_MS = 2_500;
const TRADERS = 6;
const GROUPS = 4;
const TALK_MS = 700;
/** Listings that wait to be bought in a round, more than a fast machine sells: the test's own connection is away as well while PostgreSQL is. */
const LISTINGS = 15_000;
/** Limits for proving and for a round: some ten times what they need on a quiet machine, so that only a stop without end is a failure. */
const LIMIT_MS = 900_000;
const ROUND_LIMIT_MS = 900_000;

let market: KillableMarket;
let seller: Walker;
let folder: string;
const parts: Part[] = [];

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: market.database.adminUrl.replace(/\/[^/]*$/, '/youshi') });
  await client.connect();
  await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = sharedFolder();
  market = await killable('cluster');
  // Its one server only made the market; nginx takes its port, and the nodes its place.
  await market.server.kill();
  const direct = market.database.url;
  const pooled = new URL(direct);
  pooled.port = String(PORTS.pooler);
  const pooler = pgbouncer(folder, PORTS.pooler, direct);
  await pooler.start();
  expect((await pooledProblems(pooled.href, false)).length).toBeGreaterThan(0);
  const login = pooled.username;
  for (const setting of [
    "statement_timeout = '15s'",
    "lock_timeout = '5s'",
    "idle_in_transaction_session_timeout = '10s'",
    'jit = off',
  ])
    await asSuperuser(`alter role ${login} set ${setting}`);
  await pooler.kill();
  await pooler.start();
  expect(await pooledProblems(pooled.href, false)).toEqual([]);
  const copy = await standby(folder, PORTS.standby, market.database.adminUrl);
  await copy.start();
  const bus = redis(PORTS.redis);
  await bus.start();
  const read = new URL(direct);
  read.port = String(PORTS.standby);
  const env = {
    NODE_ENV: 'test',
    DEMO: '0',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: pooled.href,
    DATABASE_DIRECT_URL: direct,
    DATABASE_READ_URL: read.href,
    DATA_DIR: market.ctx.config.dataDir,
    SECRET: 'a secret of tests, long enough to be taken',
    BUS_URL: `redis://127.0.0.1:${PORTS.redis}`,
    TRUST_PROXY: '1',
    IP_LIMIT_FACTOR: '10000',
    LIMIT_FACTOR: '1000',
  };
  const node = (name: string, port: number, role: string): Part => {
    const server = serverProcess(
      port,
      { ...env, ROLE: role, WITH_EFFECTS: role === 'worker' ? '1' : '0' },
      'tests/support/servers/api-main.ts',
    );
    return { name, start: async () => await server.start(), kill: async () => await server.kill() };
  };
  const nodes = [
    ...PORTS.web.map((port, i) => node(`web ${i + 1}`, port, 'web')),
    ...PORTS.chat.map((port, i) => node(`chat ${i + 1}`, port, 'chat')),
    node('worker', PORTS.worker, 'worker'),
  ];
  await Promise.all(nodes.map((one) => one.start()));
  const proxy = nginx(folder, market.server.port, PORTS);
  await proxy.start();
  const database: Part = {
    name: 'PostgreSQL',
    start: async () => await market.reachable(),
    kill: () => {
      if (market.database.pid !== undefined) process.kill(market.database.pid, 'SIGKILL');
      return Promise.resolve();
    },
  };
  parts.push(...nodes, bus, pooler, copy, proxy, database);
}, 300_000);
afterAll(async () => {
  if (missing !== undefined) return;
  for (const part of parts.filter(({ name }) => name !== 'PostgreSQL')) await part.kill();
  await market.close();
  rmSync(folder, { recursive: true, force: true });
});

const limit = { timeout: LIMIT_MS + ROUNDS * ROUND_LIMIT_MS };

test.skipIf(missing !== undefined)('each part is killed under load and recovers', limit, async () => {
  seller = await market.person(0);
  const listed: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { rows } = await sql<{ sn: string }>`
      insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, stock, status)
      select 1, ${seller.id}, 1, 27, '测试道具 ' || i, 1000, 1, 2 from generate_series(1, ${LISTINGS}) i returning sn`.execute(
      market.ctx.db,
    );
    listed.push(...rows.map(({ sn }) => sn));
  }
  const load = new Load(market, listed);
  const buyers = await Promise.all(Array.from({ length: TRADERS }, async () => await market.person(90_000_000)));
  const talkers: [Walker, string][] = [];
  for (const buyer of buyers.slice(0, GROUPS)) {
    const { sn } = await addGoods(market.ctx, { sellerId: seller.id, typeId: 27 });
    talkers.push([buyer, await groupOf(market.ctx.db, await load.buy(buyer, sn, `first-${buyer.id}`))]);
  }
  load.start([
    ...buyers.map((buyer) => load.trade(buyer)),
    ...talkers.flatMap(([buyer, groupId]) => [
      load.talk(buyer, groupId, TALK_MS),
      load.talk(seller, groupId, TALK_MS * GROUPS),
    ]),
  ]);
  await sleep(SETTLE_MS);
  const lines: string[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const part of parts) {
      load.restart();
      const began = performance.now();
      await part.kill();
      await sleep(AWAY_MS);
      await part.start();
      await sleep(SETTLE_MS);
      const seconds = (ms: number): string => (ms / 1000).toFixed(1);
      const { calls, lost, putOff, longestMs } = load.restart();
      const lasted = seconds(performance.now() - began);
      lines.push(`| ${part.name} | ${lasted} | ${calls} | ${lost} | ${putOff} | ${seconds(longestMs)} |`);
    }
  expect(await load.end()).toBeUndefined();
  const head = '| killed | seconds looked at | calls | lost | put off | longest wait (s) |';
  const table = [head, '| --- | --: | --: | --: | --: | --: |', ...lines].join('\n');
  console.log(table);
  if (process.env.CLUSTER_TABLE) writeFileSync(process.env.CLUSTER_TABLE, `${table}\n`);

  await expectNothingLost(market.ctx.db, load, buyers);
});
