/**
 * One PostgreSQL for the whole test run, and in it a template that carries every migration. Vitest starts it once before
 * all tests and stops it after them; the tests get their own copies from `database.ts`.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type Embedded, startEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { MIGRATED, prepareDataFolder } from './data-folder-cache.ts';

/** Details with which a test worker creates its database. */
export type TestCluster = {
  /** A superuser's connection string, to the database `postgres`. */
  adminUrl: string;
  /** The run-time log-in's connection string, to the template. */
  templateUrl: string;
  /** The owner's connection string, to the template. */
  ownerUrl: string;
  template: string;
  /** Why the migrations failed. Tests without a market database still run; the others fail with this message. */
  broken?: string;
};

declare module 'vitest' {
  export interface ProvidedContext {
    testCluster: TestCluster;
  }
}

/** A PostgreSQL that runs, with its template. */
export type Running = { cluster: TestCluster; stop: () => Promise<void> };

const silent = { info: () => undefined, warn: console.warn, error: console.error };

/** Starts PostgreSQL in a data folder, without the safety that a power cut would need. */
const startIn = async (dataDir: string): Promise<Embedded> =>
  await startEmbedded({ dataDir, log: silent, fsync: false });

const clusterOf = ({ adminUrl, url, ownerUrl }: Embedded): TestCluster => ({
  adminUrl,
  templateUrl: url,
  ownerUrl,
  template: 'youshi',
});

/** Fills an empty data folder: every migration, then the template is closed to connections, since one with a session cannot be copied. */
async function fillTemplate(dataDir: string): Promise<void> {
  const embedded = await startIn(dataDir);
  try {
    await migrate({ database: embedded.ownerUrl, dir: 'db/migrations', log: silent });
    const admin = new pg.Client({ connectionString: embedded.adminUrl });
    await admin.connect();
    await admin.query('alter database youshi with allow_connections false');
    await admin.end();
  } finally {
    await embedded.stop();
  }
}

/** Starts a PostgreSQL in the empty folder `dataDir` whose database `youshi` has every migration, from the cache when it is there. */
export async function startMigrated(dataDir: string): Promise<Embedded> {
  await prepareDataFolder(MIGRATED, dataDir, fillTemplate);
  const embedded = await startEmbedded({ dataDir, log: silent });
  const admin = new pg.Client({ connectionString: embedded.adminUrl });
  await admin.connect();
  await admin.query('alter database youshi with allow_connections true');
  await admin.end();
  return embedded;
}

/**
 * Starts one with every migration in its template. The filled data folder is cached by the hash of what it was made of, so only the first
 * run after a migration changed pays for the migrations.
 */
export async function startCluster(): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'youshi-tests-'));
  // Open to the user the database runs as when the tests run as root.
  chmodSync(dataDir, 0o711);
  let broken: string | undefined;
  try {
    await prepareDataFolder(MIGRATED, dataDir, fillTemplate);
  } catch (error) {
    broken = error instanceof Error ? error.message : String(error);
  }
  const embedded = await startIn(dataDir);
  const stop = async (): Promise<void> => {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { cluster: { ...clusterOf(embedded), ...(broken !== undefined && { broken }) }, stop };
}

let running: Promise<Running> | undefined;
let users = 0;

/** Vitest's global setup: every project shares the same server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  users += 1;
  running ??= startCluster();
  const { cluster, stop } = await running;
  project.provide('testCluster', cluster);
  return async () => {
    users -= 1;
    if (users === 0) await stop();
  };
}
