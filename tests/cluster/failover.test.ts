/**
 * Fail-over and restarts while users trade: the primary is killed and a synchronous standby behind HAProxy takes its place; web nodes are
 * restarted one after the other. No order, no money and no effect of a deleted event is lost, and every failed call succeeds when it is repeated
 * under the same key.
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { type Context, createContext } from '#server/context.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { deliveredEffects } from '#tests/support/orders/delivered-effects.ts';
import { killable, type KillableMarket, type Walker } from '#tests/support/servers/killable.ts';
import { type ServerProcess, serverProcess } from '#tests/support/servers/server-process.ts';
import { Load } from './load.ts';
import {
  type Agent,
  agent,
  haproxy,
  missingReason,
  nginx,
  ownPort,
  type Part,
  sharedFolder,
  STANDBY_NAME,
  standby,
} from './parts.ts';

const PORTS = {
  haproxy: await ownPort(),
  standby: await ownPort(),
  checks: [await ownPort(), await ownPort()],
  web: [await ownPort(), await ownPort()],
  worker: await ownPort(),
};
const missing = missingReason();
if (missing !== undefined) console.log(`skipped: ${missing}`);
const TRADERS = 6;
const LISTINGS = 6_000;
const FEN = 1_000;
/** Orders that must be acknowledged before and after each event, however slow the machine is. */
const ENOUGH = 40;
/** nginx leaves a node alone for a second after a failure; the other one may go when it is asked again. */
const PROXY_AGAIN_MS = 1_200;

let market: KillableMarket;
let ctx: Context | undefined;
let folder: string;
let copy: Part;
let copyUrl: URL;
let agents: Agent[] = [];
const nodes: ServerProcess[] = [];
const others: Part[] = [];
let buyers: Walker[] = [];
let load: Load;

/** Waits until so many more orders were paid. */
async function further(n: number): Promise<void> {
  const wanted = load.paid.size + n;
  while (load.paid.size < wanted) {
    if (load.isOver) throw new Error('the trade ended');
    await sleep(50);
  }
}

async function onAdmin<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = sharedFolder();
  market = await killable('failover');
  // nginx takes the port of the server that made the market.
  await market.server.kill();
  const { adminUrl } = market.database;
  const seller = await market.person(0);
  buyers = await Promise.all(Array.from({ length: TRADERS }, async () => await market.person(90_000_000)));
  const { rows } = await sql<{ sn: string }>`
    insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, stock, status)
    select 1, ${seller.id}, 1, 27, '测试道具 ' || i, ${FEN}, 1, 2 from generate_series(1, ${LISTINGS}) i returning sn`.execute(
    market.ctx.db,
  );
  load = new Load(
    market,
    rows.map(({ sn }) => sn),
  );

  copy = await standby(folder, PORTS.standby, adminUrl);
  await copy.start();
  others.push(copy);
  copyUrl = new URL(adminUrl);
  copyUrl.port = String(PORTS.standby);
  // Set after the copy was taken, so that the copy does not wait for a standby once it is the primary.
  await onAdmin(adminUrl, `alter system set synchronous_standby_names = '${STANDBY_NAME}'`);
  await onAdmin(adminUrl, 'select pg_reload_conf()');
  const isSynchronous = async (): Promise<boolean> =>
    (await onAdmin<{ s: string }>(adminUrl, 'select sync_state as s from pg_stat_replication'))[0]?.s === 'sync';
  while (!(await isSynchronous())) await sleep(100);
  agents = await Promise.all([adminUrl, copyUrl.href].map(async (url, i) => await agent(PORTS.checks[i] ?? 0, url)));
  const primaryPort = Number(new URL(adminUrl).port);
  const balancer = haproxy(
    folder,
    PORTS.haproxy,
    [primaryPort, PORTS.standby].map((port, i) => ({ port, check: PORTS.checks[i] ?? 0 })),
  );
  await balancer.start();
  others.unshift(balancer);
  // HAProxy takes every database for the primary until its first checks have failed.
  const through = new URL(adminUrl);
  through.port = String(PORTS.haproxy);
  for (let agreed = 0; agreed < 10; await sleep(100)) {
    const rows = await onAdmin<{ copy: boolean }>(through.href, 'select pg_is_in_recovery() as copy').catch(() => []);
    agreed = rows[0]?.copy === false ? agreed + 1 : 0;
  }
  const url = new URL(market.database.url);
  url.port = String(PORTS.haproxy);
  const env = {
    NODE_ENV: 'test',
    DEMO: '0',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: url.href,
    DATA_DIR: market.ctx.config.dataDir,
    SECRET: 'a secret of tests, long enough to be taken',
    TRUST_PROXY: '1',
    IP_LIMIT_FACTOR: '10000',
    LIMIT_FACTOR: '1000',
  };
  ctx = await createContext(loadConfig(env), url.href, { log: pino({ level: 'silent' }) });
  nodes.push(
    ...PORTS.web.map((port) =>
      serverProcess(port, { ...env, ROLE: 'web', WITH_EFFECTS: '0' }, 'tests/support/servers/api-main.ts'),
    ),
    serverProcess(PORTS.worker, { ...env, ROLE: 'worker', WITH_EFFECTS: '1' }, 'tests/support/servers/api-main.ts'),
  );
  // One after the other: on a busy machine three starts side by side take longer than the limit of each.
  for (const node of nodes) await node.start();
  const proxy = nginx(folder, market.server.port, { web: PORTS.web, chat: PORTS.web });
  await proxy.start();
  others.unshift(proxy);
}, 600_000);
afterAll(async () => {
  if (missing !== undefined) return;
  await (load as Load | undefined)?.end();
  for (const node of nodes) await node.kill();
  await ctx?.close();
  for (const part of others) await part.kill();
  for (const one of agents) await one.close();
  await market.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Everything that was acknowledged is there, once, and the books are whole. */
async function proveWhole(db: Context['db']): Promise<void> {
  const { placed, paid } = load;
  const ids = [...placed.values()];
  const { rows } = await sql<{ n: number; paid: number; known: number }>`
    select count(*)::int as n, count(*) filter (where status = 1)::int as paid, count(*) filter (where id = any(${ids}::bigint[]))::int as known
    from orders where buyer_id = any(${buyers.map(({ id }) => id)}::bigint[])`.execute(db);
  expect(rows[0]).toEqual({ n: placed.size, paid: paid.size, known: placed.size });
  const booked = await sql<{ n: number; fen: number }>`
    select count(*)::int as n, coalesce(sum(amount_fen), 0)::bigint as fen from ledger_transfer where code = 'order_pay' and order_id = any(${[...paid]}::bigint[])`.execute(
    db,
  );
  expect(booked.rows[0]?.n).toBe(paid.size);
  const spent = await sql<{ fen: number }>`
    select sum(90000000 - balance)::bigint as fen from ledger_account where key = any(${buyers.map(({ id }) => `user:${id}:available`)})`.execute(
    db,
  );
  expect(spent.rows[0]?.fen).toBe(booked.rows[0]?.fen);
  expect(await brokenInvariants(db)).toEqual([]);
  // Effects do not wait for the standby either; an event that is gone has left them there.
  const effects = await deliveredEffects(db);
  expect(effects.n).toBeGreaterThan(0);
  expect(effects.missing).toBe(0);
}

test.skipIf(missing !== undefined)(
  'web nodes restart in turn, then the primary dies for good',
  { timeout: 600_000 },
  async () => {
    load.start(buyers.map((buyer) => load.trade(buyer)));
    const lines: string[] = [];
    const note = (what: string): void => {
      const { calls, lost, putOff, longestMs } = load.restart();
      lines.push(`| ${what} | ${calls} | ${lost + putOff} | ${(longestMs / 1000).toFixed(1)} |`);
    };
    await further(ENOUGH);
    note('nothing');
    for (const node of nodes.slice(0, PORTS.web.length)) {
      await node.stop();
      await node.start();
      await sleep(PROXY_AGAIN_MS);
      await further(ENOUGH);
    }
    note('web nodes restarted in turn');
    // From here on the old primary is fenced off, even if it is started again.
    agents[0]?.fence();
    if (market.database.pid !== undefined) process.kill(market.database.pid, 'SIGKILL');
    const promoted = await onAdmin<{ done: boolean }>(copyUrl.href, 'select pg_promote(true, 60) as done');
    expect(promoted[0]?.done).toBe(true);
    await further(ENOUGH);
    note('primary killed, standby promoted');
    expect(await load.end()).toBeUndefined();
    console.log(['| what | calls | put off | longest wait (s) |', '| --- | --- | --- | --- |', ...lines].join('\n'));
    await proveWhole(ctx?.db ?? market.ctx.db);
  },
);
