/**
 * `npm test`: brings what a bare machine lacks, then runs every gate and every test. It prints the time of each stage; the last line is
 * `N passed, N failed`: tests of Vitest and Playwright, one for each gate and each attack script. Runs on Node 20,
 * without packages.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './lib/browser.mjs';
import { runChecks } from './lib/checks.mjs';
import { ensurePages, ensureServer } from './lib/built.mjs';
import { failureLines, playwrightFailures, vitestFailures } from './lib/failures.mjs';
import { ensurePackages, findNode, root } from './lib/prerequisites.mjs';
import { isPortFree } from './lib/port.mjs';
import { run } from './lib/run.mjs';
import { bold, main, PlainError, red, since } from './lib/output.mjs';

// Each limit is three times what its stage needs on a quiet machine of two fast cores, so that one three times slower ends by itself.
const QUICK_LIMIT_MS = 180_000;
const VITEST_LIMIT_MS = 1_800_000;
const INVARIANTS_LIMIT_MS = 2_400_000;
const CLUSTER_LIMIT_MS = 900_000;
const PLAYWRIGHT_LIMIT_MS = 3_000_000;
const ATTACKS_LIMIT_MS = 750_000;
const REHEARSE_LIMIT_MS = 720_000;
/** How tests/cluster/missing.ts ends where packages are missing. */
const LACKS_PACKAGES = 3;
/** What Playwright keeps of its limit to end its browsers and its market and to write its result. */
const PLAYWRIGHT_END_MS = 40_000;

const scratch = mkdtempSync(join(tmpdir(), 'youshi-test-run-'));

/**
 * Reads a test tool's result file. A tool that failed without naming a failed test (it crashed, found no tests, or ran
 * out of time) counts as one failure.
 */
function tally(file, count, { code, timedOut }) {
  let result = { passed: 0, failed: 0, failures: [] };
  try {
    result = count(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    console.log(red(timedOut ? '  时间到，已中断' : '  没有留下结果'));
    return { passed: 0, failed: 1 };
  }
  if (result.failed === 0 && (code !== 0 || result.passed === 0)) result.failed = 1;
  return result;
}

const vitestCount = (json) => ({
  passed: json.numPassedTests,
  failed: json.numFailedTests,
  failures: vitestFailures(json),
});

async function runVitest(node, env, projects, timeoutMs) {
  const file = join(scratch, `vitest-${projects.join('-')}.json`);
  const args = ['run', ...projects.flatMap((name) => ['--project', name])];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const end = await run(node, [program, ...args, ...reporters], { env, show: true, timeoutMs });
  return tally(file, vitestCount, end);
}

const given = new Set();

/** A port of this run's own, below the range that the kernel gives to outgoing connections. */
async function testPort() {
  for (;;) {
    const port = 31_000 + Math.floor(Math.random() * 1_000);
    if (given.has(port) || !(await isPortFree(port))) continue;
    given.add(port);
    return String(port);
  }
}

/** What Playwright's result file says; an error outside a test, as of a fixture's end, is a failure too. */
const journeysCount = (json) => ({
  passed: json.stats.expected,
  failed: json.stats.unexpected + json.stats.flaky + json.errors.length,
  failures: playwrightFailures(json),
});

/** The journeys of one screen width, in a market of their own. */
async function runJourneys(node, env, project) {
  const file = join(scratch, `playwright-${project}.json`);
  const program = join(root, 'node_modules/@playwright/test/cli.js');
  const end = await run(node, [program, 'test', '--project', project, '--reporter=list,json'], {
    env: {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      E2E_PORT: await testPort(),
      E2E_DATA_DIR: join(scratch, `market-${project}`),
      E2E_RESULTS_DIR: join('test-results', project),
      E2E_LIMIT_MS: String(PLAYWRIGHT_LIMIT_MS - PLAYWRIGHT_END_MS),
    },
    show: true,
    timeoutMs: PLAYWRIGHT_LIMIT_MS,
  });
  return tally(file, journeysCount, end);
}

/** The opening of a market from nothing, in production, with fakes of every vendor (tests/rehearse). */
async function runRehearsal(node, env) {
  await ensurePages(node);
  await ensureServer(node);
  const file = join(scratch, 'rehearse.json');
  const room = join(scratch, 'rehearse');
  mkdirSync(room);
  // Open to the user the database runs as when the tests run as root.
  for (const folder of [scratch, room]) chmodSync(folder, 0o755);
  const program = join(root, 'node_modules/@playwright/test/cli.js');
  const end = await run(
    node,
    [program, 'test', '--config', 'tests/rehearse/playwright.config.ts', '--reporter=list,json'],
    {
      env: {
        ...env,
        BROWSER_PATH: await ensureBrowser(),
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        REHEARSE_PORT: await testPort(),
        E2E_DATA_DIR: room,
        E2E_LIMIT_MS: String(REHEARSE_LIMIT_MS - PLAYWRIGHT_END_MS),
      },
      show: true,
      timeoutMs: REHEARSE_LIMIT_MS,
    },
  );
  return tally(file, journeysCount, end);
}

/** Both widths side by side: they share no people, no goods and no server. */
async function runPlaywright(node, env) {
  const browser = { ...env, BROWSER_PATH: await ensureBrowser() };
  const [desktop, phone] = await Promise.all(
    ['desktop', 'phone'].map(async (project) => await runJourneys(node, browser, project)),
  );
  return {
    passed: desktop.passed + phone.passed,
    failed: desktop.failed + phone.failed,
    failures: [desktop, phone].flatMap(({ failures = [] }) => failures),
  };
}

/** A market on several machines (tests/cluster), where Debian's packages for it are there; without them it prints which are missing and counts nothing. */
async function runCluster(node, env) {
  const { code, output } = await run(node, [join(root, 'tests/cluster/missing.ts')], {
    env,
    timeoutMs: QUICK_LIMIT_MS,
  });
  if (code === LACKS_PACKAGES) {
    const missing = output.trim();
    console.log(`  跳过：这台机器缺少 ${missing}（apt-get install ${missing}）`);
    return { passed: 0, failed: 0 };
  }
  return await runVitest(node, env, ['cluster'], CLUSTER_LIMIT_MS);
}

/** The black-box kit against a started market; without the kit it says so and counts nothing. With `isBeside` it answers what it had to say as `output`. */
async function runAttacks(node, env, isBeside) {
  const file = join(scratch, 'attacks.json');
  const args = [join(root, 'tests/attacks/run.mjs'), `--result=${file}`];
  const { timedOut, output } = await run(node, args, { env, show: !isBeside, timeoutMs: ATTACKS_LIMIT_MS });
  try {
    return { ...JSON.parse(readFileSync(file, 'utf8')), output };
  } catch {
    return { passed: 0, failed: 1, output: `${output}${red(timedOut ? '  时间到，已中断' : '  没有留下结果')}` };
  }
}

/**
 * The stages in their order. `npm test -- NAME …` runs the named ones alone; a stage `byName` is part of another one and runs only so. One that is
 * `beside` another runs at the same time when both run: the two wait more than they compute, and share nothing.
 */
const STAGES = [
  { name: 'check', title: '检查', work: async (node) => await runChecks(node) },
  {
    name: 'quick',
    title: '快速单元测试（不需数据库）',
    byName: true,
    work: async (node, env) => await runVitest(node, env, ['quick'], QUICK_LIMIT_MS),
  },
  {
    name: 'unit',
    title: '单元与接口测试',
    work: async (node, env) => await runVitest(node, env, ['quick', 'unit', 'http', 'http-mocks'], VITEST_LIMIT_MS),
  },
  {
    name: 'invariants',
    title: '不变量测试',
    work: async (node, env) => await runVitest(node, env, ['invariants'], INVARIANTS_LIMIT_MS),
  },
  { name: 'cluster', title: '多台机器', work: runCluster },
  {
    name: 'journeys',
    title: '浏览器测试',
    work: async (node, env) => {
      await ensurePages(node);
      await ensureServer(node);
      return await runPlaywright(node, env);
    },
  },
  { name: 'rehearse', title: '开业演练', work: runRehearsal },
  { name: 'attacks', title: '黑盒攻击', work: runAttacks, beside: 'rehearse' },
];

/**
 * Runs one stage and says how it went and how long it took; whatever goes wrong in it is one failure, and the next stage still runs. With
 * `isBeside` it prints nothing: `printed` says all of it when the other stage has ended.
 */
async function runStage({ title, work }, node, env, isBeside = false) {
  const begin = performance.now();
  const heading = bold(`\n${title}`);
  if (!isBeside) console.log(heading);
  let result = { passed: 0, failed: 1 };
  try {
    result = await work(node, env, isBeside);
  } catch (error) {
    result.output = red(`  ✗ ${error.message}`);
  }
  const output = result.output?.trimEnd() ?? '';
  if (!isBeside && output !== '') console.log(output);
  const line = `  ${title}：${since(begin)}，通过 ${result.passed}，失败 ${result.failed}`;
  return { ...result, line, printed: isBeside ? `${heading}\n${output}` : '' };
}

/** Runs a stage together with the one beside it, which is told of after it. */
async function runTogether(stage, other, node, env) {
  const [first, second] = await Promise.all([runStage(stage, node, env), runStage(other, node, env, true)]);
  console.log(second.printed);
  return [first, second];
}

await main(async () => {
  const begin = performance.now();
  process.chdir(root);
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown !== undefined)
    throw new PlainError(`没有「${unknown}」这一项，可选：${STAGES.map((s) => s.name).join(' ')}`);
  console.log(bold('\n准备'));
  await ensurePackages({ tests: true });
  const node = findNode();
  const env = { PATH: `${join(node, '..')}:${process.env.PATH}` };

  const results = [];
  const isWanted = ({ name, byName }) => (names.length === 0 ? byName !== true : names.includes(name));
  const wanted = STAGES.filter(isWanted);
  const isBesideOne = ({ beside }) => wanted.some(({ name }) => name === beside);
  for (const stage of wanted.filter((one) => !isBesideOne(one))) {
    const other = wanted.find(({ beside }) => beside === stage.name);
    if (other) results.push(...(await runTogether(stage, other, node, env)));
    else results.push(await runStage(stage, node, env));
  }

  rmSync(scratch, { recursive: true, force: true });
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  for (const line of failureLines(results.flatMap(({ failures = [] }) => failures))) console.log(line);
  console.log(`\n${results.map(({ line }) => line).join('\n')}\n用时 ${since(begin)}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});
