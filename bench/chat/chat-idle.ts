/**
 * Cost of idle connections: the server's memory before and after many clients have connected (`CLIENTS`, 5,000), once settled, with
 * heartbeats in both directions. `npm run bench -- chat-idle`.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { WebSocket } from 'ws';
import { openSession } from '#server/access/session.ts';
import { sha256 } from '#server/kernel/secrets/crypto.ts';
import { issueTicket } from '#subjects/chat/server/transport/tickets.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { benchMarket } from '../lib/market.ts';

const CLIENTS = Number(process.env.CLIENTS ?? 5000);
const PORT = 31_963;
const AT_ONCE = 20;
/** Longer than the gateway's heartbeat, so that every connection has been probed. */
const SETTLE_MS = Number(process.env.SETTLE_MS ?? 60_000);
const LIMIT_MB = 250;

/** Resident memory of a process in MB. */
function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

async function opened(token: string): Promise<WebSocket> {
  const ws = new WebSocket(`ws://127.0.0.1:${PORT}/ws/im?token=${token}`, {
    headers: { host: 'localhost' },
    perMessageDeflate: false,
  });
  await new Promise((resolve, reject) => {
    ws.once('message', resolve);
    ws.once('error', reject);
  });
  return ws;
}

async function main(): Promise<void> {
  const market = await benchMarket({ buyers: 0 });
  const { ctx, env } = market;
  await sql`insert into dist_host (dist_id, host) values (1, 'localhost') on conflict do nothing`.execute(ctx.db);
  const { rows: people } = await sql<{ id: number }>`
    insert into app_user (dist_id, phone_hash, phone_enc, phone_mask, nick_name, union_num, invite_code)
    select 1, sha256(('idle' || n)::bytea), '', '138****0000', '用户' || n, 'U' || n, 'IDLE' || n from generate_series(1, ${CLIENTS}::int) n
    returning id`.execute(ctx.db);
  const server = serverProcess(PORT, env, 'tests/support/servers/api-main.ts');
  await server.start();
  const { pid } = server;
  await sleep(10_000);
  const before = residentMb(pid);
  const clients: WebSocket[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < people.length; i += AT_ONCE) {
    const some = people.slice(i, i + AT_ONCE).map(async ({ id: userId }) => {
      const sid = await openSession(ctx, { userId, distId: 1, kind: 'web', ip: '127.0.0.1', agent: 'bench' });
      const { token } = await issueTicket(ctx, { member: String(userId), sessionHash: sha256(sid), distId: 1 });
      return await opened(token);
    });
    clients.push(...(await Promise.all(some)));
  }
  const connectedInS = Math.round((performance.now() - startedAt) / 1000);
  const arrived = residentMb(pid);
  await sleep(SETTLE_MS);
  const alive = clients.filter((ws) => ws.readyState === ws.OPEN).length;
  const after = residentMb(pid);
  const figure = (value: number): number => Number(value.toFixed(1));
  console.log(
    JSON.stringify({
      clients: CLIENTS,
      alive,
      cameInS: connectedInS,
      beforeMb: figure(before),
      arrivedMb: figure(arrived),
      afterMb: figure(after),
      kilobytesEach: figure(((after - before) * 1024) / CLIENTS),
      withinBound: after <= LIMIT_MB,
    }),
  );
  for (const ws of clients) ws.terminate();
  await server.kill();
  await market.close();
}

await main();
process.exit(0);
