/** Runs a restored cluster once, unreachable from outside, until its log is replayed, and puts it into quarantine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { RunAs } from '#server/db/embedded-binaries.ts';
import { programEnv, serverArgs } from '#server/db/embedded-cluster.ts';

const POLL_MS = 100;
const STOP_LIMIT_MS = 120_000;
const LOG_LINES = 12;
/** Read by PostgreSQL as "only this machine's user, by the socket in a folder that no one else can enter". */
const SOCKET_ONLY = 'local all all trust\n';

export interface RecoveryOptions {
  /** Folder of PostgreSQL's programs. */
  bin: string;
  clusterDir: string;
  user: RunAs;
  /** Folder with the files of the log, by their own names. */
  logDir: string;
  /** Replays to this moment, or to the end of the WAL if undefined. */
  to: Date | undefined;
  /** Works on the recovered database, as superuser. */
  work: (connection: (database: string) => pg.ClientConfig) => Promise<void>;
}

/** The end of the WAL as reported in the server's messages. */
function lastTransaction(text: string): string | undefined {
  return [...text.matchAll(/last completed transaction was at log time ([^\n]+)/g)].at(-1)?.[1];
}

function explain(text: string): Error {
  if (text.includes('recovery ended before configured recovery target was reached')) {
    const last = lastTransaction(text);
    return new Error(
      `存档的日志没有到要恢复的时间${last === undefined ? '' : `，最后一笔是 ${last}`}。不写 --to 就恢复到存档的末尾。`,
    );
  }
  const tail = text.trim().split('\n').slice(-LOG_LINES).join('\n');
  return new Error(`恢复中的数据库没有启动：\n${tail}`);
}

async function isRecovered(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ busy: boolean }>('select pg_is_in_recovery() as busy');
    return rows[0]?.busy === false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Replays the WAL and runs the work. The cluster is stopped cleanly afterwards. @throws Error in Chinese with the server's output */
export async function recover(options: RecoveryOptions): Promise<void> {
  const { bin, clusterDir, user, logDir, to, work } = options;
  const room = mkdtempSync(join(tmpdir(), 'youshi-restore-'));
  const hba = join(room, 'hba.conf');
  const conf = join(room, 'postgresql.conf');
  const logFile = join(room, 'log');
  writeFileSync(hba, SOCKET_ONLY, { mode: 0o600 });
  // Some installations keep this file elsewhere, and it may refer to files of the old machine.
  writeFileSync(conf, '', { mode: 0o600 });
  // Requests one replay of the WAL.
  const signal = join(clusterDir, 'recovery.signal');
  writeFileSync(signal, '', { mode: 0o600 });
  const output = openSync(logFile, 'a', 0o600);
  if (user) for (const path of [room, hba, conf, signal, logFile]) chownSync(path, user.uid, user.gid);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: room,
    config_file: conf,
    hba_file: hba,
    archive_mode: 'off',
    ssl: 'off',
    shared_preload_libraries: '',
    // No client connects before the end, and the old server's limits do not matter until then.
    hot_standby: 'off',
    restore_command: `cp "${logDir}/%f" "%p"`,
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    ...(to && { recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00') }),
  };
  const args = [
    ...serverArgs(clusterDir, 5432, true),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const child = spawn(join(bin, 'postgres'), args, {
    ...user,
    cwd: '/',
    env: programEnv,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const connection = (database: string): pg.ClientConfig => ({ host: room, port: 5432, user: 'postgres', database });
  try {
    while (!(await isRecovered(connection('postgres')))) {
      if (failure) throw failure;
      if (hasEnded(child)) throw explain(readFileSync(logFile, 'utf8'));
      await sleep(POLL_MS);
    }
    await work(connection);
  } finally {
    child.kill('SIGINT');
    const until = Date.now() + STOP_LIMIT_MS;
    while (!hasEnded(child) && !failure && Date.now() < until) await sleep(POLL_MS);
    if (!hasEnded(child)) child.kill('SIGKILL');
    rmSync(room, { recursive: true, force: true });
  }
}
