/** Six journeys at one width, those that are tagged `@smoke` (tests/e2e). Runs on Node 20. */
import { join } from 'node:path';
import { ensureBrowser } from '../lib/browsers/browser.mjs';
import { playwrightCount } from '../lib/browsers/browser-stages.mjs';
import { drawPort } from '../lib/port.mjs';
import { root } from '../lib/prerequisites.mjs';
import { run } from '../lib/run.mjs';
import { tally } from '../lib/tally.mjs';

const LIMIT_MS = 300_000;
/** Time reserved for Playwright to end its browsers and its market and to write its result. */
const END_MS = 40_000;

/** Runs them in a separate market. Resolves to `{ passed, failed, skipped, failures }`. */
export async function runSmoke({ node, env, folder, isQuiet }) {
  const file = join(folder, 'playwright.json');
  const program = join(root, 'node_modules/@playwright/test/cli.js');
  const args = ['test', '--project', 'desktop', '--grep', '@smoke', '--reporter=list,json'];
  const end = await run(node, [program, ...args], {
    env: {
      ...env,
      BROWSER_PATH: await ensureBrowser(),
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      E2E_PORT: String(await drawPort()),
      E2E_DATA_DIR: join(folder, 'market'),
      E2E_RESULTS_DIR: join('test-results', 'smoke'),
      E2E_LIMIT_MS: String(LIMIT_MS - END_MS),
    },
    show: !isQuiet,
    timeoutMs: LIMIT_MS,
  });
  return { ...tally(file, playwrightCount, end), ...(isQuiet && { output: end.output }) };
}
