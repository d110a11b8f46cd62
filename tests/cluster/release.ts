/** An earlier release beside this one: its files in a folder of its own, with this release's packages. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 30 }).trim();

/** A commit's migrations, each as its mode, its content's hash and its name. */
const migrationsOf = (commit: string): string[] => git('ls-tree', '-r', commit, '--', 'db/migrations').split('\n');

/**
 * The newest state before one of this commit's migrations whose own migrations are all still here as they were: users can upgrade from it.
 * A state with a migration that was rewritten before it was published is none: nobody has run it. Throws without a history.
 */
function beforeNewestMigration(): string {
  const today = new Set(migrationsOf('HEAD'));
  const added = git('log', '--diff-filter=A', '--format=%H', '--', 'db/migrations').split('\n');
  for (const commit of added) {
    const before = git('rev-parse', '--verify', `${commit}^`);
    if (migrationsOf(before).every((file) => today.has(file))) return before;
  }
  throw new Error('no state to upgrade from');
}

/**
 * The commit to upgrade from: `UPGRADE_FROM`, else the newest tag before this commit, else the newest state that users can upgrade from.
 * Undefined where the history is not there, as in a copy of the files alone. Throws when `UPGRADE_FROM` is no commit.
 */
export function earlierRelease(): string | undefined {
  if (process.env.UPGRADE_FROM) return git('rev-parse', '--verify', `${process.env.UPGRADE_FROM}^{commit}`);
  const tries = [() => git('describe', '--tags', '--abbrev=0', 'HEAD^'), beforeNewestMigration];
  for (const attempt of tries)
    try {
      return attempt();
    } catch {
      // Not there: the next one.
    }
  return undefined;
}

/** Unpacks a commit into a new folder of `folder`. Returns its path. */
export function unpack(folder: string, commit: string): string {
  const path = join(folder, 'earlier');
  mkdirSync(path);
  const archive = join(folder, 'earlier.tar');
  git(
    'archive',
    '-o',
    archive,
    commit,
    'server',
    'contract',
    'db',
    'scripts',
    'tests',
    'package.json',
    'tsconfig.json',
  );
  execFileSync('tar', ['-xf', archive, '-C', path]);
  symlinkSync(join(process.cwd(), 'node_modules'), join(path, 'node_modules'));
  return path;
}

/** People with money and listings, made by the code of the release in whose folder it runs. Prints them as JSON. */
const PEOPLE = `
import pino from 'pino';
import { sql } from 'kysely';
import { loadConfig } from '#server/config.ts';
import { createContext } from '#server/context.ts';
import { addGame } from '#tests/support/goods.ts';
import { KillableMarket } from '#tests/support/killable.ts';
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
  writeFileSync(join(release, 'people.mjs'), PEOPLE);
  return 'people.mjs';
}
