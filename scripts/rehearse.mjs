/**
 * `npm run rehearse`: opens a market from nothing, as docs/OPERATIONS.md tells it: a bare folder, a separate PostgreSQL, fakes of every
 * vendor on loopback, a browser. Touches no other market. With `REHEARSE_KEEP=FOLDER` its folder is kept, with `E2E_SHOTS=FOLDER` pictures are left.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './lib/browsers/browser.mjs';
import { ensurePages, ensureServer } from './lib/built.mjs';
import { ensurePackages, findNode, root } from './lib/prerequisites.mjs';
import { runUntilEnd } from './lib/run.mjs';
import { bold, main, speakToOperators } from './lib/output.mjs';

await main(async () => {
  speakToOperators();
  process.chdir(root);
  console.log(bold('\n开业演练'));
  await ensurePackages({ tests: true });
  const node = findNode();
  await ensurePages(node);
  await ensureServer(node);
  const browser = await ensureBrowser();
  const kept = process.env.REHEARSE_KEEP;
  const room = kept ?? mkdtempSync(join(tmpdir(), 'youshi-rehearse-'));
  // Open to the user the database runs as when this runs as root.
  mkdirSync(room, { recursive: true });
  chmodSync(room, 0o755);
  const program = join(root, 'node_modules/@playwright/test/cli.js');
  const args = ['test', '--config', 'tests/rehearse/playwright.config.ts', ...process.argv.slice(2)];
  const code = await runUntilEnd(node, [program, ...args], {
    PATH: `${join(node, '..')}:${process.env.PATH}`,
    E2E_DATA_DIR: room,
    BROWSER_PATH: browser,
  });
  if (kept === undefined) rmSync(room, { recursive: true, force: true });
  return code;
});
