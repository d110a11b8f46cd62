/** A separate Groonga for one test file, where Debian's `groonga-bin` is installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = ['/usr/bin/groonga', '/usr/local/bin/groonga'].find((path) => existsSync(path));

/** Whether it can run here. */
export const hasGroonga = PROGRAM !== undefined;

export interface GroongaServer {
  readonly url: string;
  /** Ends it without warning; its files stay. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and deletes its files. */
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Starts one on a free port of loopback. */
export async function groongaServer(): Promise<GroongaServer> {
  const folder = mkdtempSync(join(tmpdir(), 'youshi-groonga-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = join(folder, 'db');
  let child: ChildProcess | undefined;
  const isUp = async (): Promise<boolean> =>
    await fetch(`${url}/d/status`).then(
      (response) => response.ok,
      () => false,
    );
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child?.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  const start = async (): Promise<void> => {
    const args = ['-s', '--protocol', 'http', '--bind-address', '127.0.0.1', '-p', String(port)];
    child = spawn(PROGRAM ?? '', [...args, ...(existsSync(file) ? [] : ['-n']), file], { stdio: 'ignore' });
    while (!(await isUp())) {
      if (child.exitCode !== null) throw new Error('groonga did not start');
      await sleep(50);
    }
  };
  await start();
  return {
    url,
    kill,
    start,
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
