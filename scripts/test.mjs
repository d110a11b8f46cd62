/**
 * `npm test`: brings what a bare machine lacks, then runs every gate and every test. The last line it prints is
 * `N passed, N failed`: tests of Vitest and Playwright, one for each gate and each attack script. Runs on Node 20,
 * without packages.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './lib/browser.mjs';
import { runChecks } from './lib/checks.mjs';
import { ensurePackages, ensurePages, findNode, root } from './lib/ground.mjs';
import { isPortFree } from './lib/port.mjs';
import { run } from './lib/run.mjs';
import { bold, main, red, since } from './lib/say.mjs';

const VITEST_LIMIT_MS = 900_000;
const INVARIANTS_LIMIT_MS = 900_000;
const PLAYWRIGHT_LIMIT_MS = 900_000;
const ATTACKS_LIMIT_MS = 400_000;

const scratch = mkdtempSync(join(tmpdir(), 'youshi-test-run-'));

/**
 * Reads a test tool's result file. A tool that failed without naming a failed test (it crashed, found no tests, or ran
 * out of time) counts as one failure.
 */
function tally(file, count, { code, timedOut }) {
  let result = { passed: 0, failed: 0 };
  try {
    result = count(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    console.log(red(timedOut ? '  时间到，已中断' : '  没有留下结果'));
    return { passed: 0, failed: 1 };
  }
  if (result.failed === 0 && (code !== 0 || result.passed === 0)) result.failed = 1;
  return result;
}

async function runVitest(node, env, projects, timeoutMs) {
  const file = join(scratch, `vitest-${projects.join('-')}.json`);
  const args = ['run', ...projects.flatMap((name) => ['--project', name])];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const end = await run(node, [program, ...args, ...reporters], { env, show: true, timeoutMs });
  return tally(file, (json) => ({ passed: json.numPassedTests, failed: json.numFailedTests }), end);
}

/** A port of this run's own, below the range that the kernel gives to outgoing connections. */
async function testPort() {
  for (;;) {
    const port = 31_000 + Math.floor(Math.random() * 1_000);
    if (await isPortFree(port)) return String(port);
  }
}

async function runPlaywright(node, env) {
  const file = join(scratch, 'playwright.json');
  const end = await run(node, [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=list,json'], {
    env: {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      BROWSER_PATH: await ensureBrowser(),
      E2E_PORT: await testPort(),
    },
    show: true,
    timeoutMs: PLAYWRIGHT_LIMIT_MS,
  });
  const count = ({ stats, errors }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
  });
  return tally(file, count, end);
}

/** The black-box kit against a started market; where the kit is not there, it says so and nothing is counted. */
async function runAttacks(node, env) {
  const file = join(scratch, 'attacks.json');
  const args = [join(root, 'tests/attacks/run.mjs'), `--result=${file}`];
  const { timedOut } = await run(node, args, { env, show: true, timeoutMs: ATTACKS_LIMIT_MS });
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.log(red(timedOut ? '  时间到，已中断' : '  没有留下结果'));
    return { passed: 0, failed: 1 };
  }
}

/** Runs one stage; whatever goes wrong in it is one failure, and the next stage still runs. */
async function stage(title, work) {
  console.log(bold(`\n${title}`));
  try {
    return await work();
  } catch (error) {
    console.log(red(`  ✗ ${error.message}`));
    return { passed: 0, failed: 1 };
  }
}

await main(async () => {
  const begin = performance.now();
  process.chdir(root);
  console.log(bold('\n准备'));
  await ensurePackages();
  const node = findNode();
  const env = { PATH: `${join(node, '..')}:${process.env.PATH}` };

  const results = [await stage('检查', async () => await runChecks(node))];
  results.push(
    await stage('单元与接口测试', async () => await runVitest(node, env, ['unit', 'http'], VITEST_LIMIT_MS)),
    await stage('不变量测试', async () => await runVitest(node, env, ['invariants'], INVARIANTS_LIMIT_MS)),
    await stage('浏览器测试', async () => {
      await ensurePages(node);
      return await runPlaywright(node, env);
    }),
    await stage('黑盒攻击', async () => await runAttacks(node, env)),
  );

  rmSync(scratch, { recursive: true, force: true });
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\n用时 ${since(begin)}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});
