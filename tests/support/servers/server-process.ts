/** The real server as a separate process, so that it can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPortFree } from '#server/db/embedded-process.ts';
import { endWithParent } from './end-with-parent.ts';

export interface ServerProcess {
  readonly port: number;
  /** Of the running server; 0 when there is none. */
  readonly pid: number;
  /** Starts it and waits until it may serve. */
  start(): Promise<void>;
  /** Ends it without warning. */
  kill(): Promise<void>;
  /** Asks it to end, as a deploy does, and waits until it has. */
  stop(): Promise<void>;
}

const READY_LIMIT_MS = 120_000;
const FREE_LIMIT_MS = 30_000;

/**
 * `env` must hold what the server needs to find its database; `entry` is the program, the whole server unless named; `cwd` is the folder of
 * its release, this one unless named.
 */
export function serverProcess(
  port: number,
  env: Record<string, string>,
  entry = 'server/main.ts',
  cwd = process.cwd(),
): ServerProcess {
  let child: ChildProcess | undefined;
  const output: string[] = [];
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child?.once('exit', resolve));
    child.kill(signal);
    await gone;
  };
  return {
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    async start() {
      const ready = async (): Promise<boolean> =>
        await fetch(`http://127.0.0.1:${port}/readyz`).then(
          (response) => response.ok,
          () => false,
        );
      // A server that an interrupted run left on the port would answer in place of this one, from another database.
      for (const free = Date.now() + FREE_LIMIT_MS; !(await isPortFree(port)); await sleep(50))
        if (Date.now() > free) throw new Error(`port ${port} is taken: end the program that listens on it (ss -ltnp)`);
      child = spawn(...endWithParent(process.execPath, [entry]), {
        cwd,
        env: { ...process.env, ...env, PORT: String(port), HOST: '127.0.0.1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (text: Buffer) => output.push(text.toString()));
      const limit = Date.now() + READY_LIMIT_MS;
      while (Date.now() < limit) {
        if (await ready()) return;
        if (child.exitCode !== null) break;
        await sleep(50);
      }
      await end('SIGKILL');
      throw new Error(`the server did not start: ${output.join('').slice(-2000)}`);
    },
    kill: async () => await end('SIGKILL'),
    stop: async () => await end('SIGTERM'),
  };
}
