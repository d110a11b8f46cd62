/**
 * One PostgreSQL for the whole test run, and in it a template that carries every migration. Vitest starts it once before
 * all tests and stops it after them; the tests get their own copies from `database.ts`.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';

/** What a test worker needs to make itself a database. */
export type TestCluster = {
  /** A superuser's connection string, to the database `postgres`. */
  adminUrl: string;
  /** The run-time log-in's connection string, to the template. */
  templateUrl: string;
  /** The owner's connection string, to the template. */
  ownerUrl: string;
  template: string;
  /** Why the migrations failed. Tests without a database of the market still run; the others fail with these words. */
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

/** Starts one with every migration in its template. */
export async function startCluster(): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'youshi-tests-'));
  // Open to the user the database runs as when the tests run as root.
  chmodSync(dataDir, 0o711);
  const embedded = await startEmbedded({ dataDir, log: silent, fsync: false });
  const stop = async (): Promise<void> => {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const cluster: TestCluster = {
    adminUrl: embedded.adminUrl,
    templateUrl: embedded.url,
    ownerUrl: embedded.ownerUrl,
    template: 'youshi',
  };
  try {
    await migrate({ database: embedded.ownerUrl, dir: 'db/migrations', log: silent });
    // A template with a session in it cannot be copied, so no connection to it is allowed any more.
    const admin = new pg.Client({ connectionString: embedded.adminUrl });
    await admin.connect();
    await admin.query('alter database youshi with allow_connections false');
    await admin.end();
  } catch (error) {
    cluster.broken = error instanceof Error ? error.message : String(error);
  }
  return { cluster, stop };
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
