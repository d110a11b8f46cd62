import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { BROWSER_ARGS } from '../support/servers/browser-args.ts';

// Playwright reads this file again in its worker; the first reading decides for both.
if (process.env.REHEARSE_PORT === undefined) {
  const { drawPort } = (await import(new URL('../../scripts/lib/port.mjs', import.meta.url).href)) as {
    drawPort: (count: number) => Promise<number>;
  };
  process.env.REHEARSE_PORT = String(await drawPort(5));
}
const port = Number(process.env.REHEARSE_PORT);
const front = port + 2;
process.env.REHEARSE_PORTS ??= [0, 1, 2, 3, 4].map((n) => port + n).join(',');
const room = (process.env.E2E_DATA_DIR ??= join(tmpdir(), `youshi-rehearsal-${process.pid}`));
mkdirSync(room, { recursive: true, mode: 0o755 });

/** The rehearsal of an opening: acts in their order in one browser, against a market in production. */
export default defineConfig({
  testDir: './acts',
  testMatch: '*.act.ts',
  outputDir: join('../../test-results/rehearse'),
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
    launchOptions: {
      executablePath: process.env.BROWSER_PATH ?? '/usr/bin/chromium',
      args: [
        ...BROWSER_ARGS,
        // Every name leads to the one TLS of the machine, as its hosts file would have it.
        `--host-resolver-rules=MAP * 127.0.0.1:${front}`,
      ],
    },
  },
});
