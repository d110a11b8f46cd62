/** A separate database with every migration applied, in some tens of milliseconds. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Context } from '#server/context.ts';
import type { TestCluster } from './cluster.ts';

export type TestDatabase = {
  name: string;
  /** Connection string of the log-in that the server works as. */
  url: string;
  /** Connection string of the owner, for migrations. */
  ownerUrl: string;
  /** Removes the database; sessions still in it are ended. */
  drop(): Promise<void>;
};

/** The run's PostgreSQL: of the vitest run, or for a program outside of one the one that its environment names. */
const cluster = (): TestCluster =>
  process.env.TEST_CLUSTER === undefined
    ? inject('testCluster')
    : (JSON.parse(process.env.TEST_CLUSTER) as TestCluster);

/** A superuser's connection to a database of the run: it may do what no role of the application may, and triggers do not see its changes. */
export async function superuserClient(database: string): Promise<pg.Client> {
  const url = new URL(cluster().adminUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  // Triggers keep even a superuser from the ledger's rows; a planted error must get past them.
  await client.query('set session_replication_role = replica');
  return client;
}

/** Does in a database of the run what the application's own role may not: as a holder of the superuser's password could. */
export async function asSuperuser(database: string, statement: string, values: readonly unknown[] = []): Promise<void> {
  const client = await superuserClient(database);
  try {
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}

/** Name of the database that a test's server uses. */
export const databaseOf = (ctx: Pick<Context, 'config'>): string =>
  new URL(ctx.config.databaseUrl ?? '').pathname.slice(1);

const asAdmin = (statement: string): Promise<void> => asSuperuser('postgres', statement);

/** Makes a database: a copy of the migrated template, or with `empty: true` one without any table. */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const { template, templateUrl, ownerUrl, broken } = cluster();
  if (options.empty !== true && broken !== undefined) throw new Error(broken);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const source = options.empty === true ? 'template0' : template;
  await asAdmin(`create database ${name} template ${source} strategy file_copy owner youshi`);
  const at = (base: string): string => {
    const url = new URL(base);
    url.pathname = `/${name}`;
    return url.href;
  };
  return {
    name,
    url: at(templateUrl),
    ownerUrl: at(ownerUrl),
    drop: async () => await asAdmin(`drop database if exists ${name} with (force)`),
  };
}
