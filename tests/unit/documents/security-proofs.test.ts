/** docs/SECURITY.md names the test that fails without each defence; a proof that no longer exists misleads. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';

const TESTS = globSync([
  'tests/**/*.{test,spec}.ts',
  'server/**/*.test.ts',
  'subjects/**/*.test.ts',
  'contract/**/*.test.ts',
  'web/**/*.test.ts',
]);
/** A title follows `test(`, `describe(` and the like, or the bracket that ends the cases of `test.each(...)`. */
const TITLE = /(?:\b(?:test|it|describe)(?:\.\w+)?|\))\(\s*(['"`])((?:(?!\1).)*)\1,/g;

/** The proofs in the tables whose last column they are: the name of each test file, and the parts of titles that follow it. */
function proofsOf(markdown: string): { name: string; titles: string[] }[] {
  const tables = markdown.match(/(?:^\|.*\n?)+/gm) ?? [];
  const cells = tables
    .map((table) => table.trim().split('\n'))
    .filter(([head = '']) => /\| proof +\|$/.test(head))
    .flatMap(([, , ...lines]) => lines.map((line) => line.split('|').at(-2) ?? ''));
  return cells.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`(?:: ([^;`]+))?/g)].map(([, name = '', titles = '']) => ({
      name,
      titles: titles
        .split(', ')
        .map((title) => title.replace(/ \(race\)$/, '').trim())
        .filter((title) => title !== ''),
    })),
  );
}

/** The test files of a name: a path, or the name of a file without its ending, with its folder where that is not `tests/http`. */
function filesOf(name: string): string[] {
  if (existsSync(name)) return /\.(test|spec)\.ts$/.test(name) ? [name] : [];
  const short = basename(name).replace(/\.test$/, '');
  return TESTS.filter((path) => basename(path).replace(/\.(test|spec)\.ts$/, '') === short);
}

const titlesOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(TITLE)].map(([, , title = '']) => title);

test('every proof names a test that exists', () => {
  const security = readFileSync('docs/SECURITY.md', 'utf8').split('## What we depend on')[0] ?? '';
  const proofs = proofsOf(security).filter(({ name }) => !existsSync(name) || /\.(test|spec)\.ts$/.test(name));
  expect(proofs.length).toBeGreaterThan(90);
  const wrong = proofs.flatMap(({ name, titles }) => {
    const files = filesOf(name);
    if (files.length === 0) return [name];
    const known = files.flatMap(titlesOf);
    return titles.filter((title) => !known.some((one) => one.includes(title))).map((title) => `${name}: ${title}`);
  });
  expect(wrong).toEqual([]);
});

test('a proof without its file or its title is reported', () => {
  expect(
    proofsOf('| a | b | proof |\n| --- | --- | --- |\n| a | b | `people`: one thing, another (race); `trust` |'),
  ).toEqual([
    { name: 'people', titles: ['one thing', 'another'] },
    { name: 'trust', titles: [] },
  ]);
  expect(proofsOf('| a | where |\n| --- | --- |\n| a | `people` |')).toEqual([]);
  expect(filesOf('no-such-test')).toEqual([]);
  expect(filesOf('unit/security-proofs')).toEqual(['tests/unit/documents/security-proofs.test.ts']);
});

/** Source files, also under the short name that the document uses: the subject and its path below `server`. */
const SOURCES = new Set(
  globSync([
    '{server,contract,web,db,deploy,scripts,docs,tests,bench}/**/*.{ts,tsx,mjs,sql,md,service}',
    'subjects/**/*.{ts,tsx,sql}',
  ]),
);
const ENDS = new Set([...SOURCES].map((path) => basename(path)));
function isSource(path: string): boolean {
  const [subject = '', ...rest] = path.split('/');
  const below = rest.join('/');
  return (
    SOURCES.has(path) ||
    ['server', 'rules', 'contract'].some((part) => SOURCES.has(`subjects/${subject}/${part}/${below}`)) ||
    (ENDS.has(basename(path)) && [...SOURCES].some((one) => one.endsWith(`/${path}`)))
  );
}

test('every source file that the document names exists', () => {
  const named = [...readFileSync('docs/SECURITY.md', 'utf8').matchAll(/`([\w/.-]+\.(?:ts|tsx|mjs|sql|service))`/g)];
  expect(named.length).toBeGreaterThan(90);
  expect(named.map(([, path = '']) => path).filter((path) => !isSource(path))).toEqual([]);
});
