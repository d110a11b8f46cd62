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

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('testCluster').adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

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
