/** A run of tests that cannot begin names what is missing; one that is interrupted leaves nothing behind; and its last line never lies. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const module = (name: string): string => pathToFileURL(join(process.cwd(), 'scripts', name)).href;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'youshi-lanes-'));
  mkdirSync(join(folder, 'tmp'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that runs its own stages, as scripts/test.mjs runs those of the project. */
function writeDriver(stages: string, neededBytes = 1): string {
  const file = join(folder, 'driver.mjs');
  writeFileSync(
    file,
    `import { openSession } from ${JSON.stringify(module('lib/session.mjs'))};
    import { main } from ${JSON.stringify(module('lib/output.mjs'))};
    import { run } from ${JSON.stringify(module('lib/run.mjs'))};
    import { runStages } from ${JSON.stringify(module('test/runner.mjs'))};
    import { isSuccess, reportLines } from ${JSON.stringify(module('test/report.mjs'))};
    const sh = (script, env) => run('sh', ['-c', script], { env });
    await main(async () => {
      const session = await openSession({ command: 'driver', lockFile: ${JSON.stringify(join(folder, 'lock'))}, neededBytes: ${neededBytes} });
      try {
        const results = await runStages(${stages}, { env: {}, folder: session.folder });
        for (const line of reportLines(results, { seconds: 1, seeds: 'TEST_SEED=7' })) console.log(line);
        return isSuccess(results) ? 0 : 1;
      } finally {
        await session.close();
      }
    });`,
  );
  return file;
}

const env = (): NodeJS.ProcessEnv => ({ ...process.env, TMPDIR: join(folder, 'tmp') });
const runDriver = (stages: string, neededBytes?: number) =>
  spawnSync(process.execPath, [writeDriver(stages, neededBytes)], { env: env(), encoding: 'utf8' });
const lastLines = (text: string, count: number): string[] => text.trim().split('\n').slice(-count);

/** Numbers of the processes that this test's driver has started and that still run. */
const leftOver = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${join(folder, 'tmp')}`);
    } catch {
      return false;
    }
  });

/** Ends before the shell's own child does: a process without a parent that has a separate group. */
const ORPHAN = `{ name: 'orphan', title: 'Orphan', work: async ({ env }) => {
  await sh('setsid sleep 600 > /dev/null 2>&1 & echo $! > "$TMPDIR/pid"; echo started > ' + ${JSON.stringify('$MARK')} + '; sleep 600', env);
  return { passed: 1, failed: 0 };
} }`;

async function startOrphan(): Promise<ChildProcess> {
  const mark = join(folder, 'mark');
  const child = spawn(process.execPath, [writeDriver(`[${ORPHAN}]`)], {
    env: { ...env(), MARK: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (let i = 0; i < 2_400 && !existsSync(mark); i += 1) await sleep(50);
  expect(existsSync(mark)).toBe(true);
  return child;
}

test('the last line has the sums, and a skipped stage has its reason before it', () => {
  const { stdout, status } = runDriver(`[
    { name: 'one', title: 'One', work: async () => ({ passed: 3, failed: 0, skipped: 2 }) },
    { name: 'two', title: 'Two', work: async () => ({ passed: 0, failed: 0, skips: ['no machine'] }) },
    { name: 'three', title: 'Three', work: async () => ({ passed: 0, failed: 0, output: 'the kit is missing' }) },
  ]`);
  expect(lastLines(stdout, 3)).toEqual([
    '  skipped two: no machine',
    '  skipped three: the kit is missing',
    '3 passed, 0 failed, 4 skipped',
  ]);
  expect(status).toBe(0);
});

test('a stage that throws fails the run and the next one still runs; the failure names the seed', () => {
  const { stdout, status } = runDriver(`[
    { name: 'one', title: 'One', group: 'g', work: async () => { throw new Error('no browser here') } },
    { name: 'two', title: 'Two', group: 'g', work: async () => ({ passed: 1, failed: 0, output: 'beside it' }) },
  ]`);
  // The end is what is kept of a long output: it names each failed test once more.
  expect(lastLines(stdout, 2)[0]).toMatch(/^ {2}failed one: /);
  expect(lastLines(stdout, 1)).toEqual(['1 passed, 1 failed, 0 skipped']);
  expect(stdout).toContain('no browser here');
  expect(stdout).toContain('beside it');
  expect(stdout).toContain('the same choices again: TEST_SEED=7 npm test');
  expect(status).toBe(1);
});

test('a run in which nothing passed is no success', () => {
  const { stdout, status } = runDriver(
    `[{ name: 'one', title: 'One', work: async () => ({ passed: 0, failed: 0, skips: ['no'] }) }]`,
  );
  expect(lastLines(stdout, 1)).toEqual(['0 passed, 0 failed, 1 skipped']);
  expect(status).toBe(1);
});

test('an interrupted run ends with 130 without a result and leaves no process, folder or lock', async () => {
  const child = await startOrphan();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()));
  const code = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGINT');
  expect(await code).toBe(130);
  expect(output).toContain('Interrupted');
  expect(output).not.toMatch(/\d+ passed/);
  expect(leftOver()).toEqual([]);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  expect(existsSync(join(folder, 'lock'))).toBe(false);
});

test('a second run in a checkout names the first; what a killed run left is removed by the next', async () => {
  const first = await startOrphan();
  const second = runDriver('[]');
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(`process ${first.pid} (driver)`);
  const gone = new Promise((resolve) => first.once('exit', resolve));
  first.kill('SIGKILL');
  await gone;
  expect(leftOver().length).toBeGreaterThan(0);
  const third = runDriver(`[{ name: 'one', title: 'One', work: async () => ({ passed: 1, failed: 0 }) }]`);
  expect(third.status).toBe(0);
  expect(leftOver()).toEqual([]);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});

test('a run without disk space names the folder and what it needs', () => {
  const { stderr, status } = runDriver('[]', 1e18);
  expect(stderr).toMatch(/Not enough disk space in .+: \d+\.\d GB free, 1000000000\.0 GB needed/);
  expect(status).toBe(1);
  expect(existsSync(join(folder, 'lock'))).toBe(false);
});

test('a browser that is missing is named with how to get one', () => {
  const script = `const { ensureBrowser } = await import(${JSON.stringify(module('lib/browsers/browser.mjs'))}); await ensureBrowser();`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: '/nowhere', BROWSER_PATH: join(folder, 'no-browser') },
    encoding: 'utf8',
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain('BROWSER_PATH');
});

test('a file that is written into the source tree is named, even when it is removed at once; an ignored one is not', async () => {
  const { watchTree } = (await import(module('test/clean-tree.mjs'))) as {
    watchTree: (cwd: string) => (() => string[]) | undefined;
  };
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  mkdirSync(join(folder, 'web/lib'), { recursive: true });
  writeFileSync(join(folder, 'web/lib/a.ts'), 'export const a = 1;\n');
  writeFileSync(join(folder, '.gitignore'), 'build/\ntmp/\n');
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'first');
  await sleep(20);
  const end = watchTree(folder);
  expect(end).toBeDefined();
  mkdirSync(join(folder, 'build'));
  const planted = mkdtempSync(join(folder, 'web/planted-'));
  await sleep(50);
  rmSync(planted, { recursive: true });
  writeFileSync(join(folder, 'web/lib/a.ts'), 'export const a = 2;\n');
  await sleep(200);
  expect(end?.()).toEqual(['web/lib/a.ts', planted.slice(folder.length + 1)]);
});
