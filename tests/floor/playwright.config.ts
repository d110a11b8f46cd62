import { join } from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import journeys from '../../playwright.config.ts';

const root = join(import.meta.dirname, '../..');

/** The oldest supported browser in a separate market: `BROWSER_PATH` names it (scripts/lib/browsers/old-browser.mjs). */
export default defineConfig({
  ...journeys,
  testDir: import.meta.dirname,
  outputDir: join(root, 'test-results/floor'),
  projects: [
    {
      name: 'desktop',
      testMatch: 'pages.spec.ts',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'phone',
      testMatch: /(purchase|slow-line)\.spec\.ts/,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
  ...(journeys.webServer && !Array.isArray(journeys.webServer) && { webServer: { ...journeys.webServer, cwd: root } }),
});
