/** Where backups lie: objects by name, in a folder or a bucket, each sealed. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open as openFile, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { BackupConfig, BackupPlace } from '#server/config-backup.ts';
import { bucketAt } from '#server/adapters/storage/bucket.ts';
import { backupKey, open, seal } from './sealed.ts';

export { bucketAt };

/** Raw objects by name. Writing replaces an object completely or not at all. */
interface Objects {
  put(name: string, body: Buffer): Promise<void>;
  /** undefined when there is none. */
  get(name: string): Promise<Buffer | undefined>;
  has(name: string): Promise<boolean>;
  /** Names below a prefix that ends with '/', in order. */
  list(prefix: string): Promise<string[]>;
  remove(name: string): Promise<void>;
}

/** Makes a rename durable. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function folderObjects(root: string): Objects {
  const fileOf = (name: string): string => join(root, ...name.split('/'));
  const missing = (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  };
  return {
    async put(name, body) {
      const file = fileOf(name);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const half = `${file}.${randomBytes(4).toString('hex')}.half`;
      const handle = await openFile(half, 'wx', 0o600);
      try {
        await handle.writeFile(body);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(half, file);
      syncFolder(dirname(file));
    },
    get: async (name) => await readFile(fileOf(name)).catch(missing),
    has: async (name) => (await stat(fileOf(name)).catch(missing)) !== undefined,
    async list(prefix) {
      const entries = await readdir(fileOf(prefix), { recursive: true, withFileTypes: true }).catch(missing);
      return (entries ?? [])
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.half'))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .toSorted();
    },
    remove: async (name) => await rm(fileOf(name), { force: true }),
  };
}

function bucketObjects(location: Extract<BackupPlace, { kind: 's3' }>): Objects {
  const bucket = bucketAt(location);
  const at = (name: string): string => location.prefix + name;
  return {
    put: async (name, body) => await bucket.put(at(name), body, 'application/octet-stream'),
    get: async (name) => await bucket.get(at(name)),
    has: async (name) => await bucket.has(at(name)),
    list: async (prefix) => (await bucket.list(at(prefix))).map((key) => key.slice(location.prefix.length)),
    remove: async (name) => await bucket.remove(at(name)),
  };
}

/** Sealed objects by name. */
export interface Archive {
  /** The place, for messages. */
  readonly name: string;
  readonly isEncrypted: boolean;
  put(name: string, body: Buffer): Promise<void>;
  /** The content, verified; undefined when there is no such object. @throws SealedError */
  get(name: string): Promise<Buffer | undefined>;
  has(name: string): Promise<boolean>;
  list(prefix: string): Promise<string[]>;
  remove(name: string): Promise<void>;
}

/** Opens the place of the backups; nothing is written or read yet. */
export function openArchive({ place: location, key: passphrase }: Pick<BackupConfig, 'place' | 'key'>): Archive {
  const objects = location.kind === 'folder' ? folderObjects(location.path) : bucketObjects(location);
  const key = passphrase === undefined ? undefined : backupKey(passphrase);
  return {
    name: location.kind === 'folder' ? location.path : `s3://${location.bucket}/${location.prefix}`,
    isEncrypted: key !== undefined,
    put: async (name, body) => await objects.put(name, await seal(name, body, key)),
    async get(name) {
      const object = await objects.get(name);
      return object && (await open(name, object, key));
    },
    has: (name) => objects.has(name),
    list: (prefix) => objects.list(prefix),
    remove: (name) => objects.remove(name),
  };
}
