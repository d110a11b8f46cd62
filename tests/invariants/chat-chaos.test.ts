/**
 * 200 clients in 50 groups talk through two gateways over the bus, are cut off at random, and one of the gateways is killed every
 * few seconds. `CHAT_CHAOS=whole` makes it 1,000 clients in 250 groups for three minutes, a kill each 10 s. At the end every member has the same messages under the same numbers without a gap, and everything that was sent
 * is there once, in its sender's order.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ClientWsFrame, ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import { loadConfig } from '#server/config/config.ts';
import { type Context, createContext } from '#server/context.ts';
import { freePort } from '#server/db/embedded-process.ts';
import { openSession } from '#server/access/session.ts';
import { sha256 } from '#server/kernel/secrets/crypto.ts';
import { createUser } from '#subjects/accounts/server/service.ts';
import { issueTicket } from '#subjects/chat/server/transport/tickets.ts';
import { newPhone } from '#tests/support/servers/build.ts';
import { type Chance, chanceOf, seededChance } from '#tests/support/time/chance.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { type ServerProcess, serverProcess } from '#tests/support/servers/server-process.ts';

const WHOLE = process.env.CHAT_CHAOS === 'whole';
const GROUPS = WHOLE ? 250 : 50;
const MEMBERS = 4;
const GATEWAYS = 2;
const KILL_FOR_MS = WHOLE ? 180_000 : 20_000;
const KILL_EVERY_MS = WHOLE ? 10_000 : 4000;
const CUT_EVERY_MS = 9000;
const SEND_EVERY_MS = 3000;
/** As many as the server admits together: a returning client must not be delayed forever. */
const MAX_PENDING = 8;
/** Shorter than the browser's, so that the test does not wait for it. */
const BEAT_MS = 5000;
const FINISH_LIMIT_MS = WHOLE ? 180_000 : 60_000;

let database: TestDatabase;
let dataDir: string;
let ctx: Context;
const servers: ServerProcess[] = [];
const clients: Client[] = [];

seededChance('chat-chaos');

/** One member that sends until stopped, and remembers what it received. */
class Client {
  readonly member: string;
  readonly groupId: string;
  readonly #sessionHash: Buffer;
  readonly seen = new Map<number, string>();
  readonly acked = new Map<string, number>();
  readonly sent: string[] = [];
  conflicts = 0;
  cuts = 0;
  /** A separate sequence, so that one client's random choices do not depend on the others' pace. */
  readonly #chance: Chance;
  #ws: WebSocket | undefined;
  #unacked: string[] = [];
  #last = 0;
  #failures = 0;
  #talks = true;
  #lives = true;
  /** The newest connection, whether or not it has sent its hello. */
  #opened: WebSocket | undefined;

  constructor(member: string, groupId: string, sessionHash: Buffer) {
    this.member = member;
    this.groupId = groupId;
    this.#sessionHash = sessionHash;
    this.#chance = chanceOf(member);
  }

  get waiting(): number {
    return this.#unacked.length;
  }

  get upTo(): number {
    return this.#last;
  }

  async run(): Promise<void> {
    await Promise.all([this.#connecting(), this.#talking(), this.#cutting(), this.#beating()]);
  }

  silence(): void {
    this.#talks = false;
  }

  /** Ends the client, also while it connects: a connection that stays open would keep `run` waiting forever. */
  stop(): void {
    this.#lives = false;
    this.#opened?.terminate();
  }

  /** Keeps a connection to one of the two gateways; after a failure it tries the other one, each time later. */
  async #connecting(): Promise<void> {
    let port = this.#chance.next() < 0.5 ? 0 : 1;
    while (this.#lives) {
      try {
        const who = { member: this.member, sessionHash: this.#sessionHash, distId: 1 };
        const { token } = await issueTicket(ctx, who);
        await this.#connect(`ws://127.0.0.1:${servers[port]?.port}/ws/im?token=${token}`);
      } catch {
        // The database is busy: try again in a moment.
      }
      port = 1 - port;
      await sleep(Math.min(5000, 300 * 2 ** this.#failures++) * (0.5 + this.#chance.next()));
    }
  }

  async #connect(url: string): Promise<void> {
    if (!this.#lives) return;
    const ws = new WebSocket(url, { headers: { host: 'localhost' }, handshakeTimeout: 5000 });
    this.#opened = ws;
    await new Promise<void>((resolve) => {
      ws.on('error', () => resolve());
      ws.on('close', () => resolve());
      ws.on('message', (data) => this.#hear(ws, JSON.parse((data as Buffer).toString('utf8')) as ServerWsFrame));
    });
    this.#ws = undefined;
  }

  #hear(ws: WebSocket, wsFrame: ServerWsFrame): void {
    if (wsFrame.op === 'hello') {
      this.#ws = ws;
      this.#failures = 0;
      this.#say({ op: 'sync', groupId: this.groupId, after: this.#last });
      this.#again(ws);
    } else if (wsFrame.op === 'msg') this.#take(wsFrame.seq, wsFrame.clientMsgId);
    else if (wsFrame.op === 'synced') {
      for (const m of wsFrame.list) this.#take(m.seq, m.clientMsgId);
      if (wsFrame.more) this.#say({ op: 'sync', groupId: this.groupId, after: this.#last });
    } else if (wsFrame.op === 'ack') {
      this.acked.set(wsFrame.clientMsgId, wsFrame.seq);
      this.#unacked = this.#unacked.filter((id) => id !== wsFrame.clientMsgId);
    } else if (wsFrame.op === 'error') setTimeout(() => this.#again(ws), wsFrame.retryAfterMs ?? 1000);
  }

  /** Sends waiting messages in order, unless the connection has changed meanwhile. */
  #again(ws: WebSocket): void {
    if (this.#ws === ws) for (const id of this.#unacked) this.#send(id);
  }

  #take(seq: number, clientMsgId: string): void {
    const known = this.seen.get(seq);
    if (known !== undefined && known !== clientMsgId) this.conflicts++;
    this.seen.set(seq, clientMsgId);
    while (this.seen.has(this.#last + 1)) this.#last++;
  }

  #say(wsFrame: ClientWsFrame): void {
    this.#ws?.send(JSON.stringify(wsFrame));
  }

  #send(clientMsgId: string): void {
    this.#say({ op: 'send', groupId: this.groupId, clientMsgId, content: `我是 ${this.member}，说 ${clientMsgId}` });
  }

  async #talking(): Promise<void> {
    while (this.#talks) {
      await sleep(SEND_EVERY_MS * (0.5 + this.#chance.next()));
      if (!this.#talks || this.#unacked.length >= MAX_PENDING) continue;
      const id = `${this.member}-${this.sent.length}`;
      this.sent.push(id);
      this.#unacked.push(id);
      this.#send(id);
    }
  }

  /** Asks again with each beat: a gateway may be killed between storing a message and telling the other one of it. */
  async #beating(): Promise<void> {
    while (this.#lives) {
      await sleep(BEAT_MS * (0.5 + this.#chance.next()));
      this.#say({ op: 'sync', groupId: this.groupId, after: this.#last });
    }
  }

  /** Disconnects now and then, half of the time just after sending something. */
  async #cutting(): Promise<void> {
    while (this.#talks) {
      await sleep(CUT_EVERY_MS * (0.5 + this.#chance.next()));
      if (!this.#ws) continue;
      this.cuts++;
      this.#ws.terminate();
    }
  }
}

async function makeGroup(): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into chat_group (group_type, dist_id) values (2, 1) returning id`.execute(ctx.db);
  const groupId = rows[0]?.id ?? 0;
  for (let i = 0; i < MEMBERS; i++) {
    const made = await createUser(ctx.db, ctx.keys, { phone: newPhone(), distId: 1 });
    if (!made) throw new Error('createUser returned no user');
    const sid = await openSession(ctx, { userId: made.id, distId: 1, kind: 'web', ip: '127.0.0.1', agent: 'test' });
    await sql`insert into chat_member (group_id, member, role) values (${groupId}, ${String(made.id)}, 'owner')`.execute(
      ctx.db,
    );
    clients.push(new Client(String(made.id), String(groupId), sha256(sid)));
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'youshi-chat-'));
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET: 'a secret of tests, long enough to be taken',
    DEMO: '0',
    LOG_LEVEL: 'fatal',
    DATABASE_POOL: '12',
  };
  ctx = await createContext(loadConfig(env), database.url, { log: pino({ level: 'silent' }) });
  await sql`insert into dist_host (dist_id, host) values (1, 'localhost') on conflict do nothing`.execute(ctx.db);
  for (let i = 0; i < GROUPS; i++) await makeGroup();
  const lone = { ...env, IP_LIMIT_FACTOR: '10000' };
  for (let i = 0; i < GATEWAYS; i++)
    servers.push(serverProcess(await freePort(), lone, 'tests/support/servers/api-main.ts'));
  for (const server of servers) await server.start();
}, 300_000);

afterAll(async () => {
  for (const client of clients) client.stop();
  await Promise.all(servers.map((server) => server.kill()));
  await ctx.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The messages of a group by number, as the database has them. */
async function stored(groupId: string): Promise<{ seq: number; id: string; sender: string }[]> {
  const { rows } = await sql<{ seq: number; id: string; sender: string }>`
    select seq, client_msg_id as id, sender from chat_message where group_id = ${Number(groupId)} order by seq`.execute(
    ctx.db,
  );
  return rows;
}

test('no message is lost, duplicated or out of order', { timeout: WHOLE ? 900_000 : 180_000 }, async () => {
  const running = Promise.all(clients.map((client) => client.run()));
  const until = Date.now() + KILL_FOR_MS;
  let kills = 0;
  for (; Date.now() < until; kills++) {
    await sleep(KILL_EVERY_MS);
    const server = servers[kills % 2];
    await server?.kill();
    await server?.start();
  }
  for (const client of clients) client.silence();
  const limit = Date.now() + FINISH_LIMIT_MS;
  const counts = new Map<string, number>();
  const isDone = async (): Promise<boolean> => {
    if (clients.some((client) => client.waiting > 0)) return false;
    for (const { groupId } of clients) if (!counts.has(groupId)) counts.set(groupId, (await stored(groupId)).length);
    return clients.every((client) => client.upTo >= (counts.get(client.groupId) ?? 0));
  };
  while (Date.now() < limit && !(await isDone())) await sleep(200);
  for (const client of clients) client.stop();
  await running;

  expect(clients.reduce((sum, client) => sum + client.cuts, 0)).toBeGreaterThan(GROUPS);
  for (const groupId of new Set(clients.map((client) => client.groupId))) {
    const rows = await stored(groupId);
    const members = clients.filter((client) => client.groupId === groupId);
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_, i) => i + 1));
    expect(rows.map((row) => row.id).toSorted()).toEqual(members.flatMap((m) => m.sent).toSorted());
    for (const client of members) {
      expect(client.conflicts).toBe(0);
      expect(client.waiting).toBe(0);
      expect([...client.seen].toSorted(([a], [b]) => a - b)).toEqual(rows.map((row) => [row.seq, row.id]));
      expect(rows.filter((row) => row.sender === client.member).map((row) => row.id)).toEqual(client.sent);
      for (const [id, seq] of client.acked) expect(rows[seq - 1]?.id).toBe(id);
    }
  }
  if (WHOLE) {
    const messages = clients.reduce((sum, client) => sum + client.sent.length, 0);
    const cuts = clients.reduce((sum, client) => sum + client.cuts, 0);
    console.log(JSON.stringify({ clients: clients.length, groups: GROUPS, kills, cuts, messages }));
  }
});
