/** Data folders with a filled demo market, made once and then copied. Runs on Node 24. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareDataFolder } from '../../../tests/support/database/data-folder-cache.ts';
import { ensureServer, serverEntry } from '../built.mjs';
import { PlainError } from '../output.mjs';
import { drawPort } from '../port.mjs';

const FILL_LIMIT_MS = 600_000;
const STOP_LIMIT_MS = 120_000;
const OUTPUT_LIMIT = 4_000;

/**
 * The demo market. Its moments are relative to the time it was filled: the first unpaid order expires ten minutes later, and tests run for
 * some minutes on a copy.
 */
const DEMO = {
  kind: 'demo',
  sources: ['db/**/*', 'contract/**/*', 'server/**/*', 'subjects/**/*'],
  maxAgeMs: 10 * 60_000,
};

/** Waits until a server can serve; false if it times out or the server has ended. */
async function isReady(port, child) {
  const limit = Date.now() + FILL_LIMIT_MS;
  while (Date.now() < limit && child.exitCode === null && child.signalCode === null) {
    const ok = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return true;
    await sleep(100);
  }
  return false;
}

/** Waits until the server and its PostgreSQL have ended, which may be later than the server; false when they have not. */
async function hasStopped(dataDir, child) {
  const limit = Date.now() + STOP_LIMIT_MS;
  const isRunning = () =>
    (child.exitCode === null && child.signalCode === null) || existsSync(join(dataDir, 'pg/postmaster.pid'));
  while (isRunning() && Date.now() < limit) await sleep(100);
  return !isRunning();
}

/** Starts the server once in the folder, which fills it, and stops it. */
async function fill(dataDir) {
  const port = await drawPort();
  const { DATABASE_URL: _database, SECRET: _secret, ...outer } = process.env;
  const child = spawn(process.execPath, [serverEntry], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...outer,
      NODE_ENV: 'production',
      DEMO: '1',
      PORT: String(port),
      DATA_DIR: dataDir,
      SMS_SINK: join(dataDir, 'sms.jsonl'),
      LOG_LEVEL: 'error',
    },
  });
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-OUTPUT_LIMIT)));
  const filled = await isReady(port, child);
  end();
  const stopped = await hasStopped(dataDir, child);
  if (!stopped) child.kill('SIGKILL');
  process.off('exit', end);
  if (!filled || !stopped) throw new PlainError(`The demo market was not filled:\n${output}`);
}

/**
 * Makes the empty folder `dataDir` the data folder of a demo market, its secret and pictures included, as a server leaves it that was
 * started there and stopped. The server is built when it is not.
 */
export async function prepareDemoFolder(dataDir) {
  await ensureServer(process.execPath);
  await prepareDataFolder(DEMO, dataDir, fill);
}
