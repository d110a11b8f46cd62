/**
 * Numbered SQL migrations, forward only. Each file runs in one transaction that first inserts its row in `schema_migrations`, so
 * concurrent starts are safe and a failure leaves no traces.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { versionProblem } from './version.ts';
import pg from 'pg';
import type { BaseLogger } from 'pino';

export type MigrateOptions = {
  /** Connection string, or a pool from which one connection is borrowed. */
  database: string | pg.Pool;
  /** Folder of `NNNN_slug.sql` files. */
  dir: string;
  log: Pick<BaseLogger, 'info'>;
};

export type MigrateResult = {
  /** Names of the files applied by this call, in order. */
  applied: string[];
  /** Number of migrations now applied to the database. */
  total: number;
};

type Migration = { version: number; name: string; sql: string; checksum: string; inTransaction: boolean };
type AppliedRow = { version: number; name: string; checksum: string; finished: boolean };

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
const NO_TRANSACTION = /^--\s*no-transaction\b/;
/** An arbitrary number, the same for every process of this application. */
const ADVISORY_LOCK = 7_204_811_350;
const LOCK_PATIENCE_MS = 300_000;
/** Other statements queue behind a migration that waits for a table, so it waits briefly, gives way to them and tries again. */
const TABLE_LOCK_MS = 1_500;
const LOCK_REST_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Thrown when the files and the database disagree, or when a file fails; the message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** Thrown for a database whose first migration is not this program's first one: it was created before the baseline. */
export class OldDatabaseError extends MigrationError {
  override name = 'OldDatabaseError';
}

/**
 * Reads the migration files of a folder in order. A folder that does not exist counts as empty.
 * @throws MigrationError for a misnamed file or a number used twice
 */
export function readMigrations(dir: string): Migration[] {
  const files = existsSync(dir) ? readdirSync(dir).filter((file) => file.endsWith('.sql')) : [];
  const migrations = files.sort().map((name): Migration => {
    const version = FILE_NAME.exec(name)?.[1];
    if (version === undefined) throw new MigrationError(`迁移文件名 ${name} 不合规矩，应为 0001_slug.sql 的样子。`);
    const sql = readFileSync(join(dir, name), 'utf8').replaceAll('\r\n', '\n');
    const checksum = createHash('sha256').update(sql).digest('hex');
    return { version: Number(version), name, sql, checksum, inTransaction: !NO_TRANSACTION.test(sql) };
  });
  for (const [index, { version, name }] of migrations.entries()) {
    const before = migrations[index - 1];
    if (before?.version === version) throw new MigrationError(`迁移 ${before.name} 与 ${name} 编号重复，请改后者。`);
  }
  return migrations;
}

/** Throws OldDatabaseError for a database that did not begin with the baseline migration: there is no upgrade path from it. */
function refuseOldDatabase([baseline]: Migration[], rows: AppliedRow[]): void {
  const first = rows[0];
  if (baseline === undefined || first?.version !== baseline.version || first.name === baseline.name) return;
  throw new OldDatabaseError(
    `这个数据库由更早的版本建立（第一个迁移是 ${first.name}，最后一个是 ${rows.at(-1)?.name}），本程序从 ${baseline.name} 开始，` +
      '不能从那里升级。数据没有改动：请用建立它的版本继续运行，或让本程序使用一个空的数据库。',
  );
}

/** The files still to run, after checking that the database's list agrees with the folder. */
function pendingOf(migrations: Migration[], rows: AppliedRow[]): Migration[] {
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]));
  refuseOldDatabase(migrations, rows);
  for (const row of rows) {
    const file = byVersion.get(row.version);
    if (file === undefined) {
      throw new MigrationError(`数据库已执行过 ${row.name}，但这里没有此文件：数据库比程序新，请更新程序。`);
    }
    if (row.finished && file.checksum !== row.checksum) {
      throw new MigrationError(
        `迁移 ${file.name} 执行之后又被改动。已执行的文件不可修改：请还原它，把改动写成新的迁移` +
          `（仅开发时可以删除数据目录重来）。`,
      );
    }
  }
  const done = new Set(rows.filter((row) => row.finished).map((row) => row.version));
  const newest = Math.max(0, ...done);
  const pending = migrations.filter((migration) => !done.has(migration.version));
  const outOfOrder = pending.find((migration) => migration.version < newest);
  if (outOfOrder !== undefined) {
    throw new MigrationError(`迁移 ${outOfOrder.name} 排在已执行的 ${newest} 号之前，请改用更大的编号。`);
  }
  return pending;
}

/**
 * Names of the migrations that a database lacks; readable by a role that may only read the list. @throws MigrationError when files and
 * database disagree
 */
export async function pendingMigrations(
  options: Pick<MigrateOptions, 'dir'> & { database: string },
): Promise<string[]> {
  const client = new pg.Client({ connectionString: options.database });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ made: boolean }>(
      "select to_regclass('public.schema_migrations') is not null as made",
    );
    const rowsApplied = rows[0]?.made === true ? await appliedRows(client) : [];
    return pendingOf(readMigrations(options.dir), rowsApplied).map((migration) => migration.name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The line of a file at PostgreSQL's character position. */
function lineAt(sql: string, position: string | undefined): number | undefined {
  return position === undefined ? undefined : sql.slice(0, Number(position)).split('\n').length;
}

function explain(migration: Migration, error: unknown): MigrationError {
  const fault = error instanceof pg.DatabaseError ? error : undefined;
  const line = lineAt(migration.sql, fault?.position);
  const where = line === undefined ? '' : ` 第 ${line} 行`;
  const detail = [fault?.detail, fault?.hint, fault?.where].filter((text) => text !== undefined).join('；');
  const message = error instanceof Error ? error.message : String(error);
  return new MigrationError(`迁移 ${migration.name}${where} 失败：${message}${detail === '' ? '' : `（${detail}）`}`, {
    cause: error,
  });
}

async function insertRow(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
    migration.version,
    migration.name,
    migration.checksum,
  ]);
}

async function markFinished(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('update schema_migrations set finished_at = clock_timestamp() where version = $1', [
    migration.version,
  ]);
}

/** Applies a file completely or not at all; when a table stays locked it is retried, with pauses for other statements, for five minutes. */
async function applyInTransaction(client: pg.ClientBase, migration: Migration): Promise<void> {
  const end = performance.now() + LOCK_PATIENCE_MS;
  for (;;) {
    try {
      await applyOnce(client, migration);
      return;
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      if (code !== LOCK_NOT_AVAILABLE || performance.now() > end) throw error;
      await sleep(LOCK_REST_MS);
    }
  }
}

async function applyOnce(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${TABLE_LOCK_MS}`);
    await insertRow(client, migration);
    await client.query(migration.sql);
    await markFinished(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Runs a file outside a transaction (an index built concurrently). It contains one repeatable statement; if interrupted, its row stays
 * unfinished and the next call runs it again.
 */
async function applyAlone(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('delete from schema_migrations where version = $1 and finished_at is null', [migration.version]);
  for (const name of await unfinishedIndexes(client, migration))
    await client.query(`drop index concurrently if exists ${pg.escapeIdentifier(name)}`);
  await insertRow(client, migration);
  await client.query(migration.sql);
  await markFinished(client, migration);
}

/**
 * The invalid index left by an interrupted run of the file: PostgreSQL keeps it unused, but would treat it as existing
 * (`if not exists`), so it has to be dropped first.
 */
async function unfinishedIndexes(client: pg.ClientBase, migration: Migration): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid and c.relnamespace = 'public'::regnamespace",
  );
  return rows.flatMap(({ name }) => (new RegExp(String.raw`\b${name}\b`).test(migration.sql) ? [name] : []));
}

async function createTable(client: pg.ClientBase): Promise<void> {
  await client.query(`
    create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      started_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz
    )`);
}

async function appliedRows(client: pg.ClientBase): Promise<AppliedRow[]> {
  const { rows } = await client.query<AppliedRow>(
    'select version, name, checksum, finished_at is not null as finished from schema_migrations order by version',
  );
  return rows;
}

/** Waits for another migrating process by polling: a waiting statement would block concurrent index builds. */
async function lock(client: pg.ClientBase): Promise<void> {
  const end = performance.now() + LOCK_PATIENCE_MS;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      ADVISORY_LOCK,
    ]);
    if (rows[0]?.locked === true) return;
    if (performance.now() > end) throw new MigrationError('另一个进程一直在迁移数据库，等了五分钟没有等到。');
    await sleep(100);
  }
}

/** Rejects a database that a start would reject, before anything in it is changed. */
async function requireVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number; text: string }>(
    "select current_setting('server_version_num')::int as version, current_setting('server_version') as text",
  );
  const problem = versionProblem(rows[0]?.version ?? 0, rows[0]?.text ?? '');
  if (problem !== undefined) throw new MigrationError(problem);
}

async function migrateWith(client: pg.ClientBase, options: MigrateOptions): Promise<MigrateResult> {
  const migrations = readMigrations(options.dir);
  await requireVersion(client);
  await lock(client);
  try {
    await createTable(client);
    const pending = pendingOf(migrations, await appliedRows(client));
    for (const migration of pending) {
      const begin = performance.now();
      try {
        await (migration.inTransaction ? applyInTransaction : applyAlone)(client, migration);
      } catch (error) {
        throw explain(migration, error);
      }
      options.log.info({ migration: migration.name, ms: Math.round(performance.now() - begin) }, '数据库迁移完成');
    }
    return { applied: pending.map((migration) => migration.name), total: migrations.length };
  } finally {
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK]).catch(() => undefined);
  }
}

/**
 * Migrates a database to the newest version; a current one is left untouched. The connection must be a session (not through a
 * transaction pooler), because it holds an advisory lock. @throws MigrationError when an applied file was changed, is missing or is
 * out of order, and when a file fails
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  if (typeof options.database !== 'string') {
    const client = await options.database.connect();
    try {
      return await migrateWith(client, options);
    } finally {
      client.release();
    }
  }
  const client = new pg.Client({ connectionString: options.database });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await migrateWith(client, options);
  } finally {
    await client.end().catch(() => undefined);
  }
}
