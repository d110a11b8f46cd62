/**
 * Processes of the embedded database, for its supervisor: finds the owner of a cluster, stops processes left after a kill, finds a
 * free port, and provides a lock that ends with its process.
 */
import { closeSync, openSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ports from here up to the kernel's own range are used: those above may be taken by any outgoing connection. */
const LOWEST_PORT = 15_432;
const HIGHEST_PORT = 32_000;
const LOCK_PATIENCE_MS = 120_000;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The process's start time in kernel ticks; with the pid it identifies one process uniquely. Zombies count as gone. */
function startTicks(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return process.platform === 'linux' || !isAlive(pid) ? undefined : 'alive';
  }
}

/** The pid recorded in a cluster's `postmaster.pid`, or undefined. */
function recordedPostmaster(clusterDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Every live process that works in the cluster's folder: the postmaster and its backends, orphaned ones included. */
function processesIn(clusterDir: string): number[] {
  if (process.platform !== 'linux') {
    const pid = recordedPostmaster(clusterDir);
    return pid !== undefined && isAlive(pid) ? [pid] : [];
  }
  const home = realpathSync(clusterDir);
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => worksIn(home, pid));
}

/** Whether a process is a PostgreSQL whose working directory is the folder. */
function worksIn(home: string, pid: number): boolean {
  try {
    // A shell may have the same working directory and must not be killed.
    return readlinkSync(`/proc/${pid}/cwd`) === home && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    // Already gone, a zombie, or another user's: none of these can be our database.
    return false;
  }
}

/** The postmaster that runs this cluster now, or undefined. Checks only the recorded process, because it is called twice a second. */
export function livePostmaster(clusterDir: string): number | undefined {
  const pid = recordedPostmaster(clusterDir);
  if (pid === undefined) return undefined;
  const lives = process.platform === 'linux' ? worksIn(realpathSync(clusterDir), pid) : isAlive(pid);
  return lives ? pid : undefined;
}

/** Waits until a condition holds; false on timeout. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > end) return false;
    await sleep(20);
  }
  return true;
}

/**
 * Ends the processes that a killed postmaster left: running backends hold its shared memory, and a new start would fail. Then removes
 * its pid file. Call only when no postmaster is running. @throws Error when a process cannot be ended
 */
export async function clearRemains(clusterDir: string): Promise<void> {
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    const orphans = processesIn(clusterDir).filter((pid) => pid !== process.pid);
    if (orphans.length === 0) break;
    for (const pid of orphans) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process ended between the check and the signal.
      }
    }
    const ended = await waitUntil(() => processesIn(clusterDir).length === 0, 3_000);
    if (!ended && signal === 'SIGKILL') {
      throw new Error(`内置数据库的旧进程无法结束：${processesIn(clusterDir).join(', ')}`);
    }
  }
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
}

/** Whether a loopback port can be listened on now. */
export async function isPortFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer();
  probe.once('error', () => resolve(false));
  probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  return await promise;
}

/** A free loopback port below the range used by the kernel for outgoing connections. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT));
    if (await isPortFree(port)) return port;
  }
  throw new Error('找不到空闲端口给内置数据库使用。');
}

/** Content of a lock file; empty when there is none or it is just being written. */
function lockHolder(lockFile: string): string {
  try {
    return readFileSync(lockFile, 'utf8');
  } catch {
    return '';
  }
}

function holds(holder: string): boolean {
  const [pid = '', ticks = ''] = holder.split(' ');
  return pid !== '' && startTicks(Number(pid)) === ticks;
}

function tryLock(lockFile: string): boolean {
  try {
    const handle = openSync(lockFile, 'wx', 0o600);
    writeSync(handle, `${process.pid} ${startTicks(process.pid) ?? ''}`);
    closeSync(handle);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Runs `work` while holding a lock file; the lock of a dead process is taken over. It prevents two starting processes from doing the same
 * work twice; PostgreSQL itself guarantees that two servers never share a cluster. @throws Error when a running process holds the lock
 * for two minutes
 */
export async function withLock<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + LOCK_PATIENCE_MS;
  let deadReads = 0;
  while (!tryLock(lockFile)) {
    const holder = lockHolder(lockFile);
    deadReads = holds(holder) ? 0 : deadReads + 1;
    if (deadReads > 5 && lockHolder(lockFile) === holder) rmSync(lockFile, { force: true });
    if (performance.now() > end) throw new Error(`等不到另一个正在启动数据库的进程（${lockFile}）。`);
    await sleep(50);
  }
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}
