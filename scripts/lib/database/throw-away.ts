/** A separate database for a check, gone when the check is over. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../../server/db/embedded.ts';
import { migrate } from '../../../server/db/migrate.ts';
import { quietLog } from '../console-log.ts';

/** Runs `work` with the address of a throw-away database that has every migration. Throws MigrationError. */
export async function withMigrated<T>(work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'youshi-schema-'));
  // Open to the user the database runs as when this runs as root.
  chmodSync(dataDir, 0o711);
  const embedded = await startEmbedded({ dataDir, log: quietLog, fsync: false });
  try {
    await migrate({ database: embedded.ownerUrl, dir: 'db/migrations', log: quietLog });
    return await work(embedded.ownerUrl);
  } finally {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
