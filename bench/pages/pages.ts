/**
 * The goods page as the server renders it with its data, against a bare React page of 12 KB in the same run; and the server's
 * memory when no one asks. `npm run bench -- pages`. Every request is for another goods, as a visitor, compressed as browsers
 * want it. Server and bare page have one core, database and asker the other; what counts is the processor time of the server's
 * process, since that alone is a figure per core on a machine where others work as well.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from '#server/db/embedded.ts';
import { median } from '../lib/stats.ts';

const PORT = 31_960;
const CONNECTIONS = 8;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = Number(process.env.SECONDS ?? 10);
/** Requests before the first round, until the code is fully optimised. */
const WARM_PAGES = Number(process.env.WARM ?? 3_000);
const GOODS = 2_000;
const IDLE_SECONDS = 60;
const READY_LIMIT_MS = 300_000;
/** Ticks of /proc a second. */
const HERTZ = 100;
const CORE_SERVER = '0';
const CORE_OTHERS = '1';

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });

interface PageResponse {
  status: number;
  bytes: number;
  text: string;
}

function get(path: string, headers: Record<string, string> = {}): Promise<PageResponse> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: PORT, path, agent, headers: { host: `localhost:${PORT}`, ...headers } };
    http
      .get(options, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const body = Buffer.concat(parts);
          resolve({ status: response.statusCode ?? 0, bytes: body.length, text: body.toString('latin1') });
        });
        response.on('error', reject);
      })
      .on('error', reject);
  });
}

/** Processor seconds that a process has used so far. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / HERTZ;
}

function memoryMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

const pinned = (core: string): string[] =>
  existsSync('/usr/bin/taskset') && cpus().length > 1 ? ['/usr/bin/taskset', '-c', core] : [];

async function start(args: string[], env: Record<string, string>, ready: string): Promise<ChildProcess> {
  const [program = '', ...rest] = [...pinned(CORE_SERVER), process.execPath, ...args];
  const child = spawn(program, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const limit = Date.now() + READY_LIMIT_MS; Date.now() < limit && child.exitCode === null; await sleep(200)) {
    const ok = await get(ready).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (ok) return child;
  }
  throw new Error(`${args.join(' ')} did not start`);
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

/** Sends requests on all connections until the time is over or enough responses have arrived. */
async function run(
  paths: readonly string[],
  until: { ms?: number; count?: number },
): Promise<{ count: number; bytes: number }> {
  let next = Math.floor(Math.random() * paths.length);
  let count = 0;
  let bytes = 0;
  const end = performance.now() + (until.ms ?? Number.MAX_SAFE_INTEGER);
  const connection = async (): Promise<void> => {
    while (performance.now() < end && count < (until.count ?? Number.MAX_SAFE_INTEGER)) {
      const response = await get(paths[next++ % paths.length] ?? '/', { 'accept-encoding': 'gzip, deflate, br' });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      count++;
      bytes += response.bytes;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return { count, bytes };
}

/** Requests a second of processor time and of the wall's, median of the rounds. */
async function measure(child: ChildProcess, paths: readonly string[], warm: number) {
  const pid = child.pid ?? 0;
  await run(paths, { count: warm });
  const perCpu: number[] = [];
  const perWall: number[] = [];
  let kb = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const cpu = cpuSeconds(pid);
    const begun = performance.now();
    const { count, bytes } = await run(paths, { ms: SECONDS * 1000 });
    perCpu.push(count / (cpuSeconds(pid) - cpu));
    perWall.push(count / ((performance.now() - begun) / 1000));
    kb = bytes / count / 1024;
  }
  return { perCore: Math.round(median(perCpu)), perSecond: Math.round(median(perWall)), kb: Number(kb.toFixed(1)) };
}

/** Pages of goods on sale, newest first, by the list's own cursor. */
async function goodsPages(): Promise<string[]> {
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null && pages.length < GOODS; ) {
    const { text } = await get(`/api/goods/getGoodsList?sort=newest&pageSize=50${cursor && `&cursor=${cursor}`}`);
    const { data } = JSON.parse(text) as { data: { list: { pageUrl: string }[]; next: string | null } };
    pages.push(...data.list.map(({ pageUrl }) => pageUrl));
    cursor = data.next;
  }
  return pages;
}

async function main(): Promise<void> {
  // By a computed address: a plain script has no types to import.
  const built = (await import(new URL('../../scripts/lib/built.mjs', import.meta.url).href)) as {
    ensurePages(node: string): Promise<void>;
    ensureServer(node: string): Promise<void>;
  };
  await built.ensurePages(process.execPath);
  await built.ensureServer(process.execPath);
  const dataDir = mkdtempSync(join(tmpdir(), 'youshi-bench-'));
  chmodSync(dataDir, 0o711);
  if (pinned(CORE_OTHERS).length > 0)
    spawn('/usr/bin/taskset', ['-acp', CORE_OTHERS, String(process.pid)], { stdio: 'ignore' });
  await sleep(200);
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  const database = await startEmbedded({ dataDir, log });
  const env = {
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    PORT: String(PORT),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    // All requests come from one address; on a fast machine they are more than one visitor may send.
    IP_LIMIT_FACTOR: '10000',
  };
  try {
    // The first start fills the market; what it leaves in memory is no part of an idle server.
    await stop(await start(['build/main.js'], env, '/readyz'));
    const server = await start(['build/main.js'], env, '/readyz');
    const memory = { startMb: memoryMb(server.pid ?? 0), idleMb: 0, afterLoadMb: 0 };
    await sleep(IDLE_SECONDS * 1000);
    memory.idleMb = memoryMb(server.pid ?? 0);
    const pages = await goodsPages();
    const goods = await measure(server, pages, WARM_PAGES);
    // All visitors on one page: it is rendered once a second and sent to each with a new nonce.
    const crowd = await measure(server, pages.slice(0, 1), WARM_PAGES / 10);
    const home = await measure(server, ['/'], WARM_PAGES / 10);
    memory.afterLoadMb = memoryMb(server.pid ?? 0);
    await stop(server);
    const bare: Record<string, unknown> = {};
    for (const mode of ['string', 'stream']) {
      const child = await start(['bench/lib/bare-page.ts', String(PORT), mode], { NODE_ENV: 'production' }, '/');
      bare[mode] = await measure(child, ['/'], WARM_PAGES);
      await stop(child);
    }
    console.log(JSON.stringify({ pages: pages.length, goods, crowd, home, bare, memory }, null, 2));
  } finally {
    agent.destroy();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
