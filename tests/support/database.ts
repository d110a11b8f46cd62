/** A database of one's own, with every migration in it, in some tens of milliseconds. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export type TestDatabase = {
  name: string;
  /** Connection string of the application's role. */
  url: string;
  /** Removes the database; sessions still in it are ended. */
  drop(): Promise<void>;
};

/** Does in a database of the run what the application's own role may not: as somebody with the superuser's password could. */
export async function asSuperuser(database: string, statement: string, values: readonly unknown[] = []): Promise<void> {
  const url = new URL(inject('testCluster').adminUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // Triggers keep even a superuser from the ledger's rows; a planted error must get past them.
    await client.query('set session_replication_role = replica');
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}

const asAdmin = (statement: string): Promise<void> => asSuperuser('postgres', statement);

/** Makes a database: a copy of the migrated template, or with `empty: true` one without any table. */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const { template, templateUrl, broken } = inject('testCluster');
  if (options.empty !== true && broken !== undefined) throw new Error(broken);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const source = options.empty === true ? 'template0' : template;
  await asAdmin(`create database ${name} template ${source} strategy file_copy owner youshi`);
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: async () => await asAdmin(`drop database if exists ${name} with (force)`),
  };
}
