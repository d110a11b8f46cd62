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
import { brokenInvariants } from '#server/slices/ledger/service.ts';
import { addGoods } from '#tests/support/goods.ts';
import { killable, type KillableMarket, NO_RESPONSE, type Walker } from '#tests/support/killable.ts';
import { serverProcess } from '#tests/support/server-process.ts';
import { missingPackages, nginx, type Part, pgbouncer, redis, sharedFolder, standby } from './parts.ts';

const ROUNDS = Number(process.env.CLUSTER_ROUNDS ?? 1);
const PORTS = {
  nginx: 31_940,
  pooler: 31_941,
  redis: 31_942,
  standby: 31_943,
  web: [31_944, 31_945],
  chat: [31_946, 31_947],
  worker: 31_948,
};
const AWAY_MS = 2_500;
const SETTLE_MS = 2_500;
const TRADERS = 6;
const GROUPS = 4;
const TALK_MS = 700;
/** Listings that wait to be bought, more than a fast machine sells: the test's own connection is away as well while PostgreSQL is. */
const LISTINGS = 15_000 * ROUNDS;

let market: KillableMarket;
let seller: Walker;
let forSale: string[] = [];
let folder: string;
const parts: Part[] = [];

/** What users met: requests that were lost, those that were put off by our gate or a proxy, and how long it took until an answer was there. */
interface Window {
  calls: number;
  lost: number;
  putOff: number;
  longestMs: number;
}
const none = (): Window => ({ calls: 0, lost: 0, putOff: 0, longestMs: 0 });
let now = none();
let isOver = false;

/** Asks again under the same key until the answer is definitive. Throws on an answer that is an error. */
async function until(
  who: Walker,
  path: string,
  form: Record<string, string>,
  key?: string,
): Promise<{ data: Record<string, unknown> }> {
  const began = performance.now();
  for (;;) {
    const { status, body } = await market.send(who.headers, path, form, key);
    now.calls += 1;
    if (status === 200) {
      now.longestMs = Math.max(now.longestMs, performance.now() - began);
      const envelope = JSON.parse(body) as { code: number; data: Record<string, unknown>; msg: string };
      if (envelope.code === 0) return envelope;
      throw new Error(`${path}: ${envelope.code} ${envelope.msg}`);
    }
    // Lost, a proxy without a node, or a node that says it is busy or has lost its database.
    if (status !== NO_RESPONSE && status < 500) throw new Error(`${path}: ${status} ${body}`);
    if (status === NO_RESPONSE) now.lost += 1;
    else now.putOff += 1;
    if (performance.now() - began > 60_000) throw new Error(`${path}: no answer within a minute`);
    await sleep(150);
  }
}

const placed = new Map<string, string>();
const paid = new Set<string>();
const sent = new Map<string, string[]>();

async function trade(buyer: Walker, n: number): Promise<void> {
  for (let i = 0; !isOver; i++) {
    const goodsSn = forSale.pop();
    if (goodsSn === undefined) throw new Error('everything is sold');
    const key = `c${n}-${i}`;
    const { data } = await until(buyer, '/api/order/placeOrder', { goodsSn }, `place-${key}`);
    const orderId = String(data.orderId);
    placed.set(key, orderId);
    await until(buyer, '/api/pay/balancePay', { orderId }, `pay-${key}`);
    paid.add(orderId);
    await sleep(30);
  }
}

/** One message after the other, with a pause that keeps a person within what the chat allows: 20 messages in 10 s. */
async function talk(who: Walker, groupId: string, name: string, pauseMs: number): Promise<void> {
  const list = sent.get(groupId) ?? [];
  sent.set(groupId, list);
  for (let i = 0; !isOver; i++) {
    const clientMsgId = `${name}-${i}`;
    await until(who, '/api/im/sendMessage', { groupId, clientMsgId, content: `消息 ${i}` });
    list.push(clientMsgId);
    await sleep(pauseMs);
  }
}

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: market.database.adminUrl.replace(/\/[^/]*$/, '/youshi') });
  await client.connect();
  await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(`apt-get install ${missing.join(' ')}`);
  folder = sharedFolder();
  market = await killable('cluster', PORTS.nginx);
  // Its one server only made the market; the nodes take its place.
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
      'tests/support/api-main.ts',
    );
    return { name, start: async () => await server.start(), kill: async () => await server.kill() };
  };
  const nodes = [
    ...PORTS.web.map((port, i) => node(`web ${i + 1}`, port, 'web')),
    ...PORTS.chat.map((port, i) => node(`chat ${i + 1}`, port, 'chat')),
    node('worker', PORTS.worker, 'worker'),
  ];
  await Promise.all(nodes.map((one) => one.start()));
  const proxy = nginx(folder, PORTS.nginx, PORTS);
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
  for (const part of parts.filter(({ name }) => name !== 'PostgreSQL')) await part.kill();
  await market.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The group of an order, made by the worker after the payment. */
async function groupOf(orderId: string): Promise<string> {
  for (let i = 0; i < 300; i++) {
    const { rows } = await sql<{ id: number }>`select id from chat_group where order_id = ${orderId}`.execute(
      market.ctx.db,
    );
    if (rows[0]) return String(rows[0].id);
    await sleep(100);
  }
  throw new Error('the order got no group');
}

/** Waits until every event is delivered, however long a busy machine takes. Throws when for a minute none was. */
async function untilDelivered(): Promise<void> {
  const left = async (): Promise<number> =>
    (await sql<{ n: number }>`select count(*)::int as n from outbox`.execute(market.ctx.db)).rows[0]?.n ?? 0;
  let least = Number.POSITIVE_INFINITY;
  let since = Date.now();
  for (let n = await left(); n > 0; n = await left()) {
    if (n < least) since = Date.now();
    else if (Date.now() - since > 60_000) throw new Error(`${n} events are not delivered`);
    least = Math.min(least, n);
    await sleep(500);
  }
}

test('each part is killed under load and recovers', { timeout: 1_800_000 }, async () => {
  seller = await market.person(0);
  const { rows: listed } = await sql<{ sn: string }>`
    insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, stock, status)
    select 1, ${seller.id}, 1, 27, '测试道具 ' || i, 1000, 1, 2 from generate_series(1, ${LISTINGS}) i returning sn`.execute(
    market.ctx.db,
  );
  forSale = listed.map(({ sn }) => sn);
  const buyers = await Promise.all(Array.from({ length: TRADERS }, async () => await market.person(90_000_000)));
  const talkers: [Walker, string][] = [];
  for (const buyer of buyers.slice(0, GROUPS)) {
    const { sn } = await addGoods(market.ctx, { sellerId: seller.id, typeId: 27 });
    const { data } = await until(buyer, '/api/order/placeOrder', { goodsSn: sn }, `first-${buyer.id}`);
    await until(buyer, '/api/pay/balancePay', { orderId: String(data.orderId) }, `first-pay-${buyer.id}`);
    talkers.push([buyer, await groupOf(String(data.orderId))]);
  }
  let failure: unknown;
  const work = Promise.all([
    ...buyers.map(trade),
    ...talkers.flatMap(([buyer, groupId]) => [
      talk(buyer, groupId, `b${buyer.id}`, TALK_MS),
      talk(seller, groupId, `s${buyer.id}`, TALK_MS * GROUPS),
    ]),
  ]).catch((error: unknown) => {
    failure = error;
    isOver = true;
  });
  await sleep(SETTLE_MS);
  const lines: string[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const part of parts) {
      now = none();
      const began = performance.now();
      await part.kill();
      await sleep(AWAY_MS);
      await part.start();
      await sleep(SETTLE_MS);
      const seconds = (ms: number): string => (ms / 1000).toFixed(1);
      const { calls, lost, putOff, longestMs } = now;
      const lasted = seconds(performance.now() - began);
      lines.push(`| ${part.name} | ${lasted} | ${calls} | ${lost} | ${putOff} | ${seconds(longestMs)} |`);
    }
  isOver = true;
  await work;
  expect(failure).toBeUndefined();
  const head = '| killed | seconds looked at | calls | lost | put off | longest wait (s) |';
  const table = [head, '| --- | --: | --: | --: | --: | --: |', ...lines].join('\n');
  console.log(table);
  if (process.env.CLUSTER_TABLE) writeFileSync(process.env.CLUSTER_TABLE, `${table}\n`);

  const { rows: orders } = await sql<{ n: number; paid: number }>`
    select count(*)::int as n, count(*) filter (where status = 1)::int as paid from orders where buyer_id = any(${buyers.map(({ id }) => id)}::bigint[])`.execute(
    market.ctx.db,
  );
  expect(orders[0]).toEqual({ n: placed.size + GROUPS, paid: paid.size + GROUPS });
  for (const [groupId, ids] of sent) {
    const { rows } = await sql<{ n: number; ids: number; first: number; last: number }>`
      select count(*)::int as n, count(distinct client_msg_id) filter (where client_msg_id = any(${ids}))::int as ids, min(seq)::int as first, max(seq)::int as last
      from chat_message where group_id = ${groupId}`.execute(market.ctx.db);
    const row = rows[0];
    expect(row?.ids).toBe(ids.length);
    expect(row && row.last - row.first + 1).toBe(row?.n);
  }
  await untilDelivered();
  expect(await brokenInvariants(market.ctx.db)).toEqual([]);
});
