/** Filled data folders, cached on disk by kind and by the hash of what they were made of. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { readState, writeState } from '#server/db/embedded-cluster.ts';

const CACHE = 'node_modules/.cache/youshi';
/** Folders of earlier states that are kept per kind, so that changing between two branches does not fill again. */
const KEPT = 3;

/** Contents of a data folder. */
export type DataFolder = {
  /** Names the folders of one content in the cache. */
  kind: string;
  /** Patterns of all files that decide the content. */
  sources: readonly string[];
  /** A folder that was filled longer ago is filled again, in ms. Without it age does not matter. */
  maxAgeMs?: number;
};

/** Data folders with the market's migrations and nothing else. */
export const MIGRATED: DataFolder = {
  kind: 'migrated',
  sources: [
    'db/migrations/*.sql',
    'server/db/embedded*.ts',
    'server/db/migrate.ts',
    'tests/support/database/cluster.ts',
  ],
};

/** A short hash of the files that the patterns name and of the installed PostgreSQL. */
export function hashOfSources(patterns: readonly string[]): string {
  const hash = createHash('sha256').update(readFileSync('package-lock.json'));
  for (const file of patterns.flatMap((pattern) => globSync(pattern)).sort())
    if (statSync(file).isFile()) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Copies everything in a folder, with its owners and modes. */
function copyContents(from: string, to: string): void {
  for (const name of readdirSync(from)) execFileSync('cp', ['-a', '--reflink=auto', join(from, name), to]);
}

/** The time at which a cached folder was filled, in ms: the end of its name. */
const filledAt = (name: string): number => Number(name.split('-').at(-1));

/** Removes all but the newest folders of a kind, and those that nobody may use any more. A copy of one that became too old may still be running. */
function prune({ kind, maxAgeMs = Number.POSITIVE_INFINITY }: DataFolder): void {
  const folders = readdirSync(CACHE)
    .filter((name) => name.startsWith(`data-${kind}-`))
    .map((name) => ({ name, usedAt: statSync(join(CACHE, name)).mtimeMs }))
    .sort((a, b) => b.usedAt - a.usedAt);
  for (const [at, { name }] of folders.entries())
    if (at >= KEPT || Date.now() - filledAt(name) >= 2 * maxAgeMs)
      rmSync(join(CACHE, name), { recursive: true, force: true });
}

/** Whether the database is in the data folder itself and not behind a link, which a copy would share. */
const ownsItsDatabase = (dataDir: string): boolean =>
  lstatSync(join(dataDir, 'pg'), { throwIfNoEntry: false })?.isDirectory() === true;

/** Stores a stopped data folder, whose name begins with `prefix` in the cache. */
function store(folder: DataFolder, dataDir: string, prefix: string): void {
  if (!ownsItsDatabase(dataDir)) return;
  mkdirSync(CACHE, { recursive: true });
  const half = mkdtempSync(join(CACHE, 'half-'));
  try {
    copyContents(dataDir, half);
    renameSync(half, join(CACHE, `${prefix}${Date.now()}`));
    prune(folder);
  } catch {
    rmSync(half, { recursive: true, force: true });
  }
}

/** The newest stored folder that is young enough. */
function findStored({ maxAgeMs = Number.POSITIVE_INFINITY }: DataFolder, prefix: string): string | undefined {
  if (!existsSync(CACHE)) return undefined;
  const newest = readdirSync(CACHE)
    .filter((name) => name.startsWith(prefix) && Date.now() - filledAt(name) < maxAgeMs)
    .sort((a, b) => filledAt(b) - filledAt(a))[0];
  return newest === undefined ? undefined : join(CACHE, newest);
}

/**
 * Makes the empty folder `dataDir` one that `fill` has filled: copied from the cache, or filled now and stored. `fill` leaves no server
 * running. @throws what `fill` throws; nothing is stored then
 */
export async function prepareDataFolder(
  folder: DataFolder,
  dataDir: string,
  fill: (dataDir: string) => Promise<void>,
): Promise<void> {
  const prefix = `data-${folder.kind}-${hashOfSources(folder.sources)}-`;
  const stored = findStored(folder, prefix);
  if (stored !== undefined) {
    copyContents(stored, dataDir);
    utimesSync(stored, new Date(), new Date());
  } else {
    await fill(dataDir);
    store(folder, dataDir, prefix);
  }
  // Two runs at once start from the same copy: each takes a separate free port.
  const state = readState(dataDir);
  if (state) writeState(dataDir, { ...state, port: 0 });
}
