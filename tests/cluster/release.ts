/** Prepares an earlier release in a separate folder, with this release's packages. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 30 }).trim();

const BASELINE = 'db/migrations/0001_baseline.sql';

/** A commit's migrations, each as its mode, its content's hash and its name. */
const migrationsOf = (commit: string): string[] => git('ls-tree', '-r', commit, '--', 'db/migrations').split('\n');

/** Whether a state's migrations are the first ones of another state's, by their numbers. */
const isBeginning = (earlier: readonly string[], later: readonly string[]): boolean =>
  earlier.every((file, at) => later[at] === file);

/** Of each commit that added a file below `path`, newest first: itself (`%H`) or its parents (`%P`). */
const additions = (path: string, format: '%H' | '%P'): string[] =>
  git('log', '--diff-filter=A', `--format=${format}`, '--', path).split('\n').filter(Boolean);

/**
 * The newest state before one of this commit's migrations whose own migrations are all still here as they were, with no older one added later:
 * users can upgrade from it. A state with a migration that was rewritten before it was published is none, and neither is one that has a part of
 * the migrations that were merged together: nobody has run it. Without a migration after the baseline it is the commit that made the baseline,
 * from which only the program changes; undefined when that is this commit.
 */
function newestUpgradable(isUpgradable: (commit: string) => boolean): string | undefined {
  const before = additions('db/migrations', '%P').flatMap((parents) => parents.split(' ').slice(0, 1));
  const found = before.find(isUpgradable);
  if (found !== undefined) return found;
  const head = git('rev-parse', 'HEAD');
  return additions(BASELINE, '%H').find((commit) => commit !== head && isUpgradable(commit));
}

const attempt = (work: () => string | undefined): string | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

/**
 * The commit to upgrade from: `UPGRADE_FROM`, else the newest tag before this commit, else the newest state that users can upgrade from; or the
 * reason why there is none. Throws when `UPGRADE_FROM` is no commit.
 */
export function earlierRelease(): { commit: string } | { reason: string } {
  if (process.env.UPGRADE_FROM) return { commit: git('rev-parse', '--verify', `${process.env.UPGRADE_FROM}^{commit}`) };
  const today = attempt(() => migrationsOf('HEAD').join('\n'))?.split('\n');
  if (today === undefined) return { reason: 'there is no git history to take an earlier release from' };
  const isUpgradable = (commit: string): boolean => isBeginning(migrationsOf(commit), today);
  const tag = attempt(() => git('describe', '--tags', '--abbrev=0', 'HEAD^'));
  const commit = tag !== undefined && isUpgradable(tag) ? tag : attempt(() => newestUpgradable(isUpgradable));
  return commit === undefined
    ? { reason: 'no earlier commit has the migrations of this one: the baseline is new' }
    : { commit };
}

/** Files that the server of a release needs. */
const PARTS = ['server', 'contract', 'subjects', 'db', 'scripts', 'tests', 'package.json', 'tsconfig.json'];

/** Unpacks a commit into a new folder of `folder`. Returns its path. */
export function unpack(folder: string, commit: string): string {
  const path = join(folder, 'earlier');
  mkdirSync(path);
  const archive = join(folder, 'earlier.tar');
  // Releases before subjects/ had its files in the other folders.
  const present = git('ls-tree', '--name-only', commit).split('\n');
  git('archive', '-o', archive, commit, ...PARTS.filter((part) => present.includes(part)));
  execFileSync('tar', ['-xf', archive, '-C', path]);
  symlinkSync(join(process.cwd(), 'node_modules'), join(path, 'node_modules'));
  return path;
}

/** Where a release has a file: a folder that has become too large is split, so that an earlier release has it one level higher. */
export function placeIn(release: string, folder: string, name: string): string {
  const found = globSync(`${folder}/{,*/}${name}`, { cwd: release });
  if (found.length !== 1) throw new Error(`${release}: ${found.length} files are ${folder}/**/${name}`);
  return String(found[0]);
}

/** People with money and listings, made by the code of the release in whose folder it runs. Prints them as JSON. */
const peopleProgram = (release: string): string => `
import pino from 'pino';
import { sql } from 'kysely';
import { loadConfig } from '#${placeIn(release, 'server', 'config.ts')}';
import { createContext } from '#server/context.ts';
import { addGame } from '#${placeIn(release, 'tests/support', 'goods.ts')}';
import { KillableMarket } from '#${placeIn(release, 'tests/support', 'killable.ts')}';
const [buyers, fen, listings] = process.argv.slice(2).map(Number);
const ctx = await createContext(loadConfig(process.env), process.env.DATABASE_URL, { log: pino({ level: 'silent' }) });
await addGame(ctx);
const market = new KillableMarket({ dataDir: '', database: undefined, ctx, server: { port: 0 } });
const seller = await market.person(0);
const people = [];
for (let i = 0; i < buyers; i++) people.push(await market.person(fen));
const { rows } = await sql\`
  insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, stock, status)
  select 1, \${seller.id}, 1, 27, '测试道具 ' || i, 1000, 1, 2 from generate_series(1, \${listings}::int) i returning sn\`.execute(ctx.db);
await ctx.close();
process.stdout.write(JSON.stringify({ seller, buyers: people, forSale: rows.map((row) => row.sn) }), () => process.exit(0));
`;

/** Writes the program that makes people into a release's folder. Returns its name there. */
export function writePeople(release: string): string {
  writeFileSync(join(release, 'people.mjs'), peopleProgram(release));
  return 'people.mjs';
}
