/** The whole server over a separate database, with adapters that tests can look into. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import pino from 'pino';
import { idCardFrom17 } from '#tests/support/market/id-card.ts';
import { type App, createApp } from '#server/app.ts';
import { loadConfig } from '#server/config/config.ts';
import { type Context, createContext, type Overrides } from '#server/context.ts';
import { cookieName, openSession } from '#server/access/session.ts';
import type { GateLimits } from '#server/http/gate.ts';
import type { Lane } from '#server/jobs/lanes.ts';
import { relayOnce } from '#server/jobs/relay.ts';
import { timersOnce } from '#server/jobs/workers.ts';
import { type HashCost, hashSecret } from '#server/kernel/secrets/argon.ts';
import { derivedToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import type { Mail } from '#server/ports/mail.ts';
import type { Bus } from '#server/ports/bus.ts';
import type { Sms } from '#server/ports/sms.ts';
import { LOCAL_UPLOAD_PATH, type Storage } from '#server/ports/storage.ts';
import { createUser, markFactorVerified } from '#subjects/accounts/server/service.ts';
import { createStaff } from '#subjects/back-office/server/staff/create.ts';
import { account, post } from '#subjects/ledger/server/service.ts';
import { recordRealName } from '#subjects/verification/server/service.ts';
import { TestClient } from './client.ts';
import { proveOwner } from '../market/proofs.ts';
import { reuseDatabase } from '../database/reused-databases.ts';

export const BACKSTAGE_HOST = 'backstage.localhost';
/** Base32 of the second factor of every test's staff. */
export const TOTP_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

const STAFF_PASSWORD = 'Correct-horse-battery-9';

export interface SentSms {
  phone: string;
  code: string;
  purpose: string;
  /** Of a notice. */
  text?: string;
}

export interface NewUser {
  phone?: string;
  nickName?: string;
  /** A verified adult unless false. */
  verified?: boolean;
  /** 19900307 */
  birthDate?: string;
  realName?: string;
  /** Available balance to begin with, in fen. */
  balanceFen?: number;
  /** A seller's deposit to begin with, in fen. */
  depositFen?: number;
  password?: string;
  payPassword?: string;
  /**
   * The session has just proved its owner, so payments ask for no password. Default: users who begin with a balance and without a pay
   * separate password.
   */
  stepUp?: boolean;
  sellerLevel?: number;
  soldCount?: number;
  host?: string;
}

export interface TestUser {
  id: number;
  phone: string;
  nickName: string;
  realName: string;
  client: TestClient;
}

interface NewTestStaff {
  /** A shipped role, or the code of another. */
  role?: string;
  distId?: number;
  login?: string;
  /** The second factor was given again just now, so decisions on money need no confirmation. Default: true. */
  stepUp?: boolean;
}

export interface TestStaff {
  id: number;
  imUid: string;
  login: string;
  password: string;
  client: TestClient;
}

function memoryBus(): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    publish: (channel, message) => void emitter.emit(channel, message),
    subscribe(channel, listener) {
      emitter.on(channel, listener);
      return () => emitter.off(channel, listener);
    },
    close: () => Promise.resolve(),
  };
}

function memoryStorage(): Storage & { objects: Map<string, Buffer> } {
  const objects = new Map<string, Buffer>();
  return {
    name: 'local',
    objects,
    remove(key) {
      objects.delete(key);
      return Promise.resolve();
    },
    ticket: ({ key }) => ({ uploadUrl: LOCAL_UPLOAD_PATH, token: key, fields: { token: key, key } }),
    put(key, body) {
      objects.set(key, body);
      return Promise.resolve();
    },
    read(key) {
      const body = objects.get(key);
      return Promise.resolve(body && { body: Readable.from([body]), bytes: body.length });
    },
  };
}

const hashes = new Map<string, Promise<string>>();

/** The hash of a password that several people of the tests have: hashing it costs more than all the rest of a user. */
async function hashOnce(password: string, cost: HashCost = 'user'): Promise<string> {
  const key = `${cost}:${password}`;
  const hash = hashes.get(key) ?? hashSecret(password, cost);
  hashes.set(key, hash);
  return await hash;
}

let phones = 0;

/** A phone used by no other call of this run; its blocks of ten thousand change often enough for the limits per block. */
export function newPhone(): string {
  phones += 1;
  return `13${String((phones * 7_368_787 + 100_000_007) % 1_000_000_000).padStart(9, '0')}`;
}

async function addUser(ctx: Context, app: App, options: NewUser): Promise<TestUser> {
  const phone = options.phone ?? newPhone();
  const created = await createUser(ctx.db, ctx.keys, {
    phone,
    distId: 1,
    nickName: options.nickName,
    passwordHash: options.password === undefined ? undefined : await hashOnce(options.password),
    payPasswordHash: options.payPassword === undefined ? undefined : await hashOnce(options.payPassword),
    sellerLevel: options.sellerLevel,
    soldCount: options.soldCount,
  });
  if (!created) throw new Error('the phone has a user already');
  const realName = options.realName ?? '张三丰';
  if (options.verified !== false) {
    const day = options.birthDate ?? '19900307';
    const idNo = idCardFrom17(`110101${day}${String(created.id % 1000).padStart(3, '0')}`);
    const birthDate = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
    await recordRealName(ctx.db, ctx.keys, { userId: created.id, name: realName, idNo, birthDate });
  }
  if (options.balanceFen !== undefined) await fund(ctx, created.id, options.balanceFen);
  if (options.depositFen !== undefined) await payDeposit(ctx, created.id, options.depositFen);
  const sid = await openSession(ctx, { userId: created.id, distId: 1, kind: 'web', ip: '127.0.0.1', agent: 'test' });
  const stepUp = options.stepUp ?? (options.balanceFen !== undefined && options.payPassword === undefined);
  if (stepUp) await proveOwner(ctx.db, created.id);
  const client = new TestClient(app.http, options.host === undefined ? {} : { host: options.host });
  giveSession(ctx, client, sid, false);
  return { id: created.id, phone, nickName: created.nickName, realName, client };
}

/** The state that a log-in leaves in a browser. */
function giveSession(ctx: Context, client: TestClient, sid: string, staff: boolean): void {
  client.jar.set(cookieName(ctx.config, staff), sid);
  client.jar.set('csrfToken', derivedToken(ctx.keys, sid, 'csrf'));
  client.token = derivedToken(ctx.keys, sid, 'hdr');
}

let funded = 0;

async function fund(ctx: Context, userId: number, fen: number): Promise<void> {
  funded += 1;
  await post(ctx.db, [
    {
      code: 'topup',
      ref: `test:${funded}`,
      debit: account.clearing('sandbox', funded),
      credit: account.available(userId),
      fen,
      dist: 1,
    },
  ]);
}

async function payDeposit(ctx: Context, userId: number, fen: number): Promise<void> {
  await fund(ctx, userId, fen);
  const ref = `test:deposit:${userId}`;
  const [debit, credit] = [account.available(userId), account.deposit(userId)];
  await post(ctx.db, [{ code: 'deposit_in', ref, debit, credit, fen, dist: 1 }]);
  await sql`insert into deposit_entry (user_id, role, kind, amount_fen, ref, reason)
    values (${userId}, 'seller', 1, ${fen}, ${ref}, '缴纳保证金')`.execute(ctx.db);
}

/** How many staff each test's market has: files that share a process have separate numbers. */
const staffCounts = new WeakMap<Context, number>();

async function addStaff(ctx: Context, app: App, options: NewTestStaff): Promise<TestStaff> {
  const staffCount = (staffCounts.get(ctx) ?? 0) + 1;
  staffCounts.set(ctx, staffCount);
  const login = options.login ?? `staff${staffCount}`;
  const role = options.role ?? 'admin';
  const created = await createStaff(ctx.db, ctx.keys, {
    login,
    name: `员工${staffCount}`,
    role,
    totpSecret: TOTP_SECRET,
    distId: options.distId,
  });
  if (!created) throw new Error('the log-in name is taken');
  const passwordHash = await hashOnce(STAFF_PASSWORD, 'staff');
  await sql`update staff set password_hash = ${passwordHash} where id = ${created.id}`.execute(ctx.db);
  const sid = await openSession(ctx, {
    staffId: created.id,
    distId: options.distId ?? 1,
    kind: 'staff',
    ip: '127.0.0.1',
    agent: 'test',
  });
  if (options.stepUp !== false) await markFactorVerified(ctx.db, sha256(sid));
  const client = new TestClient(app.http, { host: BACKSTAGE_HOST });
  giveSession(ctx, client, sid, true);
  return { ...created, login, password: STAFF_PASSWORD, client };
}

/** The server, its context, and the means to act on both. */
export interface TestApp {
  app: App;
  ctx: Context;
  /** Messages sent, oldest first. */
  sms: SentSms[];
  /** Mails sent, oldest first. */
  mails: { to: string; code: string; subject: string; unsubscribe?: string | undefined }[];
  storage: Map<string, Buffer>;
  /** A visitor. */
  client(options?: { host?: string; ip?: string }): TestClient;
  newUser(input?: NewUser): Promise<TestUser>;
  newStaff(values?: NewTestStaff): Promise<TestStaff>;
  /** Adds to a user's available balance, in fen; a user without a pay password counts as just verified. */
  fund(userId: number, fen: number): Promise<void>;
  /** The last code sent to a phone. */
  lastCode(phone: string): string;
  /** Runs events until none is left. */
  relay(lane?: Lane): Promise<void>;
  /** Runs due timers once; returns how many ran. */
  timers(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Builds the server over a database with the rows of the migrated template: a fresh copy, or one that an earlier file of the worker used and
 * whose rows and sequences were put back. Close it in afterAll.
 */
export async function testApp(
  options: { overrides?: Overrides; env?: Record<string, string>; gate?: Partial<GateLimits> } = {},
): Promise<TestApp> {
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const database = await reuseDatabase(log);
  const dataDir = mkdtempSync(join(tmpdir(), 'youshi-http-'));
  const config = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATABASE_POOL: '12',
    DATA_DIR: dataDir,
    SECRET: 'a secret of tests, long enough to be taken',
    BACKSTAGE_HOST,
    // Tests change rows by hand, without events; tests of cached responses enable caching.
    PUBLIC_CACHE_TTL_MS: '0',
    ...options.env,
  });
  const sent: SentSms[] = [];
  const sms: Sms = {
    send({ phone, code, purpose, text }) {
      sent.push({ phone, code, purpose, ...(text !== undefined && { text }) });
      return Promise.resolve('sent');
    },
  };
  const mails: TestApp['mails'] = [];
  const mail: Mail = {
    send({ to, code, subject, unsubscribe }) {
      mails.push({ to, code, subject, ...(unsubscribe !== undefined && { unsubscribe }) });
      return Promise.resolve('sent');
    },
  };
  const storage = memoryStorage();
  const ctx = await createContext(config, database.url, {
    log,
    ...(config.vendors.sms.kind === 'stand-in' && { sms }),
    ...(config.vendors.mail.kind === 'stand-in' && { mail }),
    storage,
    bus: memoryBus(),
    databases: await database.pools(config.databasePool),
    ...options.overrides,
  });
  const app = await createApp(ctx, { ...(options.gate && { gate: options.gate }) });
  await app.http.ready();
  return {
    app,
    ctx,
    sms: sent,
    mails,
    storage: storage.objects,
    client: (input) => new TestClient(app.http, input),
    newUser: (input = {}) => addUser(ctx, app, input),
    newStaff: (input = {}) => addStaff(ctx, app, input),
    async fund(userId, fen) {
      await fund(ctx, userId, fen);
      await sql`update session set pay_verified_at = now() from app_user u
        where u.id = ${userId} and session.user_id = u.id and u.pay_password_hash is null`.execute(ctx.db);
    },
    lastCode(phone) {
      const code = sent.findLast((message) => message.phone === phone)?.code;
      if (code === undefined) throw new Error('no message went to this phone');
      return code;
    },
    async relay(lane) {
      while ((await relayOnce(ctx, app.effects, lane)) > 0);
    },
    timers: () => timersOnce(ctx, app.effects),
    async close() {
      await app.http.close();
      await ctx.close();
      await database.release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
