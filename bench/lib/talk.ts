/** People who talk in a chat: connections, what they say at one rate, and how long each message takes to every member. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { WebSocket } from 'ws';
import type { ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import { openSession } from '#server/access/session.ts';
import { sha256 } from '#server/kernel/secrets/crypto.ts';
import { issueTicket } from '#subjects/chat/server/transport/tickets.ts';
import type { BenchMarket } from './market.ts';

/** Members of each group. */
export const MEMBERS = 4;
const LINGER_MS = 1500;

export interface Talker {
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

/** A connection whose texts go to `onText`. Rejects when it is refused. */
export async function opened(url: string, onText: (text: string) => void): Promise<WebSocket> {
  const ws = new WebSocket(url, { headers: { host: 'localhost' } });
  ws.on('message', (data) => onText((data as Buffer).toString('utf8')));
  await new Promise((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  return ws;
}

/** One connection to the chat for each buyer, in groups of four. */
export async function chatTalkers({ ctx, buyers }: BenchMarket, port: number): Promise<Talker[]> {
  const talkers: Talker[] = [];
  for (let room = 0; (room + 1) * MEMBERS <= buyers.length; room++) {
    const { rows } = await sql<{
      id: number;
    }>`insert into chat_group (group_type, dist_id) values (2, 1) returning id`.execute(ctx.db);
    const id = rows[0]?.id ?? 0;
    for (const { id: userId } of buyers.slice(room * MEMBERS, (room + 1) * MEMBERS)) {
      const member = String(userId);
      await sql`insert into chat_member (group_id, member, role) values (${id}, ${member}, 'owner')`.execute(ctx.db);
      const sid = await openSession(ctx, { userId, distId: 1, kind: 'web', ip: '127.0.0.1', agent: 'bench' });
      const { token } = await issueTicket(ctx, { member, sessionHash: sha256(sid), distId: 1 });
      const ws = await opened(`ws://127.0.0.1:${port}/ws/im?token=${token}`, (text) => {
        const wsFrame = JSON.parse(text) as ServerWsFrame;
        if (wsFrame.op === 'msg') arrived(wsFrame.clientMsgId);
        else if (wsFrame.op === 'error') throw new Error(`${wsFrame.code} ${wsFrame.msg}`);
      });
      talkers.push({ ws, groupId: String(id) });
    }
  }
  return talkers;
}

/** The same to an echo, in so many groups. */
export async function echoTalkers(port: number, rooms: number): Promise<Talker[]> {
  const talkers: Talker[] = [];
  for (let room = 0; room < rooms; room++) {
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

/**
 * Lets all members send once in `everyMs` for so many seconds, each at a different moment. Returns for each delivery how long it took (ms), and
 * how many of them did not come within a second and a half after the end.
 */
export async function round(
  talkers: readonly Talker[],
  { everyMs, seconds }: { everyMs: number; seconds: number },
): Promise<{ times: number[]; lost: number }> {
  times = [];
  sentAt.clear();
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    talkers.map(async ({ ws, groupId }) => {
      await sleep(Math.random() * everyMs);
      while (performance.now() < until) {
        const clientMsgId = `b-${ids++}`;
        sentAt.set(clientMsgId, performance.now());
        ws.send(
          JSON.stringify({ op: 'send', groupId, clientMsgId, content: '这是一条普通长度的聊天消息，没有别的内容' }),
        );
        await sleep(everyMs);
      }
    }),
  );
  await sleep(LINGER_MS);
  return { times, lost: sentAt.size * MEMBERS - times.length };
}
