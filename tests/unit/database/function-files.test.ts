/** The files of the database's functions: a function and its file say the same, and an edited file is never overwritten. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  functionDifferences,
  functionDrift,
  functionFiles,
  functionPaths,
  inFolder,
  readFunctions,
  writeFunctionFiles,
} from '../../../scripts/lib/database/function-files.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const cache = join(process.cwd(), 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'functions-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

test('the committed files equal the functions that the migrations create', async () => {
  expect(await functionDrift(database.ownerUrl)).toEqual([]);
  expect(functionFiles().size).toBeGreaterThan(60);
  // A function stands once: a second file of its name would hide the first.
  const files = globSync('{db/functions,subjects/*/db}/*.sql');
  expect(functionPaths().size).toBe(files.length);
});

test('a changed statement, an extra and a missing file are named; a comment above the statement is not', async () => {
  const functions = await readFunctions(database.ownerUrl);
  for (const [name, text] of functions) writeFileSync(join(folder, `${name}.sql`), `-- What it is for.\n${text}\n`);
  expect(await functionDrift(database.ownerUrl, inFolder(folder))).toEqual([]);
  const step = readFileSync(join(folder, 'order_step.sql'), 'utf8');
  writeFileSync(join(folder, 'order_step.sql'), step.replace('sale_hold', 'sale_held'));
  writeFileSync(join(folder, 'nowhere.sql'), 'select 1;\n');
  rmSync(join(folder, 'goods_settle.sql'));
  expect(functionDifferences(functions, functionFiles(inFolder(folder)))).toEqual({
    changed: ['order_step'],
    added: ['nowhere'],
    missing: ['goods_settle'],
  });
  const sentences = await functionDrift(database.ownerUrl, inFolder(folder));
  expect(sentences.map((text) => /(\w+)\.sql/.exec(text)?.[1])).toEqual(['order_step', 'nowhere', 'goods_settle']);
});

test('a missing file is written; one that was edited and not committed is unchanged', async () => {
  await writeFunctionFiles(database.ownerUrl, inFolder(folder));
  // The folder is ignored by git, so a file in it counts as committed: what a migration made takes its place, its comment stays.
  expect(readFileSync(join(folder, 'order_step.sql'), 'utf8')).toMatch(/^-- What it is for\.\nCREATE OR REPLACE/);
  expect(await functionDrift(database.ownerUrl, inFolder(folder))).toEqual([]);
  const planted = mkdtempSync(join(tmpdir(), 'youshi-functions-'));
  try {
    execFileSync('git', ['init', '-q'], { cwd: planted });
    const file = join(planted, 'order_step.sql');
    writeFileSync(file, 'select 1;\n');
    await writeFunctionFiles(database.ownerUrl, inFolder(planted));
    expect(readFileSync(file, 'utf8')).toBe('select 1;\n');
    expect(functionFiles(inFolder(planted)).size).toBeGreaterThan(60);
  } finally {
    rmSync(planted, { recursive: true });
  }
});
