/**
 * Chromium 109, the oldest browser with full function (docs/BROWSERS.md): the last for Windows 7 and 8.1, and the core of many browsers in
 * China. The npm package @sparticuz/chromium carries it compressed. Runs on Node 20.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { root } from '../prerequisites.mjs';
import { run } from '../run.mjs';

const PACKED = join(root, 'node_modules/@sparticuz/chromium/bin/chromium.br');
const FOLDER = join(root, 'node_modules/.cache/chromium-109');
const PROGRAM = join(FOLDER, 'chromium');
const START_LIMIT_MS = 30_000;

/** Unpacks the program next to the packages, once. The package itself would put it into the shared temporary folder. */
function unpack() {
  if (existsSync(PROGRAM)) return;
  mkdirSync(FOLDER, { recursive: true });
  const part = `${PROGRAM}.${process.pid}`;
  writeFileSync(part, brotliDecompressSync(readFileSync(PACKED)));
  chmodSync(part, 0o755);
  renameSync(part, PROGRAM);
}

/**
 * Resolves to `{ path }` of the browser, or to `{ lack }`, the reason why it cannot run on this machine.
 */
export async function findOldBrowser() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { lack: `Chromium 109 comes for linux-x64 only, this is ${process.platform}-${process.arch}` };
  if (!existsSync(PACKED)) return { lack: 'the package @sparticuz/chromium is not installed' };
  unpack();
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--dump-dom', 'data:text/html,<p>ok</p>'];
  const { code, output } = await run(PROGRAM, args, { timeoutMs: START_LIMIT_MS });
  if (code === 0 && output.includes('<p>ok</p>')) return { path: PROGRAM };
  return { lack: `Chromium 109 does not start: ${output.trim().split('\n').at(-1) ?? ''}` };
}
