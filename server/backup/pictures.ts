/** Copies of the pictures: objects that never change, so that each is copied once. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { StorageConfig } from '#server/config/config-storage.ts';
import { type Archive, bucketAt } from './destination.ts';

const FOLDER = 'pictures/';
/** Unclaimed uploads, which are removed after a day. */
const TEMPORARY = 'temp/';
const AT_ONCE = 8;

/** The market's pictures by key. */
interface Source {
  list(): Promise<string[]>;
  /** undefined if it has been removed in the meantime. */
  read(key: string): Promise<Buffer | undefined>;
}

/** The pictures of a storage; undefined if they cannot be listed (Qiniu, which makes its own copies). */
export function pictureSource(storage: StorageConfig, dataDir: string): Source | undefined {
  if (storage.kind === 'qiniu') return undefined;
  if (storage.kind === 's3') {
    const bucket = bucketAt(storage);
    return { list: async () => await bucket.list(''), read: async (key) => await bucket.get(key) };
  }
  const root = join(dataDir, 'uploads');
  return {
    async list() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
    },
    async read(key) {
      const file = join(root, ...key.split('/'));
      return (await stat(file).catch(() => undefined)) && (await readFile(file));
    },
  };
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Copies the pictures that the archive lacks. Returns the keys of existing pictures that it now contains, and how many were copied. */
export async function copyPictures(archive: Archive, source: Source): Promise<{ keys: string[]; copied: number }> {
  const there = new Set(await archive.list(FOLDER));
  const keys = (await source.list()).filter((key) => !key.startsWith(TEMPORARY)).toSorted();
  let copied = 0;
  const needed: string[] = [];
  await each(keys, async (key) => {
    if (!there.has(FOLDER + key)) {
      const body = await source.read(key);
      if (!body) return;
      await archive.put(FOLDER + key, body);
      copied += 1;
    }
    needed.push(key);
  });
  return { keys: needed.toSorted(), copied };
}

/** Passes every verified picture of the archive to `write`. Returns their number. @throws ObjectError */
export async function readPictures(
  archive: Archive,
  write: (key: string, body: Buffer) => Promise<void>,
): Promise<number> {
  const names = await archive.list(FOLDER);
  await each(names, async (name) => {
    const body = await archive.get(name);
    if (body) await write(name.slice(FOLDER.length), body);
  });
  return names.length;
}

/** Removes pictures that are in no kept backup and no market. Returns their number. */
export async function prunePictures(archive: Archive, needed: ReadonlySet<string>): Promise<number> {
  const old = (await archive.list(FOLDER)).filter((name) => !needed.has(name.slice(FOLDER.length)));
  await each(old, async (name) => await archive.remove(name));
  return old.length;
}
