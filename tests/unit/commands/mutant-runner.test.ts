/** The mutation tests: their test runner (tests/mutants/node-runner.ts), in a separate process as Stryker starts it, and their list. */
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareSurvivors, updatedList } from '../../../scripts/lib/mutants.ts';

/** Fails with only mutant 7. */
const FIXTURE = `import { test } from 'vitest';
test('rule', () => {
  if (globalThis.__stryker__.activeMutant === '7') throw new Error('found');
});
`;

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'youshi-runner-')));
  writeFileSync(join(folder, 'rule.test.mjs'), FIXTURE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The result of a mutant in a process that has made no dry run. */
async function runMutant(id: string, wantedTest: string): Promise<Record<string, unknown>> {
  const runner = pathToFileURL(resolve('tests/mutants/node-runner.ts')).href;
  const run = {
    testFilter: [wantedTest],
    activeMutant: { id },
    sandboxFileName: 'rule.mjs',
    mutantActivation: 'runtime',
  };
  const script = `
    const { strykerPlugins } = await import(${JSON.stringify(runner)});
    const one = strykerPlugins[0].factory();
    await one.init();
    console.log(JSON.stringify(await one.mutantRun(${JSON.stringify(run)})));`;
  const env = { ...process.env, MUTANT_TESTS: JSON.stringify({ 'rule.mjs': ['rule.test.mjs'] }) };
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  return JSON.parse(stdout) as Record<string, unknown>;
}

test('a process that made no dry run finds mutants as well', async () => {
  expect(await runMutant('7', 'rule.test.mjs#0 rule')).toMatchObject({ status: 'killed', failureMessage: 'found' });
  expect(await runMutant('8', 'rule.test.mjs#0 rule')).toMatchObject({ status: 'survived' });
});

test('a mutant whose tests are not loaded is an error, not a survivor', async () => {
  expect(await runMutant('7', 'rule.test.mjs#1 other')).toMatchObject({ status: 'error' });
});

test('a list that is written anew has each new survivor once without a reason, and none that was killed', () => {
  const entry = (file: string, mutant: string, reason: string) => ({ file, code: 'a < b', mutant, reason });
  const [kept, killed] = [entry('b.ts', 'a <= b', 'Equivalent.'), entry('b.ts', 'a > b', 'Only slower.')];
  const found = { file: 'a.ts', code: 'a < b', mutant: 'true', line: 3 };
  expect(updatedList([kept, killed], { unlisted: [found, { ...found, line: 9 }], stale: [killed] })).toEqual([
    entry('a.ts', 'true', ''),
    kept,
  ]);
});

test('a listed survivor is stale when a test killed it or it is gone, not when it ran out of time', () => {
  const mutants = [
    ['Survived', 'true'],
    ['Killed', 'false'],
    ['Timeout', 'a <= b'],
    ['NoCoverage', 'a > b'],
  ].map(([status = '', replacement = '']) => ({
    mutatorName: 'Any',
    status,
    replacement,
    location: { start: { line: 1, column: 1 }, end: { line: 1, column: 6 } },
  }));
  const listed = ['true', 'false', 'a <= b', 'a >= b'].map((mutant) => ({
    file: 'a.ts',
    code: 'a < b',
    mutant,
    reason: 'Only slower.',
  }));
  const { unlisted, stale } = compareSurvivors({ files: { 'a.ts': { source: 'a < b', mutants } } }, listed);
  expect(unlisted).toEqual([{ file: 'a.ts', line: 1, code: 'a < b', mutant: 'a > b' }]);
  expect(stale.map(({ mutant }) => mutant)).toEqual(['false', 'a >= b']);
});
