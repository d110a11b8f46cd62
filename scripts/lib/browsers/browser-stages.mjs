/** The stages of `npm test` that need a browser or a started market. Each resolves to `{ passed, failed, skipped, failures }`. Runs on Node 20. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { findOldBrowser } from './old-browser.mjs';
import { findEngine } from './engines.mjs';
import { ensurePages, ensureServer } from '../built.mjs';
import { playwrightFailures } from '../failures.mjs';
import { red } from '../output.mjs';
import { drawPort } from '../port.mjs';
import { root } from '../prerequisites.mjs';
import { run } from '../run.mjs';
import { tally } from '../tally.mjs';

// Each limit is three times what its stage needs on an idle machine with two fast cores, next to its group, so that a stage three times
// slower still ends by itself.
const PLAYWRIGHT_LIMIT_MS = 3_000_000;
const ATTACKS_LIMIT_MS = 900_000;
const REHEARSE_LIMIT_MS = 720_000;
const FLOOR_LIMIT_MS = 600_000;
const TRIAL_LIMIT_MS = 900_000;
const ENGINE_LIMIT_MS = 1_500_000;
/** The part of its limit that Playwright reserves to end its browsers and its market and to write its result. */
const PLAYWRIGHT_END_MS = 40_000;

/** More failures than this have one cause that a trace of each does not show. */
const MAX_DIAGNOSED = 10;

const playwright = join(root, 'node_modules/@playwright/test/cli.js');
/** Runs `work` with a folder that is removed afterwards. It is readable for the user the database runs as when the tests run as root. */
async function withScratch(work) {
  const scratch = mkdtempSync(join(tmpdir(), 'youshi-browser-'));
  chmodSync(scratch, 0o755);
  try {
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The content of Playwright's result file; an error outside a test, such as at a fixture's end, is a failure too. */
export const playwrightCount = (json) => ({
  passed: json.stats.expected,
  failed: json.stats.unexpected + json.stats.flaky + json.errors.length,
  skipped: json.stats.skipped,
  failures: playwrightFailures(json),
});

/** One run of Playwright in a separate market. Resolves to what its result file says, with `file`, and with `isQuiet` what it had to say as `output`. */
async function runJourneys(node, env, { scratch, name, args = [], settings = {}, isQuiet = false }) {
  const file = join(scratch, `${name}.json`);
  const end = await run(node, [playwright, 'test', '--reporter=list,json', ...args], {
    env: {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      E2E_PORT: String(await drawPort()),
      E2E_DATA_DIR: join(scratch, name),
      E2E_LIMIT_MS: String(PLAYWRIGHT_LIMIT_MS - PLAYWRIGHT_END_MS),
      ...settings,
    },
    show: !isQuiet,
    timeoutMs: PLAYWRIGHT_LIMIT_MS,
  });
  return { ...tally(file, playwrightCount, end), file, timedOut: end.timedOut, ...(isQuiet && { output: end.output }) };
}

/**
 * Runs failed tests once more, with a trace in test-results. A test that passes now still counts as failed; its message says that it is
 * not stable.
 */
async function diagnose(node, env, scratch, first) {
  console.log(
    `\n  ${first.failed} failed; running them again with traces to find the cause. A pass on the second run still counts as a failure`,
  );
  const args = ['--last-failed'];
  const again = await runJourneys(node, env, { scratch, name: 'again', args, settings: { E2E_TRACE: '1' } });
  const still = new Set((again.failures ?? []).map(({ name }) => name));
  return first.failures.map(({ name, message }) => ({
    name: still.has(name) ? name : `${name} (passed on the second run: unstable)`,
    message,
  }));
}

/**
 * The crawl and the journeys. In the environment, `E2E_GREP` selects tests by their titles and tags, as `@smoke`; tests that fail run a second
 * time with a trace.
 */
export async function runPlaywright(node, env) {
  await ensurePages(node);
  await ensureServer(node);
  const browser = { ...env, BROWSER_PATH: await ensureBrowser() };
  const grep = env.E2E_GREP ?? process.env.E2E_GREP;
  const args = grep ? ['--grep', grep] : [];
  return await withScratch(async (scratch) => {
    const first = await runJourneys(node, browser, { scratch, name: 'market', args });
    const { passed, failed, skipped = 0, failures = [], timedOut } = first;
    const mayRunAgain = failures.length > 0 && failures.length <= MAX_DIAGNOSED && !timedOut;
    const named = mayRunAgain ? await diagnose(node, browser, scratch, first) : failures;
    return { passed, failed, skipped, failures: named };
  });
}

/** Pages and one purchase in the oldest supported browser (tests/floor), skipped with the reason where that cannot run. */
export async function runFloor(node, env, isQuiet) {
  const { path, lack } = await findOldBrowser();
  if (path === undefined) return { passed: 0, failed: 0, skips: [lack] };
  await ensurePages(node);
  await ensureServer(node);
  return await withScratch(async (scratch) => {
    const args = ['--config', 'tests/floor/playwright.config.ts'];
    const settings = { BROWSER_PATH: path, E2E_LIMIT_MS: String(FLOOR_LIMIT_MS - PLAYWRIGHT_END_MS) };
    return await runJourneys(node, env, { scratch, name: 'floor', args, settings, isQuiet });
  });
}

/** All journeys in the oldest supported browser. */
export async function runOldJourneys(node, env) {
  const { path, lack } = await findOldBrowser();
  if (path === undefined) return { passed: 0, failed: 0, skips: [lack] };
  await ensurePages(node);
  await ensureServer(node);
  return await withScratch(
    async (scratch) => await runJourneys(node, env, { scratch, name: 'old', settings: { BROWSER_PATH: path } }),
  );
}

/** Pages and actions in `firefox` or `webkit` (tests/engines), skipped with the reason if that is not installed. */
export async function runEngine(node, env, name) {
  const { programs, lack } = findEngine(name);
  if (programs === undefined) return { passed: 0, failed: 0, skips: [lack] };
  await ensurePages(node);
  await ensureServer(node);
  return await withScratch(async (scratch) => {
    const args = ['--config', 'tests/engines/playwright.config.ts', '--project', name];
    return await runJourneys(node, env, {
      scratch,
      name,
      args,
      settings: {
        ENGINE_PROGRAMS: JSON.stringify({ ...programs, port: await drawPort() }),
        E2E_LIMIT_MS: String(ENGINE_LIMIT_MS - PLAYWRIGHT_END_MS),
      },
    });
  });
}

/** A trial market from its printed address to the first payout (tests/trial). */
export async function runTrial(node, env) {
  await ensurePages(node);
  await ensureServer(node);
  const settings = {
    BROWSER_PATH: await ensureBrowser(),
    E2E_LIMIT_MS: String(TRIAL_LIMIT_MS - PLAYWRIGHT_END_MS),
  };
  return await withScratch(async (scratch) => {
    const args = ['--config', 'tests/trial/playwright.config.ts'];
    return await runJourneys(node, env, { scratch, name: 'trial', args, settings });
  });
}

/** The opening of a market from nothing, in production, with fakes of every vendor (tests/rehearse). */
export async function runRehearsal(node, env) {
  await ensurePages(node);
  await ensureServer(node);
  return await withScratch(async (scratch) => {
    const file = join(scratch, 'rehearse.json');
    const room = join(scratch, 'rehearse');
    mkdirSync(room, { mode: 0o755 });
    const end = await run(
      node,
      [playwright, 'test', '--config', 'tests/rehearse/playwright.config.ts', '--reporter=list,json'],
      {
        env: {
          ...env,
          BROWSER_PATH: await ensureBrowser(),
          PLAYWRIGHT_JSON_OUTPUT_FILE: file,
          REHEARSE_PORT: String(await drawPort(5)),
          E2E_DATA_DIR: room,
          E2E_LIMIT_MS: String(REHEARSE_LIMIT_MS - PLAYWRIGHT_END_MS),
        },
        show: true,
        timeoutMs: REHEARSE_LIMIT_MS,
      },
    );
    return tally(file, playwrightCount, end);
  });
}

/** The black-box kit against a started market; without the kit it says so and counts nothing. With `isBeside` it returns its output as `output`. */
export async function runAttacks(node, env, isBeside) {
  return await withScratch(async (scratch) => {
    const file = join(scratch, 'attacks.json');
    const args = [join(root, 'tests/attacks/run.mjs'), `--result=${file}`];
    const { timedOut, output } = await run(node, args, { env, show: !isBeside, timeoutMs: ATTACKS_LIMIT_MS });
    try {
      return { skipped: 0, failures: [], ...JSON.parse(readFileSync(file, 'utf8')), output };
    } catch {
      const lack = red(timedOut ? '  out of time, stopped' : '  left no result');
      return { passed: 0, failed: 1, skipped: 0, failures: [], output: `${output}${lack}` };
    }
  });
}
