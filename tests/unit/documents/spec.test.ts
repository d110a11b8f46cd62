/** docs/spec: what comments cite is there, its tables are as the code makes them, and what it requires of addresses is built. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { urlMap } from '#web/lib/pages/url-map.ts';
import { specTables } from '../../../scripts/lib/written/spec-tables.ts';

const SPEC = 'docs/spec';
const SOURCES = [
  '{bench,contract,db,packages,scripts,server,subjects,tests,web}/**/*.{ts,tsx,mjs,sql,css,md}',
  'docs/**/*.md',
  '*.md',
];
/** Where texts about documents are examples of a test. */
const EXAMPLES = ['tests/unit/documents/decisions.test.ts', 'tests/unit/documents/spec.test.ts'];

const isSource = (file: string): boolean => !file.includes('node_modules/') && !EXAMPLES.includes(file);
/** The text of a file with comments over several lines as one line. */
const flat = (file: string): string =>
  readFileSync(file, 'utf8').replace(/\s*\n[ \t]*(?:\*(?!\/)|\/\/|--)?[ \t]*/g, ' ');
const sources = globSync(SOURCES)
  .filter(isSource)
  .map((file) => ({ file, text: flat(file) }));

const read = (name: string): string => readFileSync(`${SPEC}/${name}.md`, 'utf8');
const names = globSync(`${SPEC}/*.md`).map((file) => file.slice(SPEC.length + 1, -'.md'.length));

/** Returns the citable parts of a document: the numbers and names of its headings, and the numbers of its rules. */
function sectionsOf(name: string): string[] {
  const text = read(name);
  const headings = [...text.matchAll(/^## (?:(\d+)\. )?(.+)$/gm)].map(
    ([, number, title = '']) => number ?? title.toLowerCase(),
  );
  return [...headings, ...[...text.matchAll(/^\| ([a-z]\.\d+) \|/gm)].map(([, number = '']) => number)];
}

interface Citation {
  file: string;
  name: string;
  section: string;
}

const SECTION = String.raw`(?:[a-z]\.)?\d+(?:\.\d+)*\b(?! ?%)`;
const NUMBERED = new RegExp(
  String.raw`(?<![\w/-])([a-z]+)\.md${'`?'} (?:section )?(${SECTION}(?:(?:, | and )${SECTION})*)`,
  'g',
);
const NAMED = /(?<![\w/-])(conventions)\.md, ([a-z ]+)/g;

function citationsIn({ file, text }: { file: string; text: string }): Citation[] {
  return [
    ...[...text.matchAll(NUMBERED)].flatMap(([, name = '', list = '']) =>
      list.split(/, | and /).map((section) => ({ file, name, section })),
    ),
    ...[...text.matchAll(NAMED)].map(([, name = '', section = '']) => ({ file, name, section: section.trim() })),
  ];
}

const citations = sources.flatMap(citationsIn);

test('every citation names a section that exists', () => {
  expect(citations.length).toBeGreaterThan(250);
  const sections = new Map(names.map((name) => [name, sectionsOf(name)]));
  expect(citations.filter(({ name, section }) => sections.get(name)?.includes(section) !== true)).toEqual([]);
});

test('every rule of reliability.md is cited', () => {
  const cited = new Set(citations.filter(({ name }) => name === 'reliability').map(({ section }) => section));
  const numbers = sectionsOf('reliability').filter((section) => /^[a-z]\.\d+$/.test(section));
  expect(numbers.length).toBeGreaterThan(10);
  expect(numbers.filter((number) => !cited.has(number))).toEqual([]);
});

test('code names no document from outside the repository', () => {
  const foreign = sources
    .filter(({ file }) => !file.endsWith('.md'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/(?<![\w./%-])((?:[\w-]+\/)*[A-Za-z][\w-]*\.md)\b/g)].map(([, path = '']) => ({
        file,
        path,
      })),
    )
    .filter(({ file, path }) => ![path, `${SPEC}/${path}`, `${dirname(file)}/${path}`].some((one) => existsSync(one)));
  expect(foreign).toEqual([]);
});

test('the tables of pages and calls are up to date', () => {
  for (const [file, text] of Object.entries(specTables()))
    expect(readFileSync(file, 'utf8') === text, `${file}: run node scripts/generate/spec-tables.ts`).toBe(true);
});

test('every required address is a page', () => {
  const [, list = ''] = /are required; the others were added:\n\n([^#]+?)\.\n/.exec(read('product')) ?? [];
  const required = [...list.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  expect(required).toHaveLength(93);
  const built = new Set(urlMap.map(({ path }) => path));
  expect(required.filter((path) => !built.has(path))).toEqual([]);
});

test('links and paths in the documents lead somewhere', () => {
  const dead = names.flatMap((name) => {
    const text = read(name);
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => `${SPEC}/${path}`);
    const paths = [...text.matchAll(/`((?:contract|docs|scripts|server|subjects|tests|web)\/[\w./-]+\.\w+)`/g)].map(
      ([, path = '']) => path,
    );
    return [...links, ...paths].filter((path) => !existsSync(path));
  });
  expect(dead).toEqual([]);
});
