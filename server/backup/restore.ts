/** Restores a data folder, or only the folder of a cluster, from an archive: unpacks, verifies, replays, and sets the quarantine. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { canEnter, embeddedBinaries, unprivilegedUser } from '#server/db/embedded-binaries.ts';
import { locateCluster, newPassword, takeOwnership, writeState } from '#server/db/embedded-cluster.ts';
import { closeMoment } from './after-moment.ts';
import { parsePgManifest } from './base.ts';
import { loadChain } from './keep.ts';
import { baseFor, type Manifest, type Part } from './manifest.ts';
import { readPictures } from './pictures.ts';
import type { Archive } from './destination.ts';
import { recover } from './recover.ts';
import { sumOf } from './object-format.ts';
import { segmentOf } from './segments.ts';

const LOG_FOLDER = 'restored_log';

export interface RestoreOptions {
  archive: Archive;
  /** The moment to restore to; the end of the archive without one. */
  to: Date | undefined;
  /** An empty or new folder. */
  into: string;
  /**
   * 'market': a data folder of the embedded database, with pictures and new passwords. 'cluster': the folder of a self-managed PostgreSQL,
   * whose log-ins and settings stay as they were.
   */
  layout: 'market' | 'cluster';
  /** Folder of PostgreSQL's programs, of the same major version as the copy; the embedded ones without it. */
  bin: string | undefined;
  /** Folder for the pictures of a 'cluster', as `DATA_DIR`; without it they are left in the archive. A 'market' has them in its own. */
  picturesInto?: string | undefined;
  /** Runs once for each restored market, with its database's address, when it is in quarantine; an error fails the restore. */
  prove?: ((url: string) => Promise<void>) | undefined;
  print: (text: string) => void;
}

export interface Restored {
  readonly manifest: Manifest;
  readonly clusterDir: string;
  readonly segments: number;
  readonly pictures: number;
}

async function whole(archive: Archive, { name, sha256 }: Part): Promise<Buffer> {
  const body = await archive.get(name);
  if (!body) throw new Error(`备份不完整：缺少 ${name}`);
  if (sumOf(body).toString('hex') !== sha256) throw new Error(`备份不可用：${name} 与清单不符`);
  return body;
}

/** Unpacks the tar stream of a base backup. */
async function unpack(archive: Archive, { parts }: Manifest, folder: string): Promise<void> {
  const tar = spawn('tar', ['-x', '-f', '-', '-C', folder, '--no-same-owner'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  tar.stderr.on('data', (text: Buffer) => (said += text.toString()));
  tar.stdin.on('error', () => undefined);
  const ended = new Promise<number | null>((resolve, reject) => {
    tar.once('error', reject);
    tar.once('exit', resolve);
  });
  ended.catch(() => undefined);
  for (const part of parts) {
    const body = await whole(archive, part);
    if (!tar.stdin.write(body)) await Promise.race([new Promise((resolve) => tar.stdin.once('drain', resolve)), ended]);
  }
  tar.stdin.end();
  const code = await ended;
  if (code !== 0) throw new Error(`解包失败：${said.trim().split('\n').at(-1) ?? code}`);
}

async function fileSum(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Compares every file with PostgreSQL's own list. @throws Error naming the first that differs */
async function compareFiles(archive: Archive, { files }: Manifest, folder: string): Promise<number> {
  const list = parsePgManifest(await whole(archive, files)).Files;
  for (const { Path: path, Size: size, Checksum: sum } of list) {
    const file = join(folder, path);
    if (statSync(file, { throwIfNoEntry: false })?.size !== size || (await fileSum(file)) !== sum)
      throw new Error(`备份不可用：${path} 与数据库自己的清单不符`);
  }
  return list.length;
}

/** Prepares the archived WAL for replay; the growing file is padded with zeros, which mark the end for PostgreSQL. */
async function layLog(archive: Archive, manifest: Manifest, folder: string): Promise<number> {
  const { names } = await loadChain(archive, manifest);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  for (const name of names) {
    const body = await archive.get(name);
    const stored = segmentOf(name);
    if (!body || !stored) throw new Error(`备份不完整：缺少 ${name}`);
    const full =
      body.length === manifest.segmentBytes
        ? body
        : Buffer.concat([body, Buffer.alloc(manifest.segmentBytes - body.length)]);
    await writeFile(join(folder, stored.segment), full);
  }
  return names.length;
}

async function inDatabase(config: pg.ClientConfig, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Marks every market of the cluster as restored, and ends access given before the restored moment. Returns the names of their databases. A
 * market of an older program has no table for this and cannot be quarantined.
 */
async function quarantine(
  connection: (database: string) => pg.ClientConfig,
  row: { to: Date | undefined; source: string },
): Promise<string[]> {
  const names: string[] = [];
  await inDatabase(connection('postgres'), async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where datallowconn and not datistemplate',
    );
    names.push(...rows.map(({ datname }) => datname));
  });
  const marked: string[] = [];
  for (const name of names)
    await inDatabase(connection(name), async (client) => {
      const { rows } = await client.query<{ there: boolean }>(
        "select to_regclass('public.quarantine') is not null as there",
      );
      if (rows[0]?.there !== true) return;
      const held = await client.query<{ restoredTo: Date }>(
        `insert into quarantine (restored_to, source) values (coalesce($1::timestamptz, pg_last_xact_replay_timestamp(), now()), $2)
         on conflict ((true)) where released_at is null do update
           set restored_to = excluded.restored_to, restored_at = now(), source = excluded.source
         returning restored_to as "restoredTo"`,
        [row.to ?? null, row.source],
      );
      if (held.rows[0]) await closeMoment(client, held.rows[0].restoredTo);
      marked.push(name);
    });
  if (marked.length === 0)
    throw new Error('恢复出的数据库里没有隔离表：它属于更旧的版本，请用那个版本的程序，并自行隔离');
  return marked;
}

/** A database's address for programs that take a URL; the server listens on a socket only. */
function urlOf({ host, port, user, database }: pg.ClientConfig): string {
  return `postgres://${user}@localhost:${port}/${encodeURIComponent(database ?? '')}?host=${encodeURIComponent(host ?? '')}`;
}

const isEmpty = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

/**
 * Restores. Nothing of the market's program runs meanwhile, and no server can connect before the quarantine is set. A failed restore leaves no
 * folder that a server could start on. @throws Error in Chinese
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { archive, to, into, layout, print } = options;
  if (!isEmpty(into)) throw new Error(`${into} 不是空的，请用 --into 另选一个空文件夹`);
  if (options.picturesInto !== undefined && !isEmpty(join(options.picturesInto, 'uploads')))
    throw new Error(`${join(options.picturesInto, 'uploads')} 不是空的，请用 --pictures 另选一个文件夹`);
  const manifest = await baseFor(archive, to);
  mkdirSync(into, { recursive: true, mode: layout === 'market' ? 0o755 : 0o700 });
  const user = unprivilegedUser(into);
  const bin = options.bin ?? embeddedBinaries(user);
  const clusterDir = layout === 'cluster' ? into : locateCluster(into, user);
  if (layout === 'cluster' && !canEnter(dirname(into), user))
    throw new Error(`数据库用户（uid ${user?.uid}）进不去 ${dirname(into)}`);
  // Built under another name until it is complete: a start must not find half a cluster.
  const half = layout === 'cluster' ? clusterDir : `${clusterDir}.restoring`;
  try {
    rmSync(half, { recursive: true, force: true });
    mkdirSync(half, { recursive: true, mode: 0o700 });
    print(`基础备份 ${manifest.id}（完成于 ${manifest.endedAt}）`);
    await unpack(archive, manifest, half);
    const files = await compareFiles(archive, manifest, half);
    print(`${files} 个文件与清单相符`);
    const logDir = join(half, LOG_FOLDER);
    const segments = await layLog(archive, manifest, logDir);
    print(`取出 ${segments} 个日志文件，开始重放`);
    takeOwnership(half, user);
    const passwords = { superPassword: newPassword(), appPassword: newPassword(), runPassword: newPassword() };
    await recover({
      bin,
      clusterDir: half,
      user,
      logDir,
      to,
      work: async (connection) => {
        const markets = await quarantine(connection, { to, source: `${archive.name} ${manifest.id}` });
        for (const name of markets) await options.prove?.(urlOf(connection(name)));
        await inDatabase(connection('postgres'), async (client) => {
          if (layout === 'cluster') return;
          await client.query(`alter role postgres password '${passwords.superPassword}'`);
          await client.query(`alter role youshi password '${passwords.appPassword}'`);
          await client.query(`alter role youshi_app login password '${passwords.runPassword}'`);
        });
      },
    });
    rmSync(logDir, { recursive: true, force: true });
    const picturesInto = layout === 'market' ? into : options.picturesInto;
    const pictures = picturesInto === undefined ? 0 : await layPictures(archive, picturesInto);
    if (half !== clusterDir) renameSync(half, clusterDir);
    if (layout === 'market') writeState(into, { port: 0, ...passwords, ready: true });
    return { manifest, clusterDir, segments, pictures };
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    throw error;
  }
}

/** Puts the pictures into a data folder. */
export async function layPictures(archive: Archive, dataDir: string): Promise<number> {
  const root = join(dataDir, 'uploads');
  return await readPictures(archive, async (key, body) => {
    if (key.split('/').some((part) => part === '' || part.startsWith('.'))) throw new Error(`图片的名字不正常：${key}`);
    const file = join(root, ...key.split('/'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
  });
}
