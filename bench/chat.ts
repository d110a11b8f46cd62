/**
 * From one member's `send` to every member's `msg`, each message stored before it is acknowledged; compared with a bare `ws` echo with
 * the same rooms and rate, and with an echo that also waits for the same disk, which shows the disk's share of the time. `npm run
 * bench -- chat`.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { WebSocket } from 'ws';
import type { ServerWsFrame } from '#contract/im-socket.ts';
import { openSession } from '#server/access/session.ts';
import { sha256 } from '#server/kernel/crypto.ts';
import { issueTicket } from '#server/slices/chat/transport/tickets.ts';
import { serverProcess } from '#tests/support/server-process.ts';
import { type BenchMarket, benchMarket } from './lib/market.ts';
import { median, quantile } from './lib/stats.ts';

const ROOMS = Number(process.env.ROOMS ?? 25);
const MEMBERS = 4;
/** Per member; the chat accepts 20 in 10 s. */
const EVERY_MS = 1000;
const SECONDS = Number(process.env.SECONDS ?? 12);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const PORTS = { chat: 31_961, echo: 31_962, disk: 31_963 };
const TARGETS = ['echo', 'disk', 'chat'] as const;
type Target = (typeof TARGETS)[number];

interface Talker {
  ws: WebSocket;
  groupId: string;
}

/** When each message was sent, by its id; read as it arrives at each member. */
const sentAt = new Map<string, number>();
let times: number[] = [];

function arrived(id: string): void {
  const at = sentAt.get(id);
  if (at !== undefined) times.push(performance.now() - at);
}

async function opened(url: string, onText: (text: string) => void): Promise<WebSocket> {
  const ws = new WebSocket(url, { headers: { host: 'localhost' } });
  ws.on('message', (data) => onText((data as Buffer).toString('utf8')));
  await new Promise((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  return ws;
}

async function chatTalkers({ ctx, buyers }: BenchMarket): Promise<Talker[]> {
  const talkers: Talker[] = [];
  for (let room = 0; room < ROOMS; room++) {
    const { rows } = await sql<{
      id: number;
    }>`insert into chat_group (group_type, dist_id) values (2, 1) returning id`.execute(ctx.db);
    const id = rows[0]?.id ?? 0;
    for (const { id: userId } of buyers.slice(room * MEMBERS, (room + 1) * MEMBERS)) {
      const member = String(userId);
      await sql`insert into chat_member (group_id, member, role) values (${id}, ${member}, 'owner')`.execute(ctx.db);
      const sid = await openSession(ctx, { userId, distId: 1, kind: 'web', ip: '127.0.0.1', agent: 'bench' });
      const { token } = await issueTicket(ctx, { member, sessionHash: sha256(sid), distId: 1 });
      const ws = await opened(`ws://127.0.0.1:${PORTS.chat}/ws/im?token=${token}`, (text) => {
        const wsFrame = JSON.parse(text) as ServerWsFrame;
        if (wsFrame.op === 'msg') arrived(wsFrame.clientMsgId);
        else if (wsFrame.op === 'error') throw new Error(`${wsFrame.code} ${wsFrame.msg}`);
      });
      talkers.push({ ws, groupId: String(id) });
    }
  }
  return talkers;
}

async function echoTalkers(port: number): Promise<Talker[]> {
  const talkers: Talker[] = [];
  for (let room = 0; room < ROOMS; room++) {
    for (let i = 0; i < MEMBERS; i++) {
      const ws = await opened(`ws://127.0.0.1:${port}/${room}`, (text) => {
        arrived((JSON.parse(text) as { clientMsgId: string }).clientMsgId);
      });
      talkers.push({ ws, groupId: String(room) });
    }
  }
  return talkers;
}

let ids = 0;

/** Lets all members send at the same rate, each at a different moment. Returns the measurements in ms. */
async function round(talkers: readonly Talker[]): Promise<{ times: number[]; lost: number }> {
  times = [];
  sentAt.clear();
  const until = performance.now() + SECONDS * 1000;
  await Promise.all(
    talkers.map(async ({ ws, groupId }) => {
      await sleep(Math.random() * EVERY_MS);
      while (performance.now() < until) {
        const clientMsgId = `b-${ids++}`;
        sentAt.set(clientMsgId, performance.now());
        ws.send(
          JSON.stringify({ op: 'send', groupId, clientMsgId, content: '这是一条普通长度的聊天消息，没有别的内容' }),
        );
        await sleep(EVERY_MS);
      }
    }),
  );
  await sleep(1500);
  return { times, lost: sentAt.size * MEMBERS - times.length };
}

async function main(): Promise<void> {
  const market = await benchMarket({ buyers: ROOMS * MEMBERS });
  await sql`insert into dist_host (dist_id, host) values (1, 'localhost') on conflict do nothing`.execute(
    market.ctx.db,
  );
  const chat = serverProcess(PORTS.chat, market.env, 'tests/support/api-main.ts');
  const echo = serverProcess(PORTS.echo, {}, 'bench/lib/echo.ts');
  const disk = serverProcess(PORTS.disk, { LOG_FILE: join(market.env.DATA_DIR ?? '', 'log') }, 'bench/lib/echo.ts');
  await Promise.all([chat.start(), echo.start(), disk.start()]);
  const targets = {
    chat: await chatTalkers(market),
    echo: await echoTalkers(PORTS.echo),
    disk: await echoTalkers(PORTS.disk),
  };
  const empty = (): Record<Target, number[]> => ({ chat: [], echo: [], disk: [] });
  const p99 = empty();
  const p50 = empty();
  for (let n = -1; n < ROUNDS; n++) {
    for (const target of TARGETS) {
      const measured = await round(targets[target]);
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
