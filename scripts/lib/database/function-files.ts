/**
 * The database's functions as they are now, one file each: those of a subject in its folder `db`, the others in db/functions. A change is made
 * there and becomes a migration (`npm run db:function`); `npm run check` compares the files with what the migrations make.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';

/** Where functions are, and where a new file is written. */
interface Places {
  patterns: readonly string[];
  fresh: string;
}

const PLACES: Places = { patterns: ['subjects/*/db/*.sql', 'db/functions/*.sql'], fresh: 'db/functions' };

/** One folder instead, for tests. */
export const inFolder = (folder: string): Places => ({ patterns: [join(folder, '*.sql')], fresh: folder });

/** The functions of schema public by name, each as the statement that makes it; those of one name stand one after the other. */
export async function readFunctions(url: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; text: string }>(`
      select p.proname::text as name, string_agg(btrim(pg_get_functiondef(p.oid), E'\\n') || ';', E'\\n\\n' order by p.oid::regprocedure::text collate "C") as text
      from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
        and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
      group by 1 order by 1`);
    return new Map(rows.map(({ name, text }) => [name, text]));
  } finally {
    await client.end();
  }
}

/** The text before the statement in a function's file: comment lines, which the database does not keep. */
const headOf = (text: string): string => /^(?:--[^\n]*\n)*/.exec(text)?.[0] ?? '';

/** The file of each function, by its name. */
export function functionPaths({ patterns }: Places = PLACES): Map<string, string> {
  const paths = patterns.flatMap((pattern) => globSync(pattern)).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.map((path) => [basename(path, '.sql'), path] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The subject of each function that is in a subject's folder. */
export function subjectsOfFunctions(): Map<string, string> {
  const owners = [...functionPaths()].map(([name, path]) => [name, /^subjects\/([^/]+)\//.exec(path)?.[1]] as const);
  return new Map(owners.flatMap(([name, owner]) => (owner === undefined ? [] : [[name, owner] as const])));
}

/** The statements of the files by function. */
export function functionFiles(places: Places = PLACES): Map<string, string> {
  return new Map(
    [...functionPaths(places)].map(([name, path]) => {
      const text = readFileSync(path, 'utf8');
      return [name, text.slice(headOf(text).length).trim()];
    }),
  );
}

/** Functions whose file and database differ: changed, only in the files, or only in the database. */
export function functionDifferences(
  database: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
): { changed: string[]; added: string[]; missing: string[] } {
  const both = [...files.keys()].filter((name) => database.has(name));
  return {
    changed: both.filter((name) => files.get(name) !== database.get(name)),
    added: [...files.keys()].filter((name) => !database.has(name)),
    missing: [...database.keys()].filter((name) => !files.has(name)),
  };
}

/** One sentence for each function whose file and database differ. */
export async function functionDrift(url: string, places: Places = PLACES): Promise<string[]> {
  const { changed, added, missing } = functionDifferences(await readFunctions(url), functionFiles(places));
  const paths = functionPaths(places);
  const remedy = 'after a change of the file run npm run db:function, after a migration npm run db:gen';
  return [
    ...changed.map((name) => `${paths.get(name)} differs from the function of the migrations: ${remedy}`),
    ...added.map((name) => `${paths.get(name)} is not a function of the database: ${remedy}`),
    ...missing.map((name) => `${join(places.fresh, name)}.sql is missing: ${remedy}`),
  ];
}

/** Whether a file is as it was committed: then a difference comes from a migration, not from the file. */
function isCommitted(file: string): boolean {
  try {
    return (
      execFileSync('git', ['status', '--porcelain', '--', basename(file)], {
        cwd: dirname(file),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }) === ''
    );
  } catch {
    return false;
  }
}

/**
 * Writes the files of functions that a migration changed, added or dropped. A file that was edited itself is not touched. A new one is written to
 * db/functions; one that belongs to a subject is then moved to its folder.
 */
export async function writeFunctionFiles(url: string, places: Places = PLACES): Promise<void> {
  const database = await readFunctions(url);
  const { changed, added, missing } = functionDifferences(database, functionFiles(places));
  const paths = functionPaths(places);
  mkdirSync(places.fresh, { recursive: true });
  for (const name of [...changed, ...missing, ...added]) {
    const file = paths.get(name) ?? join(places.fresh, `${name}.sql`);
    const exists = existsSync(file);
    if (exists && !isCommitted(file)) {
      console.error(`${file} has uncommitted changes and was not overwritten: run npm run db:function`);
      continue;
    }
    const text = database.get(name);
    if (text === undefined) rmSync(file);
    else writeFileSync(file, `${exists ? headOf(readFileSync(file, 'utf8')) : ''}${text}\n`);
    console.log(`${file} updated`);
  }
}
