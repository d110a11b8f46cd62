/** Where backups are stored: objects by name in a folder or a bucket, each in the form of object-format.ts. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open as openFile, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { BackupConfig, BackupDestination } from '#server/config/config-backup.ts';
import { bucketAt } from '#server/adapters/storage/bucket.ts';
import { backupKey, decodeObject, encodeObject } from './object-format.ts';

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
        await handle.writeFile(body).then(() => handle.sync());
      } catch (error) {
        await handle.close().catch(() => undefined);
        // Partial files would keep a full disk full.
        await rm(half, { force: true });
        throw error;
      }
      await handle.close();
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

function bucketObjects(destination: Extract<BackupDestination, { kind: 's3' }>): Objects {
  const bucket = bucketAt(destination);
  const at = (name: string): string => destination.prefix + name;
  return {
    put: async (name, body) => await bucket.put(at(name), body, 'application/octet-stream'),
    get: async (name) => await bucket.get(at(name)),
    has: async (name) => await bucket.has(at(name)),
    list: async (prefix) => (await bucket.list(at(prefix))).map((key) => key.slice(destination.prefix.length)),
    remove: async (name) => await bucket.remove(at(name)),
  };
}

/** The objects of a destination by name, encoded and verified. */
export interface Archive {
  /** The destination, for messages. */
  readonly name: string;
  readonly isEncrypted: boolean;
  put(name: string, body: Buffer): Promise<void>;
  /** The content, verified; undefined when there is no such object. @throws ObjectError */
  get(name: string): Promise<Buffer | undefined>;
  has(name: string): Promise<boolean>;
  list(prefix: string): Promise<string[]>;
  remove(name: string): Promise<void>;
}

/** Opens the destination of the backups; reads and writes nothing yet. */
export function openArchive({ destination, key: passphrase }: Pick<BackupConfig, 'destination' | 'key'>): Archive {
  const objects = destination.kind === 'folder' ? folderObjects(destination.path) : bucketObjects(destination);
  const key = passphrase === undefined ? undefined : backupKey(passphrase);
  return {
    name: destination.kind === 'folder' ? destination.path : `s3://${destination.bucket}/${destination.prefix}`,
    isEncrypted: key !== undefined,
    put: async (name, body) => await objects.put(name, await encodeObject(name, body, key)),
    async get(name) {
      const object = await objects.get(name);
      return object && (await decodeObject(name, object, key));
    },
    has: (name) => objects.has(name),
    list: (prefix) => objects.list(prefix),
    remove: (name) => objects.remove(name),
  };
}
