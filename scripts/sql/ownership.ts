/** Compares who writes each table with who owns it, and writes docs/TABLES.md. */
import { FUNCTION_OWNERS, TABLE_OWNERS } from '#subjects/table-owners.ts';
import { subjectsOfFunctions } from '../lib/database/function-files.ts';
import type { Report, StatementUse } from './check.ts';
import type { DatabaseUse, TableUse } from './tables.ts';
import { WRITE_EXCEPTIONS, WRITE_EXCEPTIONS_FILE, type WriteException } from './lists/write-exceptions.ts';

/** Reference data of the rule, so that tests can plant their own. */
export interface Ownership {
  tables: Readonly<Record<string, readonly [owner: string, holds: string]>>;
  functions: Readonly<Record<string, string>>;
  exceptions: readonly WriteException[];
}

export const OWNERSHIP: Ownership = {
  tables: TABLE_OWNERS,
  functions: { ...FUNCTION_OWNERS, ...Object.fromEntries(subjectsOfFunctions()) },
  exceptions: WRITE_EXCEPTIONS,
};

export const TABLES_PAGE = 'docs/TABLES.md';

const OWNERS_FILE = 'subjects/table-owners.ts';

/** These fill separate databases and may write every table; their reads are not checked. */
const FREE = new Set(['seed', 'bench']);
/** Ends what every owner has let in, in a restored market that no server has opened. */
const FREE_FILE = 'server/backup/after-moment.ts';

const isFree = (location: string): boolean => FREE.has(partOf(location)) || location.replace(/:\d+$/, '') === FREE_FILE;

/**
 * The tables behind the effects. The writer returns fragments (`emitted`, `scheduled`) that are part of a statement of the subject whose
 * effect they follow; the linter makes sure that no other text of the server writes these tables (effects/one-writer).
 */
const EFFECT_TABLES = new Set(['outbox', 'timer']);

/** Folders that belong to the server as a whole; every other folder of `server` is a separate part with its own tables. */
const OF_SERVER = new Set(['config', 'directory', 'site-files', 'ssr', 'states']);

/** Returns the part of the project that owns a file (or `path:line`): a subject, or a part of the server. */
export function partOf(path: string): string {
  const [top = '', second = '', third = ''] = path.replace(/:\d+$/, '').split('/');
  if (top === 'subjects' && third === 'server') return second;
  if (top === 'server' && second === 'staff') return 'back-office';
  if (top === 'server') return second.endsWith('.ts') || OF_SERVER.has(second) ? 'server' : second;
  return top === 'db' ? second : top;
}

/**
 * The reader of a table. Reads by answers to staff (`server/staff` of a subject) count as the back office's, because these lists join the tables
 * of many subjects (decision 704). Their writes count as the subject's.
 */
const readerOf = (location: string): string =>
  /^subjects\/[^/]+\/server\/staff\//.test(location) ? 'back-office' : partOf(location);

/** One table that some code writes or reads. */
interface Access {
  table: string;
  /** The subject, or the function with `()`. */
  by: string;
  owner: string;
  location: string;
}

/** All that a function writes and reads, what it calls included. */
function whole(name: string, { functions }: DatabaseUse, seen = new Set<string>()): Pick<TableUse, 'writes' | 'reads'> {
  const use = functions.get(name);
  if (!use || seen.has(name)) return { writes: new Set(), reads: new Set() };
  seen.add(name);
  const inner = [...use.calls].map((called) => whole(called, { functions, tables: new Set() }, seen));
  return {
    writes: new Set([...use.writes, ...inner.flatMap(({ writes }) => [...writes])]),
    reads: new Set([...use.reads, ...inner.flatMap(({ reads }) => [...reads])]),
  };
}

/** The tables that a statement writes and reads, without those of functions of the same subject. */
function ofStatement(
  use: StatementUse,
  database: DatabaseUse,
  { functions }: Ownership,
): Record<'writes' | 'reads', Access[]> {
  const by = partOf(use.location);
  const foreign = [...use.calls].filter((name) => functions[name] !== by).map((name) => whole(name, database));
  const listed = (kind: 'writes' | 'reads', owner: string): Access[] =>
    [...new Set([...use[kind], ...foreign.flatMap((one) => [...one[kind]])])]
      .filter((table) => database.tables.has(table))
      .map((table) => ({ table, by, owner, location: use.location }));
  const isEffectWrite = ({ table }: Access): boolean =>
    EFFECT_TABLES.has(table) && /^(server|subjects)\//.test(use.location);
  return {
    writes: listed('writes', by).filter((one) => !isEffectWrite(one)),
    reads: listed('reads', readerOf(use.location)),
  };
}

function accesses({ uses, database }: Report, ownership: Ownership): Record<'writes' | 'reads', Access[]> {
  const all = uses.filter(({ location }) => !isFree(location)).map((use) => ofStatement(use, database, ownership));
  for (const [name, use] of database.functions) {
    const owner = ownership.functions[name];
    if (owner === undefined || whole(name, database).writes.size === 0) continue;
    const listed = (tables: ReadonlySet<string>): Access[] =>
      [...tables].map((table) => ({ table, by: `${name}()`, owner, location: `${name}.sql` }));
    all.push({ writes: listed(use.writes), reads: listed(use.reads) });
  }
  return { writes: all.flatMap(({ writes }) => writes), reads: all.flatMap(({ reads }) => reads) };
}

/** The tables and functions of the database that have no owner, and the owners of what is not there. */
function unnamed({ database }: Report, { tables, functions }: Ownership): string[] {
  const writing = [...database.functions.keys()].filter((name) => whole(name, database).writes.size > 0);
  const missing = (kind: string, there: Iterable<string>, named: object): string[] =>
    [...there].filter((name) => !(name in named)).map((name) => `${OWNERS_FILE} names no owner of ${kind} ${name}`);
  const unknown = (kind: string, there: { has(name: string): boolean }, named: object): string[] =>
    Object.keys(named)
      .filter((name) => !there.has(name))
      .map((name) => `${OWNERS_FILE} names ${name}, but the database has no such ${kind}`);
  return [
    ...missing('table', database.tables, tables),
    ...unknown('table', new Set(database.tables), tables),
    ...missing('writing function', writing, functions),
    ...unknown('function', database.functions, functions),
  ];
}

/**
 * The tables that subjects read without owning them: each pair of both once. The limit is the last count, with room for one list of staff, as the
 * recipe of docs/HOWTO.md adds it; it may only become lower.
 */
const MAX_FOREIGN_READS = 536;

function foreignReads(report: Report, ownership: Ownership): Set<string> {
  const foreign = accesses(report, ownership).reads.filter(({ table, owner, location }) => {
    const keeper = ownership.tables[table]?.[0];
    // A staff list may read the tables of the subject that it belongs to.
    return keeper !== owner && keeper !== partOf(location);
  });
  return new Set(foreign.map(({ table, owner }) => `${table} ${owner}`));
}

/** Returns the violations of table ownership, one sentence each. */
export function ownershipProblems(report: Report, ownership: Ownership = OWNERSHIP): string[] {
  const { tables, exceptions } = ownership;
  const foreign = accesses(report, ownership).writes.filter(({ table, owner }) => tables[table]?.[0] !== owner);
  const problems: string[] = [];
  const groups = Map.groupBy(foreign, ({ by, table }) => `${by} ${table}`);
  for (const [key, list] of groups) {
    const [first] = list;
    const allowed = exceptions.find(({ writer, table }) => `${writer} ${table}` === key)?.statements ?? 0;
    if (!first || list.length <= allowed) continue;
    const owner = tables[first.table]?.[0] ?? 'no subject';
    const places = [...new Set(list.map(({ location }) => location))].join('、');
    const beyond = allowed > 0 ? `; the exception permits ${allowed} places, there are ${list.length}` : '';
    problems.push(`${places} ${first.by} writes table ${first.table} of ${owner}${beyond}: call its service.ts`);
  }
  for (const { writer, table, statements } of exceptions) {
    const now = groups.get(`${writer} ${table}`)?.length ?? 0;
    if (now < statements)
      problems.push(
        `${WRITE_EXCEPTIONS_FILE}: exception “${writer} ${table}” permits ${statements} places, there are only ${now}; lower or delete it`,
      );
  }
  const pairs = foreignReads(report, ownership).size;
  if (pairs > MAX_FOREIGN_READS)
    problems.push(
      `${pairs} pairs of a table and a subject that reads it without owning it, ${MAX_FOREIGN_READS} are permitted: call the owner's service.ts`,
    );
  return [...problems, ...unnamed(report, ownership)];
}

const namesOf = (list: readonly string[]): string => [...new Set(list)].toSorted().join(', ');

/** docs/TABLES.md as the sources and the schema make it. */
export function tablesPage(report: Report, ownership: Ownership = OWNERSHIP): string {
  const { writes, reads } = accesses(report, ownership);
  const rows = Object.entries(ownership.tables).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = rows.map(([table, [owner, holds]]) => {
    const readers = namesOf(reads.filter((one) => one.table === table && one.owner !== owner).map((one) => one.owner));
    const writers = namesOf(writes.filter((one) => one.table === table && one.owner !== owner).map((one) => one.by));
    return `| \`${table}\` | ${owner} | ${holds} | ${readers} | ${writers} |`;
  });
  const functions = Object.entries(ownership.functions).map(
    ([name, owner]) =>
      `| \`${name}\` | ${owner} | ${namesOf([...(report.database.functions.get(name)?.writes ?? [])])} |`,
  );
  const exceptions = ownership.exceptions.map(
    (one) => `| ${one.writer} | \`${one.table}\` | ${one.statements} | ${one.reason} |`,
  );
  return `# Tables

Written by \`npm run db:gen\` from \`${OWNERS_FILE}\`, the statements of the sources and the functions of the database; never edited by hand.

Each table has one owner, the only one that writes it; others call the owner's \`service.ts\` in their transaction. A function of the
database belongs to the subject in whose folder it is. \`npm run check\` compares this with every statement (docs/decisions/230). The demo's seed and
\`bench\` fill separate databases and are left out.

${rows.length} tables. Others may read a table, in at most ${MAX_FOREIGN_READS} pairs of a table and a subject that does not own it; there are ${foreignReads(report, ownership).size}.

| table | owner | what a row is | read by others | still written by |
| --- | --- | --- | --- | --- |
${lines.join('\n')}

## Functions that write

| function | owner | tables that it writes itself |
| --- | --- | --- |
${functions.join('\n')}

## Exceptions

${exceptions.length} left, of ${ownership.exceptions.reduce((sum, { statements }) => sum + statements, 0)} statements and functions. The list may only become shorter.

| writer | table | statements | reason |
| --- | --- | --- | --- |
${exceptions.join('\n')}
`;
}
