/** The market's processes as an operator runs them: `npm start`, `npm run migrate`, `npm run doctor`, `npm run admin`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_LIMIT_MS = 120_000;
const COMMAND_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 25_000;

export type Settings = Readonly<Record<string, string>>;

/** The environment of a shell in which nothing but the settings and the way to the programs is set. */
const bare = (settings: Settings): Record<string, string> => {
  const { PATH = '', HOME = '/tmp', USER = 'operator' } = process.env;
  return { PATH, HOME, USER, TZ: 'Asia/Shanghai', ...settings };
};

/** Sends a signal to a process and everything that it started. */
function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

export interface Ended {
  code: number;
  output: string;
}

/** Runs a command of the operator's to its end and returns its output. */
export async function runCommand(
  words: readonly string[],
  settings: Settings,
  limitMs = COMMAND_LIMIT_MS,
): Promise<Ended> {
  const [program = '', ...args] = words;
  const child = spawn(program, args, { env: bare(settings), detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  // The whole group: what npm started would keep its output open.
  const limit = setTimeout(() => endGroup(child, 'SIGKILL'), limitMs);
  const code = await new Promise<number>((resolve) => child.once('close', (end) => resolve(end ?? 137)));
  clearTimeout(limit);
  return { code, output };
}

/** A process of the market. */
export class Node {
  readonly port: number;
  readonly #settings: Settings;
  readonly #log: string;
  #child: ChildProcess | undefined;
  #said = '';

  /** `log` is the file that everything it says is kept in, as a journal would. */
  constructor(port: number, log: string, settings: Settings) {
    this.port = port;
    this.#log = log;
    this.#settings = { ...settings, PORT: String(port), HOST: '127.0.0.1' };
  }

  /** Everything that it wrote since its last start. */
  get said(): string {
    return this.#said;
  }

  /** Starts it and waits until it may serve. */
  async start(): Promise<void> {
    this.#said = '';
    const child = spawn('npm', ['start'], {
      env: bare(this.#settings),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text;
        appendFileSync(this.#log, text);
      });
    const until = Date.now() + READY_LIMIT_MS;
    while (Date.now() < until && child.exitCode === null) {
      const isReady = await fetch(`http://127.0.0.1:${this.port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await sleep(100);
    }
    throw new Error(`the market did not start:\n${this.#said.slice(-3000)}`);
  }

  /** Stops it as an operator does, and waits until it is gone. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    endGroup(child, 'SIGTERM');
    const force = setTimeout(() => endGroup(child, 'SIGKILL'), STOP_LIMIT_MS);
    await gone;
    clearTimeout(force);
  }
}
