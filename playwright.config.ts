import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { isAt, LOOKED_AT_ONCE } from './tests/e2e/widths.ts';
import { BROWSER_ARGS } from './tests/support/servers/browser-args.ts';

// Playwright reads this file again in every worker; the first reading decides for all of them.
if (process.env.E2E_PORT === undefined) {
  const { drawPort } = (await import(new URL('scripts/lib/port.mjs', import.meta.url).href)) as {
    drawPort: () => Promise<number>;
  };
  process.env.E2E_PORT = String(await drawPort());
}
process.env.E2E_DATA_DIR ??= join(tmpdir(), `youshi-e2e-${process.pid}`);

const port = process.env.E2E_PORT;

/** Journeys through the real server, in one separate demo market. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: process.env.E2E_RESULTS_DIR ?? 'test-results',
  fullyParallel: false,
  // Four gain nothing on two cores (decision 656).
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // The longest journey needs a minute and a half beside one other, on a quiet machine; a step that hangs is ended by its own limit before.
  timeout: 450_000,
  globalTimeout: Number(process.env.E2E_LIMIT_MS ?? 0),
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${port}`,
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    screenshot: 'only-on-failure',
    // Recording costs a tenth of the processor time: only the second run of a failed test does it (scripts/lib/browsers/browser-stages.mjs).
    trace: { mode: process.env.E2E_TRACE === '1' ? 'retain-on-failure' : 'off', screenshots: false },
    launchOptions: {
      executablePath: process.env.BROWSER_PATH ?? '/usr/bin/chromium',
      args: [...BROWSER_ARGS],
    },
  },
  projects: [
    {
      name: 'once',
      testMatch: LOOKED_AT_ONCE,
      fullyParallel: true,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'desktop',
      testMatch: isAt('desktop'),
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'phone',
      testMatch: isAt('phone'),
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
  // A market that runs already, for one test at a time while it is written.
  ...(process.env.E2E_RUNNING !== '1' && {
    webServer: {
      command: 'node scripts/e2e-server.mjs',
      url: `http://127.0.0.1:${port}/readyz`,
      timeout: 400_000,
      reuseExistingServer: false,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
      stdout: 'ignore',
      stderr: 'pipe',
    },
  }),
});
