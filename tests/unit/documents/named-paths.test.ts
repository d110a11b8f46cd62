/**
 * Documents name files, and docs/SECURITY.md the test that fails without each defence; a name without its file misleads.
 * Which words are names of files, and what they may contain, is stated at `pathsOf` and `isPresent`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';

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

const titlesOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(TITLE)].map(([, , title = '']) => title);

test('every proof names a test that exists', () => {
  const security = readFileSync('docs/SECURITY.md', 'utf8').split('## What we depend on')[0] ?? '';
  const proofs = proofsOf(security).filter(({ name }) => !existsSync(name) || /\.(test|spec)\.ts$/.test(name));
  expect(proofs.length).toBeGreaterThan(90);
  const wrong = proofs.flatMap(({ name, titles }) => {
    if (!existsSync(name)) return [name];
    const known = titlesOf(name);
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
});

const FOLDERS = 'bench contract db deploy docs packages scripts server subjects tests web'.split(' ');
const SOURCE_ENDING = /\.(?:tsx?|mjs|sql|css|md|service)$/;
/** What a build or npm writes, and addresses of the machine. */
const OUTSIDE = /^(?:[/~@]|\.|build\/|node_modules\/)/;

/** The top folders and the names of files and folders in the repository. */
const NAMES = new Set(
  globSync(['*.*', `{${FOLDERS.join(',')}}/**`], { exclude: (name) => name === 'node_modules' }).map((path) =>
    basename(path),
  ),
);

/**
 * The words in backticks that are paths of the repository: those that begin with one of its folders and a slash, and those that
 * end like a source file. Blocks of code are examples and not read.
 */
function pathsOf(markdown: string): string[] {
  return [...markdown.replace(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, quoted = '']) => quoted.split(/\s+/))
    .map((word) => word.replace(/(?::\d+)?[,;:]?$/, '').replace(/\/$/, ''))
    .filter((word) => /^[\w.@<>*{},/-]+$/.test(word) && !OUTSIDE.test(word))
    .filter((word) => SOURCE_ENDING.test(word) || FOLDERS.some((folder) => word.startsWith(`${folder}/`)));
}

/**
 * Whether a path exists. It may contain `*` and `{a,b}`, and as placeholders `<name>` and a segment or stem of capitals (`NAME.test.ts`);
 * then something must match it. A name without a folder must be the name of a file anywhere.
 */
function isPresent(path: string): boolean {
  const glob = path.replace(/<\w+>|(?<=^|\/)[A-Z]+(?=[./]|$)/g, (word) => (existsSync(path) ? word : '*'));
  if (!path.includes('/'))
    return NAMES.has(path) || (glob.includes('*') && [...NAMES].some((name) => matchesGlob(name, glob)));
  return existsSync(path) || (/[*{]/.test(glob) && globSync(glob).length > 0);
}

const DOCUMENTS = globSync(['docs/**/*.md', 'README*.md', 'SECURITY.md', 'CONTRIBUTING*.md']);

test('every path that a document names exists', () => {
  const named = DOCUMENTS.flatMap((document) =>
    pathsOf(readFileSync(document, 'utf8')).map((path) => ({ document, path })),
  );
  expect(named.length).toBeGreaterThan(1_400);
  expect(named.filter(({ path }) => !isPresent(path)).map(({ document, path }) => `${document}: ${path}`)).toEqual([]);
});

test.each(['docs/SECURITY.md', 'docs/ASVS.md', 'docs/GLOSSARY.md'])(
  '%s names source files by their whole path',
  (document) => {
    const short = pathsOf(readFileSync(document, 'utf8')).filter(
      (path) => /\.(?:tsx?|mjs|sql|service)$/.test(path) && !path.includes('/'),
    );
    expect(short).toEqual([]);
  },
);

test('a path without its file is reported, a placeholder or a pattern with files is not', () => {
  const text = 'See `server/none.ts`, `orders/rules.ts:12`, `node scripts/test.mjs`, `/etc/x.service` and `a.sql`.';
  expect(pathsOf(text)).toEqual(['server/none.ts', 'orders/rules.ts', 'scripts/test.mjs', 'a.sql']);
  expect(pathsOf(text).filter(isPresent)).toEqual(['scripts/test.mjs']);
  expect(pathsOf('```\n`server/none.ts`\n```')).toEqual([]);
  const patterns = [
    'subjects/<name>/',
    'subjects/*/server/service.ts',
    'tests/unit/*/NAME.test.ts',
    'staff-*.ts',
    'web/lib',
  ];
  expect(patterns.filter((path) => !isPresent(path))).toEqual([]);
  expect(['subjects/<name>/none.ts', 'none-*.ts', 'web/none'].filter(isPresent)).toEqual([]);
});
