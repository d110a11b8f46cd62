/**
 * `npm run restore-drill`: fills a temporary market, backs it up, continues trading, destroys it, restores it to a point in time, and proves that the
 * books are whole, that nothing after the moment is there and nothing before it is missing, and that nothing left before the release.
 * Touches no other market. The last line is its figures as JSON.
 */
import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { addDrillOrders, proveForDrill } from '../db/seed/drill.ts';
import { openSession } from '../server/access/session.ts';
import { type App, createApp } from '../server/app.ts';
import { takeBase } from '../server/backup/base.ts';
import { verify } from '../server/backup/keep.ts';
import { type Archive, openArchive } from '../server/backup/destination.ts';
import { openQuarantine, releaseQuarantine } from '../server/backup/quarantine.ts';
import { Receiver } from '../server/backup/receiver.ts';
import { lsnOf } from '../server/backup/replication.ts';
import { restore } from '../server/backup/restore.ts';
import { type Config, loadConfig } from '../server/config/config.ts';
import { type Context, createContext, type Overrides } from '../server/context.ts';
import { type Embedded, startEmbedded } from '../server/db/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { startEffects } from '../server/jobs/run.ts';
import { derivedToken } from '../server/kernel/secrets/crypto.ts';
import { openLog } from '../server/log.ts';
import { ROOT } from '../server/root.ts';
import { demoSeed } from '../server/seed.ts';
import { createUser } from '#subjects/accounts/server/service.ts';
import { account, brokenInvariants, post } from '#subjects/ledger/server/service.ts';
import { quietLog } from './lib/console-log.ts';
import { proveRestored } from './lib/database/prove-restored.ts';

const GOODS = 100;
const BEFORE = 200;
const AFTER = 100;
const BALANCE_FEN = 90_000_000;
/** How long the restored market's effects run while they are held. */
const HELD_MS = 4_000;
const RELEASED_LIMIT_MS = 60_000;
const ARCHIVE_LIMIT_MS = 60_000;
const PICTURE = 'goods/26/drill.webp';

const room = mkdtempSync(join(tmpdir(), 'youshi-drill-'));
chmodSync(room, 0o711);
const log = openLog('silent');
const say = (text: string): void => console.log(`  ${text}`);
const figures: Record<string, number> = {};

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  figures[name] = Math.round(performance.now() - began);
  return result;
}

function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(`演练失败：${what}`);
}

const configAt = (dataDir: string, url: string): Config =>
  loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    SECRET: 'a secret of the drill, long enough to be taken',
    DEMO: '0',
    SEED_GOODS: String(GOODS),
    LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'silent',
  });

/** A buyer with money, and the headers of a session that has just proved its owner. */
async function buyer(ctx: Context): Promise<{ id: number; headers: Record<string, string> }> {
  const created = await createUser(ctx.db, ctx.keys, { phone: '13912340001', distId: PLATFORM_DIST_ID });
  if (!created) throw new Error('createUser returned no user');
  const { id } = created;
  const [debit, credit] = [account.clearing('sandbox', 1), account.available(id)];
  await post(ctx.db, [{ code: 'topup', ref: 'drill', debit, credit, fen: BALANCE_FEN, dist: 1 }]);
  const sid = await openSession(ctx, {
    userId: id,
    distId: PLATFORM_DIST_ID,
    kind: 'web',
    ip: '127.0.0.1',
    agent: 'drill',
  });
  await proveForDrill(ctx.db, id);
  const csrf = derivedToken(ctx.keys, sid, 'csrf');
  return {
    id,
    headers: {
      host: 'localhost',
      cookie: `sid=${sid}; csrfToken=${csrf}`,
      authorization: derivedToken(ctx.keys, sid, 'hdr'),
      'x-csrf-token': csrf,
      'content-type': 'application/x-www-form-urlencoded',
    },
  };
}

async function pay(app: App, headers: Record<string, string>, orders: readonly number[]): Promise<void> {
  for (const id of orders) {
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/pay/balancePay',
      headers: { ...headers, 'idempotency-key': `drill-pay-${id}` },
      payload: `orderId=${id}`,
    });
    if (response.statusCode !== 200) throw new Error(`payment failed: ${response.body}`);
  }
}

async function statuses(ctx: Context, orders: readonly number[]): Promise<{ paid: number; unpaid: number }> {
  const { rows } = await sql<{ paid: number; unpaid: number }>`
    select count(*) filter (where paid_at is not null)::int as paid, count(*) filter (where paid_at is null)::int as unpaid
    from orders where id = any(${orders}::bigint[])`.execute(ctx.db);
  return rows[0] ?? { paid: 0, unpaid: 0 };
}

/** Waits until the archive has all that is written now. */
async function archived(ctx: Context, receiver: Receiver): Promise<void> {
  const { rows } = await sql<{ at: string }>`select pg_current_wal_flush_lsn()::text as at`.execute(ctx.db);
  const until = Date.now() + ARCHIVE_LIMIT_MS;
  while ((receiver.safe ?? 0n) < lsnOf(rows[0]?.at ?? '0/0')) {
    must(Date.now() < until, '日志没有归档');
    await sleep(200);
  }
}

interface Story {
  moment: Date;
  before: number[];
  after: number[];
}

/** Fills a market, copies it, and trades on beyond the moment. Everything of it is gone afterwards but the archive. */
async function trade(archive: Archive): Promise<Story> {
  const dataDir = join(room, 'market');
  const embedded = await startEmbedded({ dataDir, log: quietLog });
  const config = configAt(dataDir, embedded.url);
  await timed('fillMs', async () => {
    await migrate({ database: embedded.ownerUrl, dir: join(ROOT, 'db/migrations'), log: quietLog });
    await demoSeed({ config, databaseUrl: embedded.ownerUrl, print: () => undefined });
  });
  const ctx = await createContext(config, embedded.url, { log });
  const app = await createApp(ctx);
  await app.http.ready();
  const receiver = new Receiver({ archive, sourceUrl: embedded.adminUrl, lagMs: 1_000, log: quietLog });
  try {
    const { id, headers } = await buyer(ctx);
    const orders = await addDrillOrders(ctx.db, id, BEFORE + AFTER);
    const { bytes } = await timed(
      'copyMs',
      async () => await takeBase({ archive, sourceUrl: embedded.adminUrl, pictures: [], release: 'drill' }),
    );
    figures.copyMb = Math.round(bytes / 1024 / 1024);
    const [before, after] = [orders.slice(0, BEFORE), orders.slice(BEFORE)];
    await pay(app, headers, before);
    await sleep(1_100);
    const moment = new Date();
    await sleep(1_100);
    await pay(app, headers, after);
    await archived(ctx, receiver);
    say(`复制后又付款 ${before.length} 笔，到 ${moment.toISOString()} 之后再付 ${after.length} 笔`);
    return { moment, before, after };
  } finally {
    await receiver.stop();
    await app.http.close();
    await ctx.close();
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Counts outgoing messages; sends nothing. */
function counted(): { overrides: Overrides; sent: () => number } {
  let sent = 0;
  const count = (): Promise<'sent'> => {
    sent += 1;
    return Promise.resolve('sent');
  };
  return { overrides: { log, sms: { send: count }, mail: { send: count } }, sent: () => sent };
}

async function queues(ctx: Context): Promise<{ events: number; due: number }> {
  const { rows } = await sql<{ events: number; due: number }>`select (select count(*)::int from outbox) as events,
    (select count(*)::int from timer where due_at <= now()) as due`.execute(ctx.db);
  return rows[0] ?? { events: 0, due: 0 };
}

/** Proves the restored market, held and then released. */
async function prove(embedded: Embedded, dataDir: string, { before, after }: Story): Promise<void> {
  const { overrides, sent } = counted();
  const ctx = await createContext(configAt(dataDir, embedded.url), embedded.url, overrides);
  const app = await createApp(ctx);
  await app.http.ready();
  try {
    must((await openQuarantine(ctx.db)) !== undefined, '没有进入隔离');
    const [restored, lost] = [await statuses(ctx, before), await statuses(ctx, after)];
    must(restored.paid === BEFORE, `之前的付款只有 ${restored.paid} 笔`);
    must(lost.paid === 0 && lost.unpaid === AFTER, `之后的付款还有 ${lost.paid} 笔`);
    const broken = await timed('booksMs', async () => await brokenInvariants(ctx.db));
    must(broken.length === 0, `账目不平：${broken.join('；')}`);
    const held = await queues(ctx);
    must(held.events > 0 && held.due > 0, '没有到期的任务和事件，什么也证明不了');
    const effects = startEffects(ctx, app.effects);
    await sleep(HELD_MS);
    const still = await queues(ctx);
    must(still.events >= held.events && still.due >= held.due, '隔离中有任务或事件执行了');
    must(sent() === 0, '隔离中有短信或邮件发出');
    say(`隔离中 ${still.due} 个到期任务、${still.events} 个事件都没有执行，没有任何发出`);
    await releaseQuarantine(ctx, { staff: null, reason: '演练' });
    const until = Date.now() + RELEASED_LIMIT_MS;
    while ((await queues(ctx)).events > 0) {
      must(Date.now() < until, '放行后事件没有执行');
      await sleep(200);
    }
    await effects.stop();
    const later = await brokenInvariants(ctx.db);
    must(later.length === 0, `放行后账目不平：${later.join('；')}`);
    figures.events = held.events;
    figures.due = held.due;
  } finally {
    await app.http.close();
    await ctx.close();
  }
}

/** Restores the same moment as the folder of a separate PostgreSQL, with the pictures of a data folder beside it. */
async function proveCluster(archive: Archive, { moment }: Story): Promise<void> {
  await archive.put(`pictures/${PICTURE}`, Buffer.from('a picture'));
  let proved = 0;
  const { pictures } = await restore({
    archive,
    to: moment,
    into: join(room, 'cluster'),
    layout: 'cluster',
    bin: undefined,
    picturesInto: join(room, 'data'),
    prove: async (url) => {
      await proveRestored(url, () => undefined);
      proved += 1;
    },
    print: () => undefined,
  });
  must(proved === 1, '没有核对账目');
  must(pictures === 1, `恢复了 ${pictures} 张图片`);
  must(readFileSync(join(room, 'data/uploads', PICTURE), 'utf8') === 'a picture', '图片的内容不对');
  say('只恢复数据库目录时，账目同样核对，图片回到数据目录');
}

const began = performance.now();
try {
  const archive = openArchive({
    destination: { kind: 'folder', path: join(room, 'copies') },
    key: 'a passphrase of the drill, long enough',
  });
  const story = await trade(archive);
  const faults = await verify(archive);
  must(faults.length === 0, faults.join('；'));
  const into = join(room, 'restored');
  await timed(
    'restoreMs',
    async () => await restore({ archive, to: story.moment, into, layout: 'market', bin: undefined, print: say }),
  );
  const embedded = await startEmbedded({ dataDir: into, log: quietLog });
  try {
    await prove(embedded, into, story);
  } finally {
    await embedded.stop();
  }
  await timed('clusterMs', async () => await proveCluster(archive, story));
  say('演练成功：账目全部相符，没有多一笔，也没有少一笔');
  console.log(JSON.stringify({ ...figures, totalMs: Math.round(performance.now() - began) }));
} catch (error) {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error);
  process.exitCode = 1;
} finally {
  rmSync(room, { recursive: true, force: true });
}
process.exit();
