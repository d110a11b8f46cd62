import pg from 'pg';
import type { Manifest } from './manifest.ts';

/** Records a successful backup and its size in bytes in the database at `url`. Throws errors of the database. */
export async function recordBackup(url: string, manifest: Manifest, bytes: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('insert into backup_run (name, started_at, bytes, pictures) values ($1, $2, $3, $4)', [
      manifest.id,
      manifest.startedAt,
      bytes,
      manifest.pictures.length,
    ]);
  } finally {
    await client.end().catch(() => undefined);
  }
}
