/**
 * The embedded PostgreSQL: a supervisor for the binaries that npm installed. It creates the cluster at the first start, cleans up
 * after a kill, restarts a server that dies, and shares a server that another of our processes already runs.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BaseLogger } from 'pino';
import { canEnter, embeddedBinaries, unprivilegedUser } from './embedded-binaries.ts';
import type { RunAs } from './embedded-binaries.ts';
import {
  initCluster,
  locateCluster,
  logTail,
  newPassword,
  programEnv,
  readState,
  resetSuperPassword,
  serverArgs,
  serverLogFile,
  takeOwnership,
  writeState,
} from './embedded-cluster.ts';
import type { ClusterState } from './embedded-cluster.ts';
import { clearRemains, freePort, isPortFree, livePostmaster, waitUntil, withLock } from './embedded-process.ts';

export type EmbeddedLog = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

export type EmbeddedOptions = {
  /** The application's data folder; the cluster is its subfolder `pg`. */
  dataDir: string;
  log: EmbeddedLog;
  /** false only for tests: twice as fast, but a power failure loses the cluster. */
  fsync?: boolean;
};

export type Embedded = {
  /** Connection string of the role `youshi_app`, which the server uses: it owns nothing and cannot switch to another role. */
  readonly url: string;
  /** Connection string of the role `youshi`, which owns the database `youshi` and is not a superuser; for migrations. */
  readonly ownerUrl: string;
  /** Connection string of the superuser, for tests and repair tools. */
  readonly adminUrl: string;
  /** The running postmaster; undefined for the moment between a crash and the restart. */
  readonly pid: number | undefined;
  /** Whether another process had started the server. `stop` then leaves it running. */
  readonly adopted: boolean;
  /** Ends the server cleanly, if this process started it. */
  stop(): Promise<void>;
};

const DATABASE = 'youshi';
const RUN_ROLE = 'youshi_app';
const STARTUP_LIMIT_MS = 300_000;
const STOP_LIMIT_MS = 15_000;
const WATCH_INTERVAL_MS = 500;
const STABLE_AFTER_MS = 30_000;
const BACKOFF_MS = [0, 250, 500, 1_000, 2_000, 5_000, 10_000];
const SETPRIV = '/usr/bin/setpriv';

const urlOf = (user: string, password: string, port: number, database: string): string =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

/** Runs `work` as superuser on a separate connection. */
async function asSuperuser<T>(state: ClusterState, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const connectionString = urlOf('postgres', state.superPassword, state.port, 'postgres');
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 });
  // A lost connection is reported as an event, which without a listener would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates the database, the role that owns it and the server's own role, which is not a member of the owner. */
async function createDatabase(state: ClusterState): Promise<void> {
  await asSuperuser(state, async (client) => {
    const setRole = async (name: string, options: string): Promise<void> => {
      const role = await client.query('select 1 from pg_roles where rolname = $1', [name]);
      await client.query(`${role.rowCount === 0 ? 'create' : 'alter'} role ${name} with ${options}`);
    };
    await setRole(DATABASE, `login createdb createrole password '${state.appPassword}'`);
    await setRole(RUN_ROLE, `login nosuperuser nocreatedb nocreaterole password '${state.runPassword}'`);
    await client.query(`grant ${RUN_ROLE} to ${DATABASE}`);
    const database = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (database.rowCount === 0) await client.query(`create database ${DATABASE} owner ${DATABASE}`);
  });
}

class Supervisor implements Embedded {
  readonly #dataDir: string;
  readonly #log: EmbeddedLog;
  readonly #fsync: boolean;
  #state: ClusterState;
  #clusterDir = '';
  #user: RunAs;
  #bin = '';
  #child: ChildProcess | undefined;
  #pid: number | undefined;
  #startedAt = 0;
  #crashes = 0;
  #watcher: NodeJS.Timeout | undefined;
  #recovery: Promise<void> | undefined;
  #stopping = false;
  readonly #endWithParent = (): void => {
    this.#child?.kill('SIGINT');
  };

  constructor(options: EmbeddedOptions) {
    this.#dataDir = resolve(options.dataDir);
    this.#log = options.log;
    this.#fsync = options.fsync ?? true;
    this.#state = { port: 0, superPassword: newPassword(), appPassword: newPassword(), ready: false };
  }

  get url(): string {
    return urlOf(RUN_ROLE, this.#state.runPassword ?? '', this.#state.port, DATABASE);
  }

  get ownerUrl(): string {
    return urlOf(DATABASE, this.#state.appPassword, this.#state.port, DATABASE);
  }

  get adminUrl(): string {
    return urlOf('postgres', this.#state.superPassword, this.#state.port, 'postgres');
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  get adopted(): boolean {
    return this.#child === undefined;
  }

  async start(): Promise<void> {
    mkdirSync(this.#dataDir, { recursive: true, mode: 0o755 });
    process.once('exit', this.#endWithParent);
    try {
      await this.#locked(async () => {
        this.#prepare();
        await this.#adoptOrLaunch(true);
      });
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#watcher);
    process.off('exit', this.#endWithParent);
    await this.#recovery;
    const child = this.#child;
    if (child === undefined) return;
    // SIGINT is PostgreSQL's fast shutdown (ends sessions and writes a checkpoint); SIGQUIT relies on recovery.
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      child.kill(signal);
      if (await waitUntil(() => child.exitCode !== null || child.signalCode !== null, STOP_LIMIT_MS)) break;
      this.#log.warn({ signal }, '内置数据库没有按时结束');
    }
    this.#pid = undefined;
  }

  async #locked(work: () => Promise<void>): Promise<void> {
    await withLock(join(this.#dataDir, 'postgres.lock'), work);
  }

  /** Finds or makes the cluster and everything needed to run it. */
  #prepare(): void {
    const remembered = readState(this.#dataDir);
    if (remembered !== undefined) this.#state = remembered;
    this.#user = unprivilegedUser(join(this.#dataDir, 'pg'));
    this.#clusterDir = locateCluster(this.#dataDir, this.#user);
    this.#bin = embeddedBinaries(this.#user);
    const existed = existsSync(this.#clusterDir);
    if (!existed) this.#state.ready = false;
    initCluster(this.#bin, this.#clusterDir, this.#user, this.#state.superPassword, this.#fsync);
    takeOwnership(this.#clusterDir, this.#user);
    if (!canEnter(this.#clusterDir, this.#user)) {
      throw new Error(
        `数据库用户（uid ${this.#user?.uid}）进不去 ${this.#clusterDir}，请放开上级目录的权限或另选 DATA_DIR。`,
      );
    }
    if (remembered === undefined && existed) this.#regainAccess();
  }

  /** The cluster exists but its passwords are lost: sets new ones. */
  #regainAccess(): void {
    if (livePostmaster(this.#clusterDir) !== undefined) {
      throw new Error(`数据库正在运行，但 ${this.#dataDir} 里的 postgres.json 丢失；请先结束那个进程再启动。`);
    }
    resetSuperPassword(this.#bin, this.#clusterDir, this.#user, this.#state.superPassword);
  }

  async #adoptOrLaunch(mayMovePort: boolean): Promise<void> {
    const running = livePostmaster(this.#clusterDir);
    if (running !== undefined && (await this.#isReady(() => livePostmaster(this.#clusterDir) === running))) {
      this.#adopt(running);
      await this.#makeReady();
      return;
    }
    await clearRemains(this.#clusterDir);
    if (mayMovePort && (this.#state.port === 0 || !(await isPortFree(this.#state.port)))) {
      this.#state.port = await freePort();
    }
    await this.#launch();
    await this.#makeReady();
    writeState(this.#dataDir, this.#state);
  }

  /** Creates roles and database once. The state is saved first, so that an interrupted start continues with the same passwords. */
  async #makeReady(): Promise<void> {
    if (this.#state.ready && this.#state.runPassword !== undefined) return;
    this.#state.runPassword ??= newPassword();
    this.#state.ready = false;
    writeState(this.#dataDir, this.#state);
    await createDatabase(this.#state);
    this.#state.ready = true;
    writeState(this.#dataDir, this.#state);
  }

  #adopt(pid: number): void {
    this.#child = undefined;
    this.#pid = pid;
    this.#log.info({ pid, port: this.#state.port }, '数据库已由另一个进程启动，共用它');
    clearInterval(this.#watcher);
    this.#watcher = setInterval(() => {
      if (livePostmaster(this.#clusterDir) === pid) return;
      clearInterval(this.#watcher);
      this.#onDeath('另一个进程启动的数据库已结束');
    }, WATCH_INTERVAL_MS).unref();
  }

  async #launch(): Promise<void> {
    const args = serverArgs(this.#clusterDir, this.#state.port, this.#fsync);
    const program = join(this.#bin, 'postgres');
    // The kernel shuts the server down cleanly when this process dies, for whatever reason.
    const [command, ...rest] = existsSync(SETPRIV)
      ? [SETPRIV, '--pdeathsig', 'INT', '--', program, ...args]
      : [program, ...args];
    const output = openSync(serverLogFile(this.#dataDir), 'a', 0o600);
    // A separate session: Ctrl-C in the terminal must reach the application first, which still needs its database.
    const child = spawn(command, rest, {
      ...this.#user,
      cwd: '/',
      env: programEnv,
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    child.unref();
    let failure: Error | undefined;
    child.once('error', (error) => {
      failure = error;
    });
    const isRunning = (): boolean => failure === undefined && child.exitCode === null && child.signalCode === null;
    if (!(await this.#isReady(isRunning)) || !isRunning()) {
      child.kill('SIGQUIT');
      throw new Error(`内置数据库没有启动：${failure?.message ?? `\n${logTail(this.#dataDir)}`}`);
    }
    this.#child = child;
    this.#pid = child.pid;
    this.#startedAt = performance.now();
    child.once('exit', (code, signal) => this.#onDeath(`数据库进程意外结束（${signal ?? code}）`));
  }

  /** Waits until the server accepts connections; false if it exits first. Recovery after a kill may take a while. */
  async #isReady(isRunning: () => boolean): Promise<boolean> {
    const begin = performance.now();
    let nextLogMs = 5_000;
    while (isRunning()) {
      try {
        await asSuperuser(this.#state, async (client) => await client.query('select 1'));
        return true;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined;
        if (code === '28P01') throw error;
      }
      const elapsedMs = performance.now() - begin;
      if (elapsedMs > STARTUP_LIMIT_MS) return false;
      if (elapsedMs > nextLogMs) {
        this.#log.info({ seconds: Math.round(elapsedMs / 1000) }, '数据库正在恢复，请稍候');
        nextLogMs += 5_000;
      }
      await sleep(elapsedMs < 1_000 ? 15 : 100);
    }
    return false;
  }

  #onDeath(reason: string): void {
    if (this.#stopping || this.#recovery !== undefined) return;
    this.#pid = undefined;
    if (performance.now() - this.#startedAt > STABLE_AFTER_MS) this.#crashes = 0;
    this.#log.error({ reason }, '数据库停了，正在重新启动');
    this.#recovery = this.#recover().finally(() => {
      this.#recovery = undefined;
    });
  }

  async #recover(): Promise<void> {
    while (!this.#stopping) {
      await sleep(BACKOFF_MS[Math.min(this.#crashes, BACKOFF_MS.length - 1)]);
      this.#crashes += 1;
      if (this.#stopping) return;
      try {
        await this.#locked(async () => await this.#adoptOrLaunch(false));
        this.#log.info({ pid: this.#pid }, '数据库已恢复');
        return;
      } catch (error) {
        this.#log.error({ err: error }, '数据库重新启动失败，稍后再试');
      }
    }
  }
}

/**
 * Starts the embedded PostgreSQL of a data folder, or shares the one that is already running there, and keeps it running. `url` stays
 * the same for the object's whole life, also after crashes of the server. @throws Error with a Chinese message when this system has no
 * embedded PostgreSQL or the server does not start
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const supervisor = new Supervisor(options);
  await supervisor.start();
  return supervisor;
}
