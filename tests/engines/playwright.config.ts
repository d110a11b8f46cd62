import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import journeys from '../../playwright.config.ts';

const root = join(import.meta.dirname, '../..');

/** Firefox and WebKit in a separate market; Playwright only runs the tests. `ENGINE_PROGRAMS` names what is installed (scripts/lib/browsers/engines.mjs). */
export default defineConfig({
  ...journeys,
  testDir: import.meta.dirname,
  outputDir: join(root, 'test-results/engines'),
  workers: 1,
  projects: [{ name: 'firefox' }, { name: 'webkit' }],
  ...(journeys.webServer && !Array.isArray(journeys.webServer) && { webServer: { ...journeys.webServer, cwd: root } }),
});
