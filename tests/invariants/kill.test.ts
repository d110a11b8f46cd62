/**
 * Kill -9 of the server and of PostgreSQL while 2,000 payments are under way, ten times. Afterwards the books are whole, no order is
 * paid without its money or the reverse, and every client that asked again under its key has one result.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#server/config.ts';
import { type Context, createContext } from '#server/context.ts';
import { type Embedded, startEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { openSession } from '#server/http/session.ts';
import { derivedToken } from '#server/kernel/crypto.ts';
import { createUser } from '#server/slices/accounts/service.ts';
import { account, brokenInvariants, post } from '#server/slices/ledger/service.ts';
import { newPhone } from '#tests/support/build.ts';
import { addGame } from '#tests/support/goods.ts';
import { type ServerProcess, serverProcess } from '#tests/support/server-process.ts';

const ROUNDS = 10;
const PAYMENTS = 2000;
const BUYERS = 50;
const PORT = 31_907;
const SECRET = 'a secret of tests, long enough to be taken';
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

let dataDir: string;
let database: Embedded;
let server: ServerProcess;
let ctx: Context;
let sellerId = 0;
const buyers: { id: number; headers: Record<string, string> }[] = [];
const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'youshi-kill-'));
  chmodSync(dataDir, 0o711);
  database = await startEmbedded({ dataDir, log: quiet });
  await migrate({ database: database.url, dir: 'db/migrations', log: quiet });
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET,
    DEMO: '0',
    LOG_LEVEL: 'fatal',
  };
  ctx = await createContext(loadConfig(env), database.url, { log: pino({ level: 'silent' }) });
  await addGame(ctx);
  sellerId = await person();
  for (let i = 0; i < BUYERS; i++) {
    const id = await person();
    const sid = await openSession(ctx, { userId: id, distId: 1, kind: 'web', ip: '127.0.0.1', agent: 'test' });
    const csrf = derivedToken(ctx.keys, sid, 'csrf');
    buyers.push({
      id,
      headers: {
        host: 'localhost',
        cookie: `sid=${sid}; csrfToken=${csrf}`,
        authorization: derivedToken(ctx.keys, sid, 'hdr'),
        'x-csrf-token': csrf,
      },
    });
    await post(ctx.db, [
      {
        code: 'topup',
        ref: `kill:${i}`,
        debit: account.clearing('sandbox', i),
        credit: account.available(id),
        fen: 90_000_000,
        dist: 1,
      },
    ]);
  }
  server = serverProcess(PORT, { ...env, NODE_ENV: 'production', IP_LIMIT_FACTOR: '10000' });
  await server.start();
}, 120_000);

afterAll(async () => {
  agent.destroy();
  await server.kill();
  await ctx.close();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function person(): Promise<number> {
  const made = await createUser(ctx.db, ctx.keys, { phone: newPhone(), distId: 1 });
  if (!made) throw new Error('no user');
  await sql`update app_user set auth_status = 2 where id = ${made.id}`.execute(ctx.db);
  return made.id;
}

/** 2,000 unpaid orders, spread over the buyers. */
async function placeOrders(round: number): Promise<{ id: number; buyer: number }[]> {
  const { rows } = await sql<{ id: number; buyer: number }>`
    with g as (insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, status)
      select 1, ${sellerId}, 1, 1, '测试账号', 1000, 4 from generate_series(1, ${PAYMENTS}) returning id, sn),
    n as (select id, sn, row_number() over (order by id)::int as i from g)
    insert into orders (sn, dist_id, type_id, goods_id, goods_sn, game_id, buyer_id, seller_id, unit_price_fen, goods_fen, service_fee_fen, total_fen, commission_fen, fees, snapshot)
    select 'K' || ${round}::int || '-' || i, 1, 1, id, sn, 1, (${buyers.map((b) => b.id)}::bigint[])[1 + i % ${BUYERS}], ${sellerId}, 1000, 1000, 10, 1010, 50, '[]', '{}'
    from n returning id, buyer_id as buyer`.execute(ctx.db);
  return rows;
}

function send(order: { id: number; buyer: number }): Promise<{ status: number; body: string }> {
  const buyer = buyers.find((b) => b.id === order.buyer);
  return new Promise((resolve) => {
    const lost = (): void => resolve({ status: 0, body: '' });
    const request = http.request(
      {
        host: '127.0.0.1',
        port: PORT,
        method: 'POST',
        path: '/api/pay/balancePay',
        agent,
        timeout: 10_000,
        headers: {
          ...buyer?.headers,
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': `pay-${order.id}`,
        },
      },
      (response) => {
        let body = '';
        response.on('data', (text: Buffer) => (body += text.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
        response.on('error', lost);
      },
    );
    request.on('error', lost);
    request.on('timeout', () => request.destroy());
    request.end(`orderId=${order.id}`);
  });
}

/** Asks until there is a definitive answer. Answers how often it had to ask, and the answer. */
async function payUntilKnown(order: { id: number; buyer: number }): Promise<{ tries: number; body: string }> {
  for (let tries = 1; tries < 200; tries++) {
    const answer = await send(order);
    if (answer.status === 200) return { tries, body: answer.body };
    if (answer.status !== 0 && answer.status !== 503 && answer.status !== 429)
      throw new Error(`${answer.status} ${answer.body}`);
    await sleep(50 + Math.random() * 150);
  }
  throw new Error('no definitive answer');
}

async function strike(round: number): Promise<void> {
  await sleep(100 + Math.random() * 400);
  if (round % 2 === 0) {
    await server.kill();
    await server.start();
  } else if (database.pid !== undefined) process.kill(database.pid, 'SIGKILL');
}

test.each(Array.from({ length: ROUNDS }, (_, i) => i))('round %i', { timeout: 120_000 }, async (round) => {
  const orders = await placeOrders(round);
  const [results] = await Promise.all([Promise.all(orders.map(payUntilKnown)), strike(round)]);
  expect(results.some((r) => r.tries > 1)).toBe(true);
  // The supervisor may still be bringing the database back for this process's own connections.
  for (let i = 0; i < 100; i++)
    if (
      await sql`select 1`.execute(ctx.db).then(
        () => true,
        () => sleep(100).then(() => false),
      )
    )
      break;
  const { rows } = await sql<{
    status: number;
    n: number;
  }>`select status, count(*) as n from orders where sn like ${`K${round}-%`} group by status`.execute(ctx.db);
  expect(rows).toEqual([{ status: 1, n: PAYMENTS }]);
  for (const i of [0, 7, 1999]) {
    const order = orders[i];
    if (order) expect((await payUntilKnown(order)).body).toBe(results[i]?.body);
  }
  expect(await brokenInvariants(ctx.db)).toEqual([]);
});
