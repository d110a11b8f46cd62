/** The end of a trial: its database and files are cleared, so that the market begins as if it had just been installed. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { BaseLogger } from 'pino';
import { migrate } from './db/migrate.ts';
import { ROOT } from './root.ts';

/** The reason why the data of a market is not cleared, as a Chinese sentence. */
export class NotATrial extends Error {}

/** The information shown to a person about to clear a trial. */
export interface TrialFigures {
  /** Name of the platform, which must be typed. */
  name: string;
  /** People, without the account that the platform uses for recycling. */
  users: number;
  orders: number;
}

const MIGRATIONS = join(ROOT, 'db/migrations');

async function isMarked(client: pg.Client): Promise<boolean> {
  const { rows: columns } = await client.query(
    `select from information_schema.columns where table_schema = 'public' and table_name = 'setup_state' and column_name = 'trial_since'`,
  );
  if (columns.length === 0) return false;
  const { rows } = await client.query('select from setup_state where trial_since is not null');
  return rows.length > 0;
}

/** Rejects a database that is not a trial's, is not owned by this log-in, has had real payments, or is in use by a server. */
async function requireTrial(client: pg.Client): Promise<void> {
  if (!(await isMarked(client)))
    throw new NotATrial('这个数据库不是试运行的（没有以 TRIAL=1 启动过），不会清除任何数据');
  const { rows: owned } = await client.query<{ isOwner: boolean }>(
    `select pg_has_role(current_user, nspowner, 'usage') as "isOwner" from pg_namespace where nspname = 'public'`,
  );
  if (owned[0]?.isOwner !== true)
    throw new NotATrial('这个登录不是数据库的所有者，不能清除：请设 MIGRATE_DATABASE_URL 为所有者的连接，再运行一次');
  const { rows: real } = await client.query<{ channel: string }>(
    `select channel from payment where channel <> 'sandbox'
     union select channel from withdrawal where channel is not null and channel not in ('sandbox', 'bank') limit 1`,
  );
  if (real[0]) throw new NotATrial(`这个数据库里有经过真实渠道（${real[0].channel}）的钱，不会清除任何数据`);
  const { rows: sessions } = await client.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  if (sessions.length > 0)
    throw new NotATrial(`还有 ${sessions.length} 个连接在使用这个数据库：请先停掉服务器，再运行一次`);
}

async function connected<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Name and size of the trial in a database. Throws NotATrial. */
export async function trialFigures(ownerUrl: string): Promise<TrialFigures> {
  return await connected(ownerUrl, async (client) => {
    await requireTrial(client);
    const { rows } = await client.query<TrialFigures>(
      `select (select name from distributor where id = 1) as name,
        (select count(*)::int from app_user u where not exists (select from recycler r where r.user_id = u.id and r.is_platform)) as users,
        (select count(*)::int from orders) as orders`,
    );
    const [figures] = rows;
    if (!figures) throw new NotATrial('读不到平台的名称，不会清除任何数据');
    return figures;
  });
}

/**
 * Clears a trial: all tables are dropped and recreated by the migrations, pictures and the record of the audit are deleted. `ownerUrl` is
 * the log-in that owns the tables, `name` is the typed name. Throws NotATrial when the name differs or the database is not a trial's.
 */
export async function endTrial(options: {
  ownerUrl: string;
  name: string;
  dataDir: string;
  auditHeads: string;
  log: Pick<BaseLogger, 'info' | 'warn'>;
}): Promise<void> {
  const { ownerUrl, dataDir, auditHeads, log } = options;
  await connected(ownerUrl, async (client) => {
    await client.query('begin');
    await requireTrial(client);
    const { rows } = await client.query<{ name: string }>('select name from distributor where id = 1');
    if (rows[0]?.name !== options.name.trim()) throw new NotATrial('市场名称不一致，没有清除任何数据');
    await client.query('drop schema public cascade');
    await client.query('create schema public');
    await client.query('grant usage on schema public to public');
    await client.query('commit');
  });
  await migrate({ database: ownerUrl, dir: MIGRATIONS, log });
  rmSync(join(dataDir, 'uploads'), { recursive: true, force: true });
  rmSync(auditHeads, { force: true });
}
