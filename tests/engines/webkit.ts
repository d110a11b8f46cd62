/** WebKitGTK by plain WebDriver: its driver and small browser from Debian, on a screen of Xvfb. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { callOf, type Engine } from './engine.ts';

const LIMIT_MS = 180_000;
const POLL_MS = 20;
/** The name by which WebDriver's answers call an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

export interface WebKitPrograms {
  driver: string;
  browser: string;
  xvfb: string;
  port: number;
}

/** A screen of which Xvfb itself chooses the number. */
async function openScreen(xvfb: string) {
  const child = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1700x1300x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error('Xvfb did not start')));
    (child.stdio[3] as Readable).once('data', (bytes: Buffer) => resolve(`:${bytes.toString('utf8').trim()}`));
  });
  return { child, display };
}

/** Ends a program and waits for its end. */
async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode !== null || !child.kill()) return;
  await ended;
}

/** A caller of the driver's commands. */
const callerOf =
  (base: string) =>
  async <T>(method: string, path: string, body: unknown = {}): Promise<T> => {
    const response = await fetch(`${base}${path}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error} ${value.message}`);
    return value;
  };

async function poll(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const limit = Date.now() + LIMIT_MS;
  while (!(await isDone())) {
    if (Date.now() > limit) throw new Error(`waited in vain for ${what}`);
    await sleep(POLL_MS);
  }
}

declare global {
  interface Window {
    said?: string[];
  }
}

/** Runs in the page: keeps what its console is told from now on, since this driver does not report it. */
function watch() {
  if (window.said === undefined) {
    const said: string[] = (window.said = []);
    const own = console.error;
    console.error = (...parts: unknown[]) => {
      said.push(parts.map(String).join(' '));
      own(...parts);
    };
    addEventListener('error', ({ message }) => said.push(message));
    addEventListener('unhandledrejection', ({ reason }) => said.push(String(reason)));
  }
  return { origin: performance.timeOrigin, isLoaded: document.readyState === 'complete' };
}

/** WebKitGTK's small browser, started. Its window cannot be narrower than its tool bar, about 450 px. */
export async function openWebKit({ driver, browser, xvfb, port }: WebKitPrograms): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'youshi-webkit-'));
  const screen = await openScreen(xvfb);
  const child = spawn(driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder, DISPLAY: screen.display, TZ: 'Asia/Shanghai', LANG: 'zh_CN.UTF-8' },
  });
  const base = `http://127.0.0.1:${port}`;
  await poll(
    'WebKitWebDriver',
    async () =>
      await fetch(`${base}/status`).then(
        ({ ok }) => ok,
        () => false,
      ),
  );
  const { sessionId } = await callerOf(base)<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        pageLoadStrategy: 'none',
        'webkitgtk:browserOptions': {
          binary: browser,
          args: ['--automation'],
        },
      },
    },
  });
  const call = callerOf(`${base}/session/${sessionId}`);
  const ask: Engine['ask'] = async (inPage, ...args) =>
    JSON.parse(await call('POST', '/execute/sync', { script: `return ${callOf(inPage, args)}`, args: [] })) as never;
  return {
    open: async (url) => {
      const before = await ask(() => performance.timeOrigin);
      await call('POST', '/url', { url });
      await poll('the page', async () => {
        const state = await ask(watch).catch(() => undefined);
        return state !== undefined && state.origin !== before && state.isLoaded;
      });
    },
    ask,
    perform: async (actions) => {
      await call('POST', '/actions', { actions });
      await call('DELETE', '/actions');
    },
    attach: async (selector, file) => {
      const found = await call<Record<string, string>>('POST', '/element', { using: 'css selector', value: selector });
      await call('POST', `/element/${found[ELEMENT]}/value`, { text: file });
    },
    resize: async (width, height) => {
      await call('POST', '/window/rect', { width, height });
    },
    complaints: async () => await ask(() => window.said?.splice(0) ?? []),
    picture: async () => await call<string>('GET', '/screenshot'),
    close: async () => {
      await call('DELETE', '').catch(() => undefined);
      await stop(child);
      await stop(screen.child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
