import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmbedded } from '#server/db/embedded.ts';
import type { Embedded } from '#server/db/embedded.ts';
import { excessPrivileges } from '#server/db/privileges.ts';

let dataDir: string;
let started: Embedded[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'youshi-embedded-'));
  // Open to the user the database runs as when the tests run as root.
  chmodSync(dataDir, 0o711);
  started = [];
});

afterEach(async () => {
  for (const embedded of started.reverse()) await embedded.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function begin(): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log: silent });
  started.push(embedded);
  return embedded;
}

/** Queries as the owner of the database. */
async function query(embedded: Embedded, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: embedded.ownerUrl, connectionTimeoutMillis: 3_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Queries until the database responds again. */
async function queryAfterCrash(embedded: Embedded, sql: string): Promise<unknown[]> {
  const end = performance.now() + 120_000;
  for (;;) {
    try {
      return await query(embedded, sql);
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(50);
    }
  }
}

function kill(pid: number | undefined): void {
  if (pid === undefined) throw new Error('the server is not running');
  process.kill(pid, 'SIGKILL');
}

test('stores data and searches text, with a role that is no superuser', async () => {
  const embedded = await begin();
  const [settings] = await query(
    embedded,
    `select current_setting('fsync') fsync, current_setting('synchronous_commit') commit,
      current_setting('data_checksums') checksums, current_setting('server_encoding') encoding, rolsuper super
     from pg_roles where rolname = current_user`,
  );
  expect(settings).toEqual({ fsync: 'on', commit: 'on', checksums: 'on', encoding: 'UTF8', super: false });
  await query(embedded, 'create extension pg_trgm');
  expect(await query(embedded, `select '露娜皮肤全' like '%皮肤%' and show_trgm('露娜') <> '{}' as found`)).toEqual([
    { found: true },
  ]);
  expect(new URL(embedded.url).hostname).toBe('127.0.0.1');
  expect(Number(new URL(embedded.url).port)).toBeLessThan(32_768);
});

test('a killed server restarts automatically with every committed row, on the same address', async () => {
  const embedded = await begin();
  const { url, pid } = embedded;
  await query(embedded, 'create table kept (id integer)');
  await query(embedded, 'insert into kept values (1)');
  // A backend in the middle of a long statement outlives its postmaster and holds the shared memory.
  const busy = query(embedded, 'select count(*) from generate_series(1, 2000000000)').catch(() => 'cut off');
  const isBusy = async (): Promise<boolean> =>
    (
      await query(
        embedded,
        `select from pg_stat_activity where state = 'active' and query like 'select count(*) from gen%'`,
      )
    ).length > 0;
  await expect.poll(isBusy).toBe(true);
  kill(pid);
  expect(await queryAfterCrash(embedded, 'select id from kept')).toEqual([{ id: 1 }]);
  expect(await busy).toBe('cut off');
  expect(embedded.url).toBe(url);
  expect(embedded.pid).not.toBe(pid);
});

test('a second process shares the server, and takes it over when the first one stops', async () => {
  const first = await begin();
  const second = await begin();
  expect([first.adopted, second.adopted]).toEqual([false, true]);
  expect([second.pid, second.url]).toEqual([first.pid, first.url]);
  await first.stop();
  expect(await queryAfterCrash(second, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  await second.stop();
  await expect(query(second, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
});

test('two concurrent first starts create one cluster', async () => {
  const [first, second] = await Promise.all([begin(), begin()]);
  expect(first.url).toBe(second.url);
  expect([first.adopted, second.adopted].filter(Boolean)).toEqual([true]);
});

test('lost passwords are set anew without losing data', async () => {
  const before = await begin();
  await query(before, 'create table kept as select 7 as id');
  await before.stop();
  rmSync(join(dataDir, 'postgres.json'));
  const after = await begin();
  expect(await query(after, 'select id from kept')).toEqual([{ id: 7 }]);
  expect(after.url).not.toBe(before.url);
});

test('a pid file left by a power cut does not stop the start', async () => {
  const before = await begin();
  const pidFile = readFileSync(join(dataDir, 'pg/postmaster.pid'), 'utf8');
  kill(before.pid);
  await before.stop();
  // The number may since belong to any process, here to this very one.
  writeFileSync(join(dataDir, 'pg/postmaster.pid'), pidFile.replace(/^\d+/, String(process.pid)));
  const after = await begin();
  expect(await query(after, 'select 1 as alive')).toEqual([{ alive: 1 }]);
});

test('P11: the server has its own role, which is no member of the owner; an older cluster gets it at its next start', async () => {
  const before = await begin();
  expect(await excessPrivileges(before.ownerUrl)).not.toEqual([]);
  expect(await excessPrivileges(before.url)).toEqual([]);
  expect(new URL(before.url).username).toBe('youshi_app');
  await before.stop();
  const file = join(dataDir, 'postgres.json');
  const { runPassword, ...older } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(older));
  const after = await begin();
  expect(after.ownerUrl).toBe(before.ownerUrl);
  expect(new URL(after.url).password).not.toBe(runPassword);
  expect(await excessPrivileges(after.url)).toEqual([]);
});
