/**
 * What a start costs: processor time (user and system) of the server's own process until it answers `/healthz`, over a market that is
 * filled already. `npm run bench -- start` measures the built server with its compile cache, the built server without one, and the
 * sources as Node strips their types; each several times, the median counts.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from '#server/db/embedded.ts';
import { median } from '../lib/stats.ts';

const PORT = Number(process.env.PORT ?? 31_961);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const READY_LIMIT_MS = 300_000;
const LOOK_MS = 20;
/** Ticks of /proc a second. */
const HERTZ = 100;

interface Way {
  name: string;
  entry: string;
  env?: Record<string, string>;
}

const WAYS: readonly Way[] = [
  { name: 'built, with compile cache', entry: 'build/main.js' },
  { name: 'built, without', entry: 'build/main.js', env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  { name: 'sources, types stripped', entry: 'server/main.ts' },
];

/** Processor seconds that a process has used so far, and its memory in MB. */
function usage(pid: number): { cpuSeconds: number; memoryMb: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / HERTZ, memoryMb: Math.round(Number(rss) / 1024) };
}

/** Starts the server, waits for its first response, stops it. */
async function startOnce(mode: Way, env: Record<string, string>) {
  const begun = performance.now();
  const child = spawn(process.execPath, [mode.entry], {
    env: { ...process.env, ...env, ...mode.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  while (
    !(await fetch(`http://127.0.0.1:${PORT}/healthz`).then(
      (r) => r.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() - begun > READY_LIMIT_MS)
      throw new Error('the server did not start');
    await sleep(LOOK_MS);
  }
  const result = { ...usage(child.pid ?? 0), wallSeconds: (performance.now() - begun) / 1000 };
  child.kill('SIGTERM');
  await gone;
  return result;
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
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  const database = await startEmbedded({ dataDir, log });
  const env = { NODE_ENV: 'production', DATA_DIR: dataDir, PORT: String(PORT), HOST: '127.0.0.1', LOG_LEVEL: 'error' };
  try {
    const results: Record<string, object> = {};
    for (const mode of WAYS) {
      // The first start fills the market, or the compile cache.
      await startOnce(mode, env);
      const rounds: Awaited<ReturnType<typeof startOnce>>[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await startOnce(mode, env));
      const of = (key: 'cpuSeconds' | 'wallSeconds' | 'memoryMb'): number =>
        Number(median(rounds.map((r) => r[key])).toFixed(2));
      results[mode.name] = { cpuSeconds: of('cpuSeconds'), wallSeconds: of('wallSeconds'), memoryMb: of('memoryMb') };
    }
    console.log(JSON.stringify(results, null, 2));
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
