import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sameText } from '#server/kernel/secrets/crypto.ts';
import { LOCAL_UPLOAD_PATH, type Storage } from '#server/ports/storage.ts';

const KEY = /^[a-z0-9]+(?:[/._-][a-z0-9]+)*$/;
const MAX_KEY = 120;

interface Allowed {
  key: string;
  maxBytes: number;
  types: readonly string[];
  /** Seconds of the epoch. */
  until: number;
}

/** Tickets of the local storage: readable permissions with a signature. */
function tickets(secret: Buffer | KeyObject) {
  const sign = (text: string): string => createHmac('sha256', secret).update(`upload:${text}`).digest('base64url');
  return {
    make(allowed: Allowed): string {
      const text = Buffer.from(JSON.stringify(allowed)).toString('base64url');
      return `${text}.${sign(text)}`;
    },
    read(token: string): Allowed | undefined {
      const [text = '', signature = ''] = token.split('.');
      if (!sameText(signature, sign(text))) return undefined;
      return JSON.parse(Buffer.from(text, 'base64url').toString()) as Allowed;
    },
  };
}

async function sweepFolder(folder: string, before: Date): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let removed = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const info = await stat(file).catch(() => undefined);
    if (!info || info.mtime >= before) continue;
    await rm(file, { force: true });
    removed++;
  }
  return removed;
}

/** Files below one folder. An invalid key is treated as unknown, so no path leads outside the folder. `secret` signs upload tickets. */
export function localStorage(options: { dir: string; secret: Buffer | KeyObject }): Storage {
  const ticketsOf = tickets(options.secret);
  const fileOf = (key: string): string | undefined =>
    KEY.test(key) && key.length < MAX_KEY ? join(options.dir, key) : undefined;
  const put = async (key: string, body: Buffer): Promise<void> => {
    const file = fileOf(key);
    if (file === undefined) throw new Error(`invalid storage key ${JSON.stringify(key)}`);
    await mkdir(dirname(file), { recursive: true });
    // Written under a temporary name and renamed, so that a killed process leaves no partial file under the key.
    const aside = `${file}.${process.pid}.part`;
    await writeFile(aside, body);
    await rename(aside, file);
  };
  /** Writes a key once; the same bytes again are a retry after a lost response. False = the key holds other content. */
  const putOnce = async (key: string, body: Buffer): Promise<boolean> => {
    const file = fileOf(key);
    if (file === undefined) return false;
    await mkdir(dirname(file), { recursive: true });
    const aside = `${file}.${randomBytes(6).toString('hex')}.part`;
    await writeFile(aside, body);
    try {
      await link(aside, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const info = await stat(file).catch(() => undefined);
      return info?.size === body.length && body.equals(await readFile(file));
    } finally {
      await rm(aside, { force: true });
    }
  };
  return {
    name: 'local',
    put,
    async read(key) {
      const file = fileOf(key);
      if (file === undefined) return undefined;
      const info = await stat(file).catch(() => undefined);
      return info?.isFile() ? { body: createReadStream(file), bytes: info.size } : undefined;
    },
    async remove(key) {
      const file = fileOf(key);
      if (file !== undefined) await rm(file, { force: true });
    },
    ticket({ key, maxBytes, mimeTypes, expiresAt }) {
      const until = Math.floor(expiresAt.getTime() / 1000);
      const token = ticketsOf.make({ key, maxBytes, types: mimeTypes, until });
      return { uploadUrl: LOCAL_UPLOAD_PATH, token, fields: { token, key } };
    },
    async receive({ token, key, type, body }) {
      const allowed = ticketsOf.read(token);
      if (!allowed || allowed.key !== key || allowed.until < Date.now() / 1000) return false;
      if (body.length === 0 || body.length > allowed.maxBytes || !allowed.types.includes(type)) return false;
      return await putOnce(key, body);
    },
    sweep: async (prefix, before) => (KEY.test(prefix) ? await sweepFolder(join(options.dir, prefix), before) : 0),
  };
}
