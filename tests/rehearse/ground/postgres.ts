/** The operator's own PostgreSQL: the programs that npm brought, a cluster without anything of ours, and what docs/OPERATIONS.md says to make in it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { embeddedBinaries, unprivilegedUser } from '#server/db/embedded-binaries.ts';
import { initCluster, newPassword, programEnv, serverArgs } from '#server/db/embedded-cluster.ts';

const START_LIMIT_MS = 120_000;
const SETPRIV = '/usr/bin/setpriv';

export interface Machine {
  /** The server's log-in, and the owner's. */
  readonly url: string;
  readonly ownerUrl: string;
  stop(): Promise<void>;
}

/** The statements of the chapter "Database", as its reader would type them. */
function chapterDatabase(): string[] {
  const text = readFileSync('docs/OPERATIONS.md', 'utf8');
  const block = /## Database[\s\S]*?```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  return block
    .split('\n')
    .map((line) => line.replace(/\s+--.*$/, '').trim())
    .filter(Boolean);
}

async function connected(url: string, isRunning: () => boolean): Promise<pg.Client> {
  const until = Date.now() + START_LIMIT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!isRunning() || Date.now() > until) throw error;
      await sleep(50);
    }
  }
}

/** Starts a PostgreSQL in a bare folder and makes roles and database by the book. */
export async function startPostgres(folder: string, port: number): Promise<Machine> {
  const cluster = join(folder, 'pg');
  const user = unprivilegedUser(cluster);
  const bin = embeddedBinaries(user);
  const [superPassword, owner, run] = [newPassword(), newPassword(), newPassword()];
  initCluster(bin, cluster, user, superPassword, false);
  const program = [join(bin, 'postgres'), ...serverArgs(cluster, port, false)];
  // The kernel ends it when this process dies, however it dies.
  const [command = '', ...args] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'INT', '--', ...program] : program;
  const child: ChildProcess = spawn(command, args, {
    ...user,
    cwd: '/',
    env: programEnv,
    detached: true,
    stdio: 'ignore',
  });
  const at = (name: string, password: string, database: string): string =>
    `postgres://${name}:${password}@127.0.0.1:${port}/${database}`;
  const client = await connected(at('postgres', superPassword, 'postgres'), () => child.exitCode === null);
  const passwords: Record<string, string> = { youshi: owner, youshi_run: run };
  for (const statement of chapterDatabase()) {
    const name = /^create role (\w+)/.exec(statement)?.[1] ?? '';
    await client.query(statement.replace("'…'", `'${passwords[name] ?? ''}'`));
  }
  await client.end();
  return {
    url: at('youshi_run', run, 'youshi'),
    ownerUrl: at('youshi', owner, 'youshi'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await gone;
    },
  };
}
