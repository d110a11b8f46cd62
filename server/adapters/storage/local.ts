import { createReadStream } from 'node:fs';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Storage } from '#server/ports/storage.ts';

const KEY = /^[a-z0-9]+(?:[/._-][a-z0-9]+)*$/;

/** Files below one folder. A key that is not plain is unknown, so no path leads outside. */
export function localStorage(options: { dir: string }): Storage {
  const fileOf = (key: string): string | undefined =>
    KEY.test(key) && key.length < 120 ? join(options.dir, key) : undefined;
  return {
    name: 'local',
    async put(key, body) {
      const file = fileOf(key);
      if (file === undefined) throw new Error('storage key is not plain');
      await mkdir(dirname(file), { recursive: true });
      // Written aside and renamed, so that a killed process leaves no half a file under the key.
      const aside = `${file}.${process.pid}.part`;
      await writeFile(aside, body);
      await rename(aside, file);
    },
    async read(key) {
      const file = fileOf(key);
      if (file === undefined) return undefined;
      const found = await stat(file).catch(() => undefined);
      return found?.isFile() ? { body: createReadStream(file), bytes: found.size } : undefined;
    },
  };
}
