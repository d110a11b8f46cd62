/** Firefox by WebDriver BiDi: one WebSocket, without a driver program. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { callOf, type Engine } from './engine.ts';

const START_LIMIT_MS = 180_000;

/** Nothing is fetched, offered or opened that the tests did not ask for. */
const SETTINGS = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'zh-CN, zh',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'remote.active-protocols': 1,
  'signon.rememberSignons': false,
  'toolkit.telemetry.enabled': false,
};

interface Answer {
  id?: number;
  type: 'success' | 'error' | 'event';
  method?: string;
  message?: string;
  result?: Record<string, unknown>;
  params?: { level: string; text: string | null; source: { context?: string } };
}

type Send = (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Opens the connection: `send` resolves to a command's result, events go to `hear`. */
async function connect(url: string, hear: (params: NonNullable<Answer['params']>) => void) {
  const socket = new WebSocket(`${url}/session`);
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.on('message', (bytes: Buffer) => {
    const answer = JSON.parse(bytes.toString('utf8')) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
    else if (answer.params !== undefined) hear(answer.params);
  });
  let last = 0;
  const send: Send = async (method, params) => {
    const id = (last += 1);
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    waiting.delete(id);
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`);
    return answer.result ?? {};
  };
  return { send, end: () => socket.close() };
}

/** Starts the program with a separate profile. Resolves to the address of its WebSocket. */
async function start(program: string, folder: string) {
  const lines = Object.entries(SETTINGS).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(join(folder, 'user.js'), lines.join('\n'));
  const child = spawn(program, ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port=0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, TZ: 'Asia/Shanghai' },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    const limit = setTimeout(() => reject(new Error(`Firefox did not start: ${said}`)), START_LIMIT_MS);
    child.once('error', reject);
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString('utf8');
      const found = /BiDi listening on (ws:\S+)/.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(limit);
      resolve(found);
    });
  });
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { url, stop };
}

/** Firefox, started. */
export async function openFirefox(program: string): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'youshi-firefox-'));
  const { url, stop } = await start(program, folder);
  const said: string[] = [];
  const { send, end } = await connect(url, ({ level, text }) => {
    if (level === 'error') said.push(text ?? '');
  });
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] };
  const context = contexts[0]?.context ?? '';
  const evaluate = async (expression: string) =>
    (await send('script.evaluate', { expression, target: { context }, awaitPromise: true })) as {
      type: string;
      result?: { value?: string; sharedId?: string };
      exceptionDetails?: { text: string };
    };
  return {
    open: async (address) => {
      await send('browsingContext.navigate', { context, url: address, wait: 'complete' });
    },
    ask: async (inPage, ...args) => {
      const { result, exceptionDetails } = await evaluate(callOf(inPage, args));
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return JSON.parse(result?.value ?? 'null') as never;
    },
    perform: async (actions) => {
      await send('input.performActions', { context, actions });
    },
    attach: async (selector, file) => {
      const { result } = await evaluate(`document.querySelector(${JSON.stringify(selector)})`);
      await send('input.setFiles', { context, element: { sharedId: result?.sharedId }, files: [file] });
    },
    resize: async (width, height) => {
      await send('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    complaints: async () => await Promise.resolve(said.splice(0)),
    picture: async () => String((await send('browsingContext.captureScreenshot', { context })).data),
    close: async () => {
      end();
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
