import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { prepareDataFolder } from '../../support/database/data-folder-cache.ts';

const CACHE = 'node_modules/.cache/youshi';
const kind = `test-${process.pid}`;
const scratch = mkdtempSync(join(tmpdir(), 'youshi-folders-'));

const cachedFolders = (): string[] => readdirSync(CACHE).filter((name) => name.startsWith(`data-${kind}-`));

afterEach(() => {
  for (const name of cachedFolders()) rmSync(join(CACHE, name), { recursive: true, force: true });
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let fills = 0;
/** Fills a folder as a market would: a database, its state, a secret and a picture. */
async function fill(dataDir: string): Promise<void> {
  fills += 1;
  mkdirSync(join(dataDir, 'pg'));
  mkdirSync(join(dataDir, 'uploads/a'), { recursive: true });
  writeFileSync(join(dataDir, 'secret'), `secret ${fills}`);
  writeFileSync(join(dataDir, 'uploads/a/one.png'), 'picture');
  const state = { port: 5, superPassword: 'a', appPassword: 'b', ready: true };
  writeFileSync(join(dataDir, 'postgres.json'), JSON.stringify(state));
}

async function used(folder: { sources?: string[]; maxAgeMs?: number } = {}): Promise<string> {
  const dataDir = mkdtempSync(join(scratch, 'data-'));
  await prepareDataFolder({ kind, sources: [], ...folder }, dataDir, fill);
  return dataDir;
}

const secretOf = (dataDir: string): string => readFileSync(join(dataDir, 'secret'), 'utf8');

test('a folder is filled once and copied with its secret and its pictures, without its port', async () => {
  const [first, second] = [await used(), await used()];
  expect(secretOf(second)).toBe(secretOf(first));
  expect(readFileSync(join(second, 'uploads/a/one.png'), 'utf8')).toBe('picture');
  for (const folder of [first, second])
    expect(JSON.parse(readFileSync(join(folder, 'postgres.json'), 'utf8'))).toMatchObject({
      port: 0,
      appPassword: 'b',
    });
  expect(cachedFolders()).toHaveLength(1);
});

test('a folder is filled again when its sources differ or it is too old', async () => {
  const first = secretOf(await used());
  expect(secretOf(await used({ sources: ['package.json'] }))).not.toBe(first);
  expect(secretOf(await used({ maxAgeMs: 60_000 }))).toBe(first);
  expect(secretOf(await used({ maxAgeMs: 0 }))).not.toBe(first);
  // Folders too old for their kind are removed.
  expect(cachedFolders()).toEqual([]);
});

test('the newest folders of a kind are kept', async () => {
  const files = ['package.json', 'biome.json', 'knip.json', 'tsconfig.json', 'vite.config.ts'];
  for (const file of files) await used({ sources: [file] });
  expect(cachedFolders().length).toBeLessThan(files.length);
  const newest = files.at(-1) ?? '';
  const before = fills;
  await used({ sources: [newest] });
  expect(fills).toBe(before);
});

test('a folder whose filling failed is not stored', async () => {
  const dataDir = mkdtempSync(join(scratch, 'data-'));
  const broken = async (): Promise<void> => {
    throw new Error('no disk');
  };
  await expect(prepareDataFolder({ kind, sources: [] }, dataDir, broken)).rejects.toThrow('no disk');
  expect(cachedFolders()).toEqual([]);
});
