/** A market with its own database and a server process that can be killed, and people in it who ask until they know. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pino from 'pino';
import { loadConfig } from '#server/config/config.ts';
import { type Context, createContext } from '#server/context.ts';
import type { Embedded } from '#server/db/embedded.ts';
import { freePort } from '#server/db/embedded-process.ts';
import { openSession } from '#server/access/session.ts';
import { derivedToken, encrypt } from '#server/kernel/secrets/crypto.ts';
import { createUser } from '#subjects/accounts/server/service.ts';
import { recordRealName } from '#subjects/verification/server/service.ts';
import { account, post } from '#subjects/ledger/server/service.ts';
import { newPhone } from './build.ts';
import { startMigrated } from '../database/cluster.ts';
import { idCardFrom17 } from '../market/id-card.ts';
import { addGame } from '../goods/goods.ts';
import { type ServerProcess, serverProcess } from './server-process.ts';
import { chanceOf } from '../time/chance.ts';

const retries = chanceOf('retries');

/** The status of a call whose server died before it answered. */
export const NO_RESPONSE = 0;

/** Longer than a killed server may take to start again (server-process.ts): only one that never answers is a failure. */
const UNANSWERED_LIMIT_MS = 150_000;

const SECRET = 'a secret of tests, long enough to be taken';

export interface Walker {
  id: number;
  headers: Record<string, string>;
}

export interface ServerResponse {
  /** HTTP status; 0 when the connection was lost. */
  status: number;
  body: string;
}

/** Starts database and server; `name` is part of their folder's name, `settings` are added to the server's. */
export async function killable(name: string, settings: Record<string, string> = {}): Promise<KillableMarket> {
  const dataDir = mkdtempSync(join(tmpdir(), `youshi-${name}-`));
  chmodSync(dataDir, 0o711);
  const database = await startMigrated(dataDir);
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET,
    DEMO: '0',
    LOG_LEVEL: 'fatal',
    ...settings,
  };
  const ctx = await createContext(loadConfig(env), database.url, { log: pino({ level: 'silent' }) });
  await addGame(ctx);
  // Pages take no part, and building them would take longer than all else at each start.
  const server = serverProcess(
    await freePort(),
    { ...env, IP_LIMIT_FACTOR: '10000', WITH_EFFECTS: '1' },
    'tests/support/servers/api-main.ts',
  );
  const market = new KillableMarket({ dataDir, database, ctx, server });
  try {
    await server.start();
  } catch (error) {
    await market.close();
    throw error;
  }
  return market;
}

/** Sends requests to a server on loopback that may die at any time. Close it in the end. */
export class Sender {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** One request, answered or lost. */
  send(
    headers: Record<string, string>,
    path: string,
    form: Record<string, string>,
    key?: string,
  ): Promise<ServerResponse> {
    return new Promise((resolve) => {
      const lost = (): void => resolve({ status: NO_RESPONSE, body: '' });
      const request = http.request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method: 'POST',
          path,
          agent: this.#agent,
          timeout: 10_000,
          headers: {
            ...headers,
            'content-type': 'application/x-www-form-urlencoded',
            ...(key !== undefined && { 'idempotency-key': key }),
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
      request.end(new URLSearchParams(form).toString());
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export class KillableMarket {
  readonly ctx: Context;
  readonly database: Embedded;
  readonly server: ServerProcess;
  readonly #dataDir: string;
  readonly #sender: Sender;
  #people = 0;

  constructor(parts: { dataDir: string; database: Embedded; ctx: Context; server: ServerProcess }) {
    this.ctx = parts.ctx;
    this.database = parts.database;
    this.server = parts.server;
    this.#dataDir = parts.dataDir;
    this.#sender = new Sender(parts.server.port);
  }

  async close(): Promise<void> {
    this.#sender.close();
    await this.server.kill();
    await this.ctx.close();
    await this.database.stop();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  /** A verified adult with a session that has proved its owner, money and, where given, a seller's deposit (both in fen). */
  async person(fen: number, depositFen = 0): Promise<Walker> {
    const { ctx } = this;
    const created = await createUser(ctx.db, ctx.keys, { phone: newPhone(), distId: 1 });
    if (!created) throw new Error('createUser returned no user');
    const { id } = created;
    const n = this.#people++;
    const idNo = idCardFrom17(`11010119800101${String(n).padStart(3, '0')}`);
    await recordRealName(ctx.db, ctx.keys, { userId: id, name: '测试人', idNo, birthDate: '1980-01-01' });
    const at = (column: string): string => `payout_account.${column}:${id}`;
    await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
      values (${id}, 'alipay', ${encrypt(ctx.keys, at('account_enc'), `walker${n}@example.com`)}, ${Buffer.from(`walker${n}`)}, 'wal***',
        ${encrypt(ctx.keys, at('name_enc'), '测试人')})`.execute(ctx.db);
    const sid = await openSession(ctx, { userId: id, distId: 1, kind: 'web', ip: '127.0.0.1', agent: 'test' });
    // A walk's clocks jump, and it types no password.
    await sql`update session set pay_verified_at = now() + interval '1 year' where user_id = ${id}`.execute(ctx.db);
    const csrf = derivedToken(ctx.keys, sid, 'csrf');
    if (fen > 0)
      await post(ctx.db, [
        {
          code: 'topup',
          ref: `walker:${n}`,
          debit: account.clearing('sandbox', n),
          credit: account.available(id),
          fen: fen + depositFen,
          dist: 1,
        },
      ]);
    if (depositFen > 0) {
      const [debit, credit] = [account.available(id), account.deposit(id)];
      await post(ctx.db, [{ code: 'deposit_in', ref: `walker:${n}`, debit, credit, fen: depositFen, dist: 1 }]);
      await sql`insert into deposit_entry (user_id, role, kind, amount_fen, ref, reason)
        values (${id}, 'seller', 1, ${depositFen}, ${`walker:${n}`}, '缴纳保证金')`.execute(ctx.db);
    }
    const headers = {
      host: 'localhost',
      cookie: `sid=${sid}; csrfToken=${csrf}`,
      authorization: derivedToken(ctx.keys, sid, 'hdr'),
      'x-csrf-token': csrf,
    };
    return { id, headers };
  }

  /** One request, answered or lost. */
  async send(
    headers: Record<string, string>,
    path: string,
    form: Record<string, string>,
    key?: string,
  ): Promise<ServerResponse> {
    return await this.#sender.send(headers, path, form, key);
  }

  /** Asks again under the same key until there is a definitive answer: anything but a lost connection and 'busy'. */
  async call(
    headers: Record<string, string>,
    path: string,
    form: Record<string, string>,
    key?: string,
  ): Promise<ServerResponse & { tries: number }> {
    const limit = Date.now() + UNANSWERED_LIMIT_MS;
    for (let tries = 1; Date.now() < limit; tries++) {
      const answer = await this.send(headers, path, form, key);
      if (answer.status !== NO_RESPONSE && answer.status !== 503) return { ...answer, tries };
      await sleep(50 + retries.next() * 150);
    }
    throw new Error(`no definitive answer from ${path}`);
  }

  /** Waits until this process's own connections reach the database again. */
  async reachable(): Promise<void> {
    for (let i = 0; i < 1_200; i++) {
      const there = await sql`select 1`.execute(this.ctx.db).then(
        () => true,
        () => false,
      );
      if (there) return;
      await sleep(100);
    }
    throw new Error('the database did not come back');
  }
}
