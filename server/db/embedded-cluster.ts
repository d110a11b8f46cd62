/** The embedded cluster on disk: its location, creation, server settings, and stored state. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { canEnter, newSharedFolder } from './embedded-binaries.ts';
import type { RunAs } from './embedded-binaries.ts';

/** State that must survive a restart; stored in `postgres.json`, readable by its owner only. */
export type ClusterState = {
  port: number;
  /** Password of the superuser `postgres`, used only by the supervisor. */
  superPassword: string;
  /** Password of `youshi`, the owner of the database, which migrations and the demo's loader use. */
  appPassword: string;
  /** Password of `youshi_app`, which the server works as; missing in clusters older than this log-in. */
  runPassword?: string;
  /** Roles and database exist with these passwords. */
  ready: boolean;
};

const STATE_FILE = 'postgres.json';
const LOG_FILE = 'postgres.log';
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
const LINUX_SHM_BYTES_SMALL = 4 * 1024 ** 3;

/** The environment of every PostgreSQL program: a fixed locale and nothing from ours (PG* variables would take effect). */
export const programEnv = { LC_ALL: 'C.UTF-8', TZ: 'UTC', PATH: '/usr/bin:/bin' };

/** A password of 144 random bits. */
export const newPassword = (): string => randomBytes(18).toString('hex');

/** Reads the stored state of a cluster; undefined on the first start or when the file is damaged. */
export function readState(dataDir: string): ClusterState | undefined {
  try {
    const state: ClusterState = JSON.parse(readFileSync(join(dataDir, STATE_FILE), 'utf8'));
    return typeof state.port === 'number' && typeof state.superPassword === 'string' ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the state atomically: a crash leaves either the old or the new content. */
export function writeState(dataDir: string, state: ClusterState): void {
  const file = join(dataDir, STATE_FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * The cluster's folder: `pg` in the data folder. When that is closed to the database user (a home of root), `pg` is a
 * link to a folder elsewhere; removing the data folder then removes the link, and the next start begins again.
 */
export function locateCluster(dataDir: string, user: RunAs): string {
  const link = join(dataDir, 'pg');
  const entry = lstatSync(link, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink() === true) return readlinkSync(link);
  if (entry !== undefined || canEnter(dataDir, user)) return link;
  const elsewhere = join(newSharedFolder(), 'pg');
  symlinkSync(elsewhere, link);
  return elsewhere;
}

function run(program: string, args: string[], user: RunAs, input?: string): void {
  const { status: exitCode, ...result } = spawnSync(program, args, {
    ...user,
    cwd: '/',
    env: programEnv,
    encoding: 'utf8',
    ...(input && { input }),
  });
  if (exitCode === 0) return;
  const output = [result.stdout, result.stderr].join('\n').trim().split('\n').slice(-6).join('\n');
  const hint = output.includes('could not look up effective user ID')
    ? '\n当前用户在 /etc/passwd 里没有名字，PostgreSQL 不接受；请换一个有名字的用户，或设置 DATABASE_URL。'
    : '';
  throw new Error(`${program} 失败：${result.error?.message ?? output}${hint}`);
}

/**
 * Creates the cluster if it does not exist. It is built under another name and renamed, so an interrupted first start leaves nothing
 * incomplete. Collation is the builtin C.UTF-8: with plain C, trigram search finds no Han text, and one that depends on the system's
 * libraries would corrupt indexes when the system is updated.
 */
export function initCluster(bin: string, clusterDir: string, user: RunAs, superPassword: string, fsync: boolean): void {
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return;
  const half = `${clusterDir}.new`;
  const passwordFile = `${clusterDir}.password`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(dirname(half), { recursive: true, mode: 0o755 });
  mkdirSync(half, { mode: 0o700 });
  writeFileSync(passwordFile, superPassword, { mode: 0o600 });
  if (user !== undefined) for (const path of [half, passwordFile]) chownSync(path, user.uid, user.gid);
  const locale = [
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--lc-collate=C',
    '--lc-ctype=C.UTF-8',
  ];
  const safety = ['--data-checksums', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--username=postgres'];
  try {
    run(join(bin, 'initdb'), ['-D', half, ...locale, ...safety, ...(fsync ? [] : ['--no-sync'])], user);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(half, clusterDir);
}

/** Sets the superuser's password without knowing the old one, by a single-user server; the cluster must not be running. */
export function resetSuperPassword(bin: string, clusterDir: string, user: RunAs, superPassword: string): void {
  const input = `ALTER ROLE postgres PASSWORD '${superPassword}'\n`;
  run(join(bin, 'postgres'), ['--single', '-D', clusterDir, 'postgres'], user, input);
}

/**
 * Changes the cluster's owner to the user that it will run as (a data folder may have been copied or restored by root) and closes it
 * to others, as PostgreSQL requires. @throws Error when the cluster belongs to another user and this process is not root
 */
export function takeOwnership(clusterDir: string, user: RunAs): void {
  const { uid } = statSync(clusterDir);
  if (user === undefined && uid !== process.getuid?.()) {
    throw new Error(
      `数据目录 ${clusterDir} 属于另一个用户（uid ${uid}）；请用原来的用户启动，或用 DATA_DIR 另选目录。`,
    );
  }
  if (user !== undefined && uid === 0) run('/bin/chown', ['-R', `${user.uid}:${user.gid}`, clusterDir], undefined);
  chmodSync(clusterDir, 0o700);
}

/** The server's settings as command-line arguments, which take precedence over every file in the cluster. */
export function serverArgs(clusterDir: string, port: number, fsync: boolean): string[] {
  const memory = totalmem();
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    // No socket file: its lock would survive a kill and block the next start.
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: fsync && memory >= LINUX_SHM_BYTES_SMALL ? '256MB' : '128MB',
    effective_cache_size: `${Math.max(256, Math.floor(memory / 2 / 1024 ** 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    // Parallel workers share memory through /dev/shm, which is only 64 MB in containers; a market's queries are short anyway.
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    random_page_cost: 1.1,
    jit: 'off',
    wal_compression: 'on',
    max_wal_size: '1GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    log_min_duration_statement: '2s',
    // Parameters are personal data; they stay out of the log.
    log_parameter_max_length: 0,
    ...(fsync
      ? // A stopped backup must not fill the disk: beyond this size it starts over.
        { synchronous_commit: 'on', max_slot_wal_keep_size: '4GB' }
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: 0 }),
  };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', clusterDir, ...pairs];
}

/** The server's own log file; rotated when it has grown large. */
export function serverLogFile(dataDir: string): string {
  const file = join(dataDir, LOG_FILE);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) renameSync(file, `${file}.old`);
  return file;
}

/** The last lines of the server's log, for the message when it does not start. */
export function logTail(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, LOG_FILE), 'utf8').trim().split('\n').slice(-8).join('\n');
  } catch {
    return '';
  }
}
