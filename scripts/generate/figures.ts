/**
 * Prints the figures of docs/HOUSE.md that are counted in the sources, by folder: `node scripts/generate/figures.ts`, or `node scripts/generate/figures.ts FOLDER`
 * for another checkout. Tests are a separate folder, wherever they are. Generated types and clients are left out.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { figuresOf, type FolderFigures, type Source } from '../lib/written/figures.ts';

const FOLDERS = ['contract', 'server', 'subjects', 'web', 'db', 'packages', 'scripts', 'bench', 'tests'];
const GENERATED = /\.gen\.tsx?$/;
const isTest = (path: string): boolean => path.startsWith('tests/') || /\.test\.tsx?$/.test(path);

const root = resolve(process.argv[2] ?? '.');
const sources = globSync(
  FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`),
  { cwd: root, exclude: ['**/node_modules/**'] },
)
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !GENERATED.test(path))
  .toSorted()
  .map((path): Source => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const inFolder = (folder: string) => (one: Source) =>
  folder === 'tests' ? isTest(one.path) : one.path.startsWith(`${folder}/`) && !isTest(one.path);
const rows = FOLDERS.map((folder) => figuresOf(folder, sources.filter(inFolder(folder))));

const HEADINGS: readonly (readonly [key: keyof FolderFigures, heading: string])[] = [
  ['folder', 'folder'],
  ['files', 'files'],
  ['lines', 'lines'],
  ['longestFile', 'longest file'],
  ['longFunctions', 'functions over 70'],
  ['longestFunction', 'longest function'],
  ['duplicates', 'duplicates of 6 lines'],
  ['statusLiterals', 'literals beside a status'],
];
const cell = (value: string | number): string => (typeof value === 'number' ? value.toLocaleString('en') : value);
process.stdout.write(
  `| ${HEADINGS.map(([, heading]) => heading).join(' | ')} |\n|${' --- |'.repeat(HEADINGS.length)}\n`,
);
for (const row of rows) process.stdout.write(`| ${HEADINGS.map(([key]) => cell(row[key])).join(' | ')} |\n`);
