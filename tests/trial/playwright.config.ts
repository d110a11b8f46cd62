import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { BROWSER_ARGS } from '../support/servers/browser-args.ts';

// Playwright reads this file again in its worker; the first reading decides for both.
if (process.env.E2E_PORT === undefined) {
  const { drawPort } = (await import(new URL('../../scripts/lib/port.mjs', import.meta.url).href)) as {
    drawPort: () => Promise<number>;
  };
  process.env.E2E_PORT = String(await drawPort());
}
const room = (process.env.E2E_DATA_DIR ??= join(tmpdir(), `youshi-trial-${process.pid}`));
mkdirSync(room, { recursive: true, mode: 0o755 });

/** The trial of docs/OPERATIONS.md in one browser, from the printed address to the first payout and the end of the trial. */
export default defineConfig({
  testDir: '.',
  outputDir: join('../../test-results/trial'),
  fullyParallel: false,
  workers: 1,
  retries: 0,
  maxFailures: 1,
  forbidOnly: true,
  timeout: 240_000,
  globalTimeout: Number(process.env.E2E_LIMIT_MS ?? 0),
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.BROWSER_PATH ?? '/usr/bin/chromium', args: [...BROWSER_ARGS] },
  },
});
