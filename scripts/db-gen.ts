/**
 * `npm run db:gen`: applies every migration to a throw-away database and writes down what results, db/schema.sql and
 * server/db/types.gen.ts. With `--check` it compares instead, and fails on any difference.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../server/db/embedded.ts';
import { MigrationError, migrate } from '../server/db/migrate.ts';
import { dumpSchema } from './db-dump.ts';
import { tableTypes } from './db-types.ts';
import { quietLog } from './lib/console-log.ts';

async function generate(): Promise<Map<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'youshi-schema-'));
  // Open to the user the database runs as when this runs as root.
  chmodSync(dataDir, 0o711);
  const embedded = await startEmbedded({ dataDir, log: quietLog, fsync: false });
  try {
    await migrate({ database: embedded.ownerUrl, dir: 'db/migrations', log: quietLog });
    const client = new pg.Client({ connectionString: embedded.ownerUrl });
    await client.connect();
    const schema = await dumpSchema(client);
    await client.end();
    return new Map([
      ['db/schema.sql', schema],
      ['server/db/types.gen.ts', await tableTypes(embedded.ownerUrl)],
    ]);
  } finally {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Writes what differs from the committed files, or only tells of it. */
function settle(generated: Map<string, string>, checkOnly: boolean): void {
  for (const [file, text] of generated) {
    const committed = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (committed === text) continue;
    if (!checkOnly) {
      writeFileSync(file, text);
      console.log(`${file} 已更新`);
      continue;
    }
    const line = text.split('\n').findIndex((content, index) => content !== committed.split('\n')[index]);
    console.error(`${file} 与 db/migrations 不符（第 ${line + 1} 行起），请运行 npm run db:gen 并一同提交`);
    process.exitCode = 1;
  }
}

try {
  settle(await generate(), process.argv.includes('--check'));
} catch (error) {
  console.error(error instanceof MigrationError ? error.message : error);
  process.exitCode = 1;
}
