/** Objects of a backup in a folder and in a bucket: sealed, bound to their names, and rejected when anything was changed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prune } from '#server/backup/keep.ts';
import { type Manifest, writeManifest } from '#server/backup/manifest.ts';
import { openArchive } from '#server/backup/destination.ts';
import { decodeObject, encodeObject } from '#server/backup/object-format.ts';
import { backupConfig } from '#server/config/config-backup.ts';
import { fakeS3 } from '#tests/support/fakes/s3.ts';

const KEY = 'a passphrase of tests, long enough to be one';
const keys = { accessKeyId: 'AKTEST', secretAccessKey: 'SKTEST', region: 'us-east-1', bucket: 'copies' };
let folder = '';
let bucket: Awaited<ReturnType<typeof fakeS3>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'youshi-copies-'));
  bucket = await fakeS3(keys);
});
afterAll(async () => {
  await bucket.close();
  rmSync(folder, { recursive: true, force: true });
});

const s3 = (): Record<string, string> => ({
  BACKUP_TO: 's3://copies/market/one',
  BACKUP_S3_ENDPOINT: bucket.url,
  BACKUP_S3_ACCESS_KEY_ID: keys.accessKeyId,
  BACKUP_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
});

describe.each(['folder', 's3'])('in a %s', (kind) => {
  const at = (env: Record<string, string> = {}) =>
    openArchive(backupConfig({ ...(kind === 'folder' ? { BACKUP_TO: folder } : s3()), BACKUP_KEEP: '2', ...env }));

  test('a stored object is read back, is listed under its prefix, and is gone when removed', async () => {
    const archive = at({ BACKUP_KEY: KEY });
    await archive.put('wal/000000010000000000000001', Buffer.from('log'));
    await archive.put('pictures/a/b.webp', Buffer.from('picture'));
    expect((await archive.get('pictures/a/b.webp'))?.toString()).toBe('picture');
    expect(await archive.list('wal/')).toEqual(['wal/000000010000000000000001']);
    expect([await archive.has('pictures/a/b.webp'), await archive.has('pictures/none')]).toEqual([true, false]);
    expect(await archive.get('pictures/none')).toBeUndefined();
    await expect(at().get('pictures/a/b.webp')).rejects.toThrow('BACKUP_KEY');
    await expect(at({ BACKUP_KEY: `${KEY}!` }).get('pictures/a/b.webp')).rejects.toThrow('BACKUP_KEY');
    await archive.remove('pictures/a/b.webp');
    expect(await archive.list('pictures/')).toEqual([]);
  });

  test('the newest two copies are kept, with the log and the pictures that they need', async () => {
    const archive = at();
    const manifest = (id: string, startLsn: string, pictures: string[]): Manifest => ({
      id,
      systemId: '7',
      timeline: 1,
      version: 18,
      segmentBytes: 16 * 1024 * 1024,
      startedAt: '2026-11-23T00:00:00.000Z',
      endedAt: '2026-11-23T00:00:01.000Z',
      startLsn,
      endLsn: startLsn,
      release: 'test',
      parts: [],
      files: { name: `base/${id}/files`, bytes: 0, sha256: '' },
      pictures,
    });
    for (const [id, lsn, picture] of [
      ['1', '0/1000028', 'old'],
      ['2', '0/2000028', 'kept'],
      ['3', '0/3000028', 'kept'],
    ] as const)
      await writeManifest(archive, manifest(id, lsn, [picture]));
    for (const n of [1, 2, 3]) await archive.put(`wal/00000001000000000000000${n}`, Buffer.from(String(n)));
    for (const name of ['old', 'kept']) await archive.put(`pictures/${name}`, Buffer.from(name));
    expect(await prune(archive, 2)).toEqual({ bases: ['1'], segments: 1, pictures: 1 });
    expect(await archive.list('wal/')).toEqual(['wal/000000010000000000000002', 'wal/000000010000000000000003']);
    expect(await archive.list('pictures/')).toEqual(['pictures/kept']);
  });
});

test('a changed, truncated or exchanged object is rejected', async () => {
  const plain = await encodeObject('a', Buffer.from('content'), undefined);
  const broken = Buffer.from(plain);
  broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
  await expect(decodeObject('a', broken, undefined)).rejects.toThrow('损坏');
  await expect(decodeObject('a', plain.subarray(0, 20), undefined)).rejects.toThrow('损坏');
  const key = Buffer.alloc(32, 7);
  const hidden = await encodeObject('a', Buffer.from('content'), key);
  expect(hidden.includes('content')).toBe(false);
  await expect(decodeObject('b', hidden, key)).rejects.toThrow('BACKUP_KEY');
  // Otherwise anyone with access to the destination could give a restore objects that are not ours.
  await expect(decodeObject('a', plain, key)).rejects.toThrow('没有加密');
});

test('a damaged file in the folder is reported', async () => {
  const archive = openArchive(backupConfig({ BACKUP_TO: folder }));
  await archive.put('pictures/x', Buffer.from('picture'));
  const file = join(folder, 'pictures/x');
  const bytes = readFileSync(file);
  bytes[10] = (bytes[10] ?? 0) ^ 255;
  writeFileSync(file, bytes);
  await expect(archive.get('pictures/x')).rejects.toThrow('校验和不符');
});

test('an incomplete setting is named', () => {
  expect(() => backupConfig({})).toThrow('BACKUP_TO');
  expect(() => backupConfig({ BACKUP_TO: 's3://copies' })).toThrow('BACKUP_S3_ENDPOINT');
  expect(() => backupConfig({ BACKUP_TO: 'ftp://x' })).toThrow('BACKUP_TO');
  expect(() => backupConfig({ BACKUP_TO: '/x', BACKUP_KEY: 'short' })).toThrow('BACKUP_KEY');
});
