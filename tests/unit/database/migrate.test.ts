import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate, OldDatabaseError, pendingMigrations } from '#server/db/migrate.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import type { MigrateResult } from '#server/db/migrate.ts';
import { migrationPlan } from '../../../scripts/lib/database/migration-plan.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import type { TestDatabase } from '#tests/support/database/database.ts';

let dir: string;
let database: TestDatabase;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'youshi-migrations-'));
  database = await createTestDatabase({ empty: true });
});

afterEach(async () => {
  await database.drop();
  rmSync(dir, { recursive: true });
});

const file = (name: string, sql: string): void => writeFileSync(join(dir, name), sql);

const run = async (): Promise<MigrateResult> =>
  await migrate({ database: database.ownerUrl, dir, log: { info: () => undefined } });

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('an empty folder is a database without migrations', async () => {
  expect(await run()).toEqual({ applied: [], total: 0 });
});

test('files run once, in order, also when two start at the same time', async () => {
  file('0002_b.sql', 'create table b (a_id integer references a)');
  file('0001_a.sql', 'create table a (id integer primary key)');
  const results = await Promise.all([run(), run(), run()]);
  const applied = results.map((result) => result.applied.length).sort((a, b) => a - b);
  expect(applied).toEqual([0, 0, 2]);
  expect(await run()).toEqual({ applied: [], total: 2 });
  expect(await query('select version from schema_migrations where finished_at is not null order by 1')).toEqual([
    { version: 1 },
    { version: 2 },
  ]);
});

test('a given pool is used, and gets its connection back', async () => {
  file('0001_a.sql', 'create table a (id integer primary key)');
  const pool = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
  // Its last connection may still be closing when the database is dropped.
  pool.on('error', () => undefined);
  try {
    const result = await migrate({ database: pool, dir, log: { info: () => undefined } });
    expect(result.applied).toEqual(['0001_a.sql']);
    expect((await pool.query('select * from a')).rows).toEqual([]);
  } finally {
    await pool.end();
  }
});

test('a failing file changes nothing and reports its name and line', async () => {
  file('0001_a.sql', 'create table a (id integer);');
  file('0002_bad.sql', 'create table b (id integer);\ninsert into a\nselect nonsense;');
  await expect(run()).rejects.toThrow(/0002_bad\.sql 第 3 行 失败：column "nonsense" does not exist/);
  expect(await query("select to_regclass('a')::text a, to_regclass('b')::text b")).toEqual([{ a: 'a', b: null }]);
  file('0002_bad.sql', 'create table b (id integer);');
  expect((await run()).applied).toEqual(['0002_bad.sql']);
});

test('a changed applied file stops the run; line endings are ignored', async () => {
  file('0001_a.sql', 'create table a (\n  id integer\n);');
  await run();
  file('0001_a.sql', 'create table a (\r\n  id integer\r\n);');
  await run();
  file('0001_a.sql', 'create table a (id bigint);');
  file('0002_b.sql', 'create table b (id integer);');
  await expect(run()).rejects.toThrow(/0001_a\.sql 执行之后又被改动/);
  expect(await query("select to_regclass('b')::text b")).toEqual([{ b: null }]);
});

test('a database newer than the program, a duplicate number and a late number are rejected', async () => {
  file('0001_a.sql', 'select 1');
  file('0003_c.sql', 'select 1');
  await run();
  file('0002_b.sql', 'select 1');
  await expect(run()).rejects.toThrow(/0002_b\.sql 排在已执行的 3 号之前/);
  rmSync(join(dir, '0002_b.sql'));
  file('0003_d.sql', 'select 1');
  await expect(run()).rejects.toThrow(/0003_c\.sql 与 0003_d\.sql 编号重复/);
  rmSync(join(dir, '0003_d.sql'));
  rmSync(join(dir, '0003_c.sql'));
  await expect(run()).rejects.toThrow(/数据库比程序新/);
  file('0003_c.sql', 'select 1');
  file('four.sql', 'select 1');
  await expect(run()).rejects.toThrow(/four\.sql 不合规矩/);
});

test('a file marked no-transaction runs alone, and again after an interruption', async () => {
  file('0001_a.sql', 'create table a (id integer);');
  file('0002_index.sql', '-- no-transaction\ncreate index concurrently if not exists a_id on a (id)');
  await run();
  await query('update schema_migrations set finished_at = null where version = 2');
  expect((await run()).applied).toEqual(['0002_index.sql']);
  expect(await query("select to_regclass('a_id')::text i")).toEqual([{ i: 'a_id' }]);
});

test('an index that an interrupted run left invalid is created again', async () => {
  file('0002_index.sql', '-- no-transaction\ncreate unique index concurrently if not exists a_id on a (id)');
  file('0001_a.sql', 'create table a (id integer); insert into a values (1), (1);');
  await expect(run()).rejects.toThrow(/a_id|duplicat|unique/);
  const state = "select indisvalid as usable from pg_index where indexrelid = to_regclass('a_id')";
  expect(await query(state)).toEqual([{ usable: false }]);
  await query('delete from a');
  await run();
  expect(await query(state)).toEqual([{ usable: true }]);
});

test('a plan lists the files, their locks and the size of their tables, and changes nothing', async () => {
  file('0001_a.sql', 'create table a (id integer); insert into a select generate_series(1, 5000);');
  await run();
  await query('analyze a');
  file('0002_b.sql', 'create table b (id integer); alter table a add constraint c check (id > 0);');
  file('0003_index.sql', '-- no-transaction\ncreate index concurrently if not exists a_id on a (id)');
  const plan = await migrationPlan(database.ownerUrl, dir);
  expect(plan.map((line) => line.trim().replace(/，\d+ kB/, ''))).toEqual([
    '将执行 2 个迁移：',
    '0002_b.sql（2 条语句）',
    '新建 b',
    'a（约 5000 行）：读写都要等，读整张表',
    '0003_index.sql（1 条语句，不在事务里）',
    'a（约 5000 行）：不阻塞读写，读整张表',
  ]);
  expect(await query("select to_regclass('b')::text as b")).toEqual([{ b: null }]);
  await run();
  expect(await migrationPlan(database.ownerUrl, dir)).toEqual(['数据库已是最新，没有要执行的迁移']);
});

test('D10: a migration that waits for a busy table does not block later statements, and runs when the table is free', async () => {
  file('0001_a.sql', 'create table a (id integer primary key)');
  await run();
  file('0002_more.sql', 'alter table a add column more integer');
  const client = async (): Promise<pg.Client> => {
    const made = new pg.Client({ connectionString: database.ownerUrl });
    await made.connect();
    return made;
  };
  const [holder, reader, watcher] = [await client(), await client(), await client()];
  try {
    await holder.query('begin');
    await holder.query('select * from a');
    let isDone = false;
    const migrated = run().finally(() => (isDone = true));
    const isWaiting = async (): Promise<boolean> =>
      (
        await watcher.query(
          'select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
        )
      ).rows.length > 0;
    // A reader behind the waiting migration is served as soon as that gives up its place; else only after the holder, which waits for it.
    await reader.query(`set statement_timeout = '20s'`);
    for (let round = 0; round < 3; round += 1) {
      await expect.poll(isWaiting).toBe(true);
      await reader.query('select * from a');
    }
    expect(isDone).toBe(false);
    await holder.query('commit');
    expect((await migrated).applied).toEqual(['0002_more.sql']);
  } finally {
    await Promise.all([holder.end(), reader.end(), watcher.end()]);
  }
});

describe('a database from before the baseline', () => {
  const quiet = { info: () => undefined, warn: () => undefined };
  const tables = async (): Promise<unknown> =>
    await query("select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'");
  /** Makes the database one whose first migration has another name. */
  const makeOld = async (): Promise<void> => {
    file('0001_kernel.sql', 'create table kernel (id integer)');
    file('0700_last.sql', 'select 1');
    await run();
    rmSync(join(dir, '0001_kernel.sql'));
    rmSync(join(dir, '0700_last.sql'));
    file('0001_baseline.sql', 'create table a (id integer)');
  };

  test('is refused by name, and nothing in it changes', async () => {
    await makeOld();
    const before = await tables();
    await expect(run()).rejects.toThrow(OldDatabaseError);
    await expect(run()).rejects.toThrow(/0001_kernel\.sql.*0700_last\.sql.*0001_baseline\.sql.*数据没有改动/s);
    await expect(pendingMigrations({ database: database.ownerUrl, dir })).rejects.toThrow(OldDatabaseError);
    expect(await tables()).toEqual(before);
  });

  test.each([
    ['a demo is told how to get a new one', true, /rm -rf '\/market\/data'.*npm start/s],
    ['another start is not told to delete anything', false, undefined],
  ])('a start is refused: %s', async (_name, demo, hint) => {
    await makeOld();
    const { url, ownerUrl } = database;
    const started = prepareDatabase({
      config: { databaseUrl: undefined, migrateUrl: undefined, production: false, demo, dataDir: '/market/data' },
      embedded: { url, ownerUrl },
      log: quiet,
      print: () => undefined,
    }).then(
      () => 'started',
      (error: unknown) => String(error),
    );
    expect(await started).toMatch(/由更早的版本建立/);
    if (hint) expect(await started).toMatch(hint);
    else expect(await started).not.toMatch(/rm -rf|删除/);
  });
});
