/** Stages that `npm test` may leave out (decision 490), and what a long run remembers of a tree. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

interface Stage {
  name: string;
  covered?: string[];
}
const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(join(process.cwd(), 'scripts', name)).href)) as T;
const { recordPassed, unchangedSince } = await load<{
  recordPassed: (stages: Stage[], cwd: string) => void;
  unchangedSince: (stage: Stage, cwd: string) => string | undefined;
}>('test/covered.mjs');
const { changedFiles, treeHash } = await load<{
  changedFiles: (cwd: string) => string[];
  treeHash: (except: string[], cwd: string) => string | undefined;
}>('lib/git.mjs');
const { STAGES, stagesOf } = await load<{
  STAGES: (Stage & { lanes: string[] })[];
  stagesOf: (lane: string, names: string[]) => Stage[];
}>('test/stages.mjs');

let folder: string;
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder, encoding: 'utf8' });
const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'youshi-covered-'));
  for (const name of ['deploy', 'tests', 'web']) mkdirSync(join(folder, name));
  write('deploy/run.sh', 'exit 0\n');
  write('web/a.ts', 'export {};\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stage: Stage = { name: 'cluster', covered: ['deploy'] };

test('a stage is left out only while its files are those of a passed run, committed or not', () => {
  expect(unchangedSince(stage, folder)).toBeUndefined();
  recordPassed([stage, { name: 'unit' }], folder);
  expect(readFileSync(join(folder, 'tests/covered.json'), 'utf8')).not.toContain('unit');
  expect(unchangedSince(stage, folder)).toMatch(/long run that passed on \d{4}-\d\d-\d\d/);
  write('web/a.ts', 'export const a = 1;\n');
  expect(unchangedSince(stage, folder)).toBeDefined();
  write('deploy/new.sh', 'exit 1\n');
  expect(unchangedSince(stage, folder)).toBeUndefined();
  rmSync(join(folder, 'deploy/new.sh'));
  expect(unchangedSince(stage, folder)).toBeDefined();
  write('deploy/run.sh', 'exit 1\n');
  git('commit', '-qam', 'second');
  expect(unchangedSince(stage, folder)).toBeUndefined();
});

test('a stage that covers everything is never left out', () => {
  recordPassed([{ name: 'unit' }], folder);
  expect(unchangedSince({ name: 'unit' }, folder)).toBeUndefined();
});

test('the hash of the tree follows the working copy and leaves the repository alone', () => {
  const count = (): number => readdirSync(join(folder, '.git/objects')).length;
  const [before, objects] = [treeHash([], folder), count()];
  expect(before).toBe(git('rev-parse', 'HEAD^{tree}').trim());
  write('web/b.ts', 'export {};\n');
  const after = treeHash([], folder);
  expect(after).not.toBe(before);
  expect(treeHash(['web/b.ts'], folder)).toBe(before);
  expect(git('status', '--porcelain').trim()).toBe('?? web/b.ts');
  expect(count()).toBe(objects);
  git('add', '.');
  git('commit', '-qm', 'second');
  expect(treeHash([], folder)).toBe(after);
});

test('changed files are relative to the main branch, else uncommitted, else of the last commit', () => {
  write('web/b.ts', 'export {};\n');
  git('add', '.');
  git('commit', '-qm', 'second');
  expect(changedFiles(folder)).toEqual(['web/b.ts']);
  write('web/c.ts', 'export {};\n');
  expect(changedFiles(folder)).toEqual(['web/c.ts']);
  git('checkout', '-qb', 'topic');
  git('add', '.');
  git('commit', '-qm', 'third');
  write('web/a.ts', 'export const a = 2;\n');
  expect(changedFiles(folder)).toEqual(['web/a.ts', 'web/c.ts']);
});

test('every test project and journey is in the long lane, and what npm test may leave out is covered there', () => {
  const named = (lane: string): string[] => stagesOf(lane, []).map(({ name }) => name);
  expect(named('merge')).toEqual(
    expect.arrayContaining(['check', 'unit', 'invariants', 'cluster', 'rolling', 'journeys', 'rehearse', 'attacks']),
  );
  expect(named('long')).toEqual(
    expect.arrayContaining([
      'quick',
      'unit-slow',
      'http-1',
      'http-2',
      ...named('merge').filter((name) => name !== 'unit'),
      'supply',
    ]),
  );
  for (const { covered, lanes } of STAGES) if (covered !== undefined) expect(lanes).toContain('long');
  expect(stagesOf('merge', ['check']).map(({ name }) => name)).toEqual(['check']);
});
