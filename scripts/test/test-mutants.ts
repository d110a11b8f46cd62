/**
 * `npm run test:mutants`: mutation tests of the rules by Stryker. Each rule is changed in one place at a time, and the unit tests that import
 * it must fail. `npm run test:mutants -- contract/rules/fee.ts …` checks single files. `MUTANT_CONCURRENCY=1` uses one process instead of two.
 *
 * Fails on a survivor that tests/mutants/survivors.json does not list or lists without a reason, on a listed one that a test killed or that no
 * longer exists, and (without file names) on a score under 90 %. Prints a table by file. `--list` also writes the list anew: it adds the survivors
 * with an empty reason, to be written, and removes those that were killed or no longer exist.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findNode, root } from '../lib/prerequisites.mjs';
import { main, PlainError } from '../lib/output.mjs';
import { runUntilEnd } from '../lib/run.mjs';
import { compareSurvivors, type ListedSurvivor, type MutantReport, scoreOf, updatedList } from '../lib/mutants.ts';

type Runner = 'node' | 'vitest';
type TestsByFile = ReadonlyMap<string, string[]>;

const MIN_PERCENT = 90;
/** A name without the results of before the runner's processes all loaded the tests. */
const CACHE = 'node_modules/.cache/mutants-2';
const LIST = 'tests/mutants/survivors.json';

/** The rules, the pure modules that compute money, and the web logic that has unit tests and needs neither React nor a page. */
const RULES = [
  'contract/rules/**/*.ts',
  'subjects/*/rules/**/*.ts',
  'subjects/*/server/**/rules.ts',
  'subjects/orders/server/postings.ts',
  'subjects/orders/server/money-parts.ts',
  'subjects/orders/server/placing/pricing.ts',
  'subjects/quick-coin/server/match.ts',
];
const WEB = ['web/lib/**/*.ts', 'web/parts/**/*.ts', 'subjects/*/web/parts/**/*.ts'];
const TESTS = ['{contract,server,subjects,web}/**/*.test.{ts,tsx}', 'tests/unit/**/*.test.{ts,tsx}'];
/** Matches web logic that depends on a page or a framework. */
const FRAMEWORK = /from '(?:react|react-dom|react-router)['/]|\b(?:document|window|WebSocket)\./;

const filesOf = (patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).filter((file) => !file.includes('node_modules'));
/** Tests that say nothing about the rules they import: they wait for limits of time, measure expressions, or need a build or files that are not copied. */
const NOT_OF_RULES = [
  'remote-pictures',
  'regular-expressions',
  'clock-boundaries',
  'client-build',
  'server-build',
  'lint-rules',
  'spec',
].flatMap((name) => globSync(`tests/unit/*/${name}.test.ts`, { cwd: root }));
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The project's files that a file's text imports, as paths from the root. */
function importsIn(text: string, file: string): string[] {
  return [...text.matchAll(/from '([#.][^']+)'/g)].map(([, name = '']) =>
    name.startsWith('#') ? name.slice(1) : join(dirname(file), name),
  );
}
const importsOf = (file: string): string[] => importsIn(textOf(file), file);

/** Test files by the file that they import. */
function testsByFile(): Map<string, string[]> {
  const tests = new Map<string, string[]>();
  for (const test of filesOf(TESTS).filter((file) => !NOT_OF_RULES.includes(file)))
    for (const file of importsOf(test)) tests.set(file, [...(tests.get(file) ?? []), test]);
  return tests;
}

/** Every file in scope. */
function everyFile(tests: TestsByFile): string[] {
  const rules = filesOf(RULES).filter((file) => !isTest(file));
  const web = filesOf(WEB).filter((file) => !isTest(file) && tests.has(file) && !FRAMEWORK.test(textOf(file)));
  return [...rules, ...web].toSorted();
}

/** The files of this run: those named, else all. */
function wantedFiles(every: readonly string[], names: readonly string[]): string[] {
  if (names.length === 0) return [...every];
  return names.flatMap((name) => {
    const matches = every.filter((file) => file === name || file.startsWith(`${name.replace(/\/$/, '')}/`));
    if (matches.length === 0) throw new PlainError(`“${name}” is not covered by the mutation tests`);
    return matches;
  });
}

/** The imports that are left when types are removed. */
const loadedBy = (file: string): string[] => importsIn(textOf(file).replaceAll(/\bimport type [^;]*;/g, ''), file);

/** Whether a file imports JSX, itself or through other files. */
function reachesJsx(file: string, seen = new Set<string>()): boolean {
  if (file.endsWith('.tsx')) return true;
  if (seen.has(file) || !file.endsWith('.ts')) return false;
  seen.add(file);
  return loadedBy(file).some((one) => reachesJsx(one, seen));
}

/** Whether a test file needs Vitest's own process: for modules in the place of others, or for JSX. */
const needsVitest = (test: string): boolean =>
  /\bvi\.(?:mock|doMock|hoisted|resetModules|import)/.test(textOf(test)) || reachesJsx(test);

/** Runs Stryker over some files with one of its two runners. `force` forgets the results of an earlier run. */
async function runStryker(
  runner: Runner,
  files: readonly string[],
  tests: TestsByFile,
  force: boolean,
): Promise<MutantReport> {
  const program = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const concurrency = process.env.MUTANT_CONCURRENCY ?? '2';
  const args = ['run', 'tests/mutants/stryker.config.mjs', '--mutate', files.join(','), '--concurrency', concurrency];
  if (force) args.push('--force');
  const code = await runUntilEnd(findNode(), [program, ...args], {
    MUTANT_RUNNER: runner,
    MUTANT_TESTS: JSON.stringify(Object.fromEntries(files.map((file) => [file, tests.get(file) ?? []]))),
    MUTANT_CACHE: `${CACHE}/${runner}`,
    TZ: 'UTC',
    NODE_ENV: 'test',
  });
  if (code !== 0) throw new PlainError(`Stryker (${runner}) did not finish, exit code ${code}`);
  return JSON.parse(textOf(`${CACHE}/${runner}/report.json`));
}

/** The mutants of all files: in one process by the tests that can run there, and the rest by Vitest. */
async function loadReport(files: readonly string[], tests: TestsByFile, force: boolean): Promise<MutantReport> {
  const plainTests = new Map(files.map((file) => [file, (tests.get(file) ?? []).filter((test) => !needsVitest(test))]));
  const isForVitest = (file: string): boolean => {
    const own = file.replace(/\.ts$/, '.test.ts');
    return (tests.get(file) ?? []).some((test) => (test === own || !plainTests.get(file)?.length) && needsVitest(test));
  };
  const [forVitest, forNode] = [files.filter(isForVitest), files.filter((file) => !isForVitest(file))];
  const report: MutantReport = { files: {} };
  if (forNode.length > 0) Object.assign(report.files, (await runStryker('node', forNode, plainTests, force)).files);
  if (forVitest.length > 0) Object.assign(report.files, (await runStryker('vitest', forVitest, tests, force)).files);
  // Stryker's report keeps the files of earlier runs.
  return { files: Object.fromEntries(Object.entries(report.files).filter(([file]) => files.includes(file))) };
}

/** Prints one line for each file, worst first, and the whole score. */
function printScores(report: MutantReport): number {
  const rows = Object.entries(report.files).map(([file, { mutants }]) => ({ file, ...scoreOf(mutants) }));
  for (const { file, killed, total, percent } of rows.toSorted((a, b) => a.percent - b.percent))
    if (total > 0) console.log(`${percent.toFixed(1).padStart(6)} % ${`${killed}/${total}`.padStart(9)}  ${file}`);
  const all = scoreOf(Object.values(report.files).flatMap(({ mutants }) => mutants));
  console.log(`${all.percent.toFixed(1).padStart(6)} % ${`${all.killed}/${all.total}`.padStart(9)}  total`);
  return all.percent;
}

await main(async () => {
  process.chdir(root);
  const names = process.argv.slice(2).filter((name) => name !== '--list');
  const tests = testsByFile();
  const files = wantedFiles(everyFile(tests), names);
  // Of constants of a module Stryker does not see that a changed test may kill their mutants now: single files are measured anew.
  const report = await loadReport(files, tests, names.length > 0);
  const listed: ListedSurvivor[] = JSON.parse(textOf(LIST));
  const percent = printScores(report);
  const unrun = Object.values(report.files).flatMap(({ mutants }) =>
    mutants.filter(({ statusReason }) => statusReason?.startsWith('no test of mutant') === true),
  );
  if (unrun.length > 0) throw new PlainError(`${unrun.length} mutants ran without tests, so the score is not valid`);
  const listedHere = listed.filter(({ file }) => files.includes(file));
  const { unlisted, stale } = compareSurvivors(report, listedHere);
  if (process.argv.includes('--list'))
    writeFileSync(join(root, LIST), `${JSON.stringify(updatedList(listed, { unlisted, stale }), null, 2)}\n`);
  for (const { file, line, code: source, mutant } of unlisted)
    console.log(`survived, not listed: ${file}:${line}\n    - ${source}\n    + ${mutant}`);
  for (const { file, code: source, mutant } of stale)
    console.log(`listed, but killed or gone: ${file}\n    - ${source}\n    + ${mutant}`);
  const unexplained = listedHere.filter(({ reason }) => reason.trim() === '');
  for (const { file, code: source, mutant } of unexplained)
    console.log(`listed without a reason: ${file}\n    - ${source}\n    + ${mutant}`);
  const isTooLow = names.length === 0 && percent < MIN_PERCENT;
  if (isTooLow) console.log(`score below ${MIN_PERCENT} %`);
  return unlisted.length + stale.length + unexplained.length > 0 || isTooLow ? 1 : 0;
});
