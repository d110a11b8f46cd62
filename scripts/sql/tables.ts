/** Tables that a statement writes and reads, and database functions that it calls, from the analysed query. */
import type pg from 'pg';
import { ts } from 'ts-morph';
import type { Catalogue } from './catalogue.ts';
import { everyNode, nodesAt, numberAt, type PgNode, textAt } from './nodes.ts';
import type { Sources } from './source/program.ts';

/** Tables and functions by name, each once. */
export interface TableUse {
  writes: Set<string>;
  reads: Set<string>;
  calls: Set<string>;
}

export const noUse = (): TableUse => ({ writes: new Set(), reads: new Set(), calls: new Set() });

const WRITING_COMMANDS = new Set(['2', '3', '4', '5']);
const RELATION = 0;

/** Adds to `use` what one query does; nested queries are separate nodes. */
function addQuery(query: PgNode, catalogue: Catalogue, use: TableUse): void {
  const tables = nodesAt(query, 'rtable').map((entry) =>
    numberAt(entry, 'rtekind') === RELATION ? catalogue.relation(numberAt(entry, 'relid')) : undefined,
  );
  const isWriting = WRITING_COMMANDS.has(textAt(query, 'commandType') ?? '');
  const target = isWriting ? tables[numberAt(query, 'resultRelation') - 1] : undefined;
  if (target !== undefined) use.writes.add(target);
  for (const table of tables) if (table !== undefined && table !== target) use.reads.add(table);
}

/** Adds to `use` what an analysed statement writes, reads and calls, its subqueries and WITH included. */
export function addStatement(query: PgNode, catalogue: Catalogue, use: TableUse): void {
  for (const node of everyNode(query)) {
    if (node.kind === 'QUERY') addQuery(node, catalogue, use);
    if (node.kind !== 'FUNCEXPR') continue;
    const called = catalogue.function(numberAt(node, 'funcid'));
    if (called && !called.builtin) use.calls.add(called.name);
  }
}

/** Adds to `use` the tables that a command, which the database does not analyse, empties or fills. */
export function addCommand(text: string, use: TableUse): void {
  const [, table] = /^\s*(?:truncate(?:\s+table)?(?:\s+only)?|copy)\s+(?:public\.)?(\w+)/i.exec(text) ?? [];
  if (table !== undefined && !/^copy\b.*\bto\b/is.test(text.trim())) use.writes.add(table.toLowerCase());
}

const WRITE =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(?:public\.)?(\w+)/gi;
const READ = /\b(?:from|join|using)\s+(?:only\s+)?(?:public\.)?(\w+)/gi;

/** Reads and writes of a function's body, by the keyword before each table's name; other names are ignored. */
function scanBody(body: string, tables: ReadonlySet<string>, functions: ReadonlySet<string>): TableUse {
  const text = body.replaceAll(/--[^\n]*/g, ' ').replaceAll(/'(?:[^']|'')*'/g, "''");
  const named = (pattern: RegExp, known: ReadonlySet<string>): Set<string> =>
    new Set(
      [...text.matchAll(pattern)].map(([, name]) => (name ?? '').toLowerCase()).filter((name) => known.has(name)),
    );
  const reads = named(READ, tables);
  for (const deleted of named(/\bdelete\s+from\s+(?:public\.)?(\w+)/gi, tables)) {
    const mentions = [...text.matchAll(new RegExp(`\\b(?:from|join|using)\\s+${deleted}\\b`, 'gi'))].length;
    const deletes = [...text.matchAll(new RegExp(`\\bdelete\\s+from\\s+${deleted}\\b`, 'gi'))].length;
    if (mentions === deletes) reads.delete(deleted);
  }
  return { writes: named(WRITE, tables), reads, calls: named(/\b(\w+)\s*\(/g, functions) };
}

/** The database's tables, and the direct table accesses of each of our functions. */
export interface DatabaseUse {
  tables: ReadonlySet<string>;
  functions: ReadonlyMap<string, TableUse>;
}

/** Reads the tables and views and the bodies of the functions of schema public. */
export async function readDatabaseUse(client: pg.ClientBase): Promise<DatabaseUse> {
  const relations = await client.query<{ name: string }>(`select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and not relispartition and relname <> 'schema_migrations'`);
  const bodies = await client.query<{
    name: string;
    body: string;
  }>(`select proname::text as name, pg_get_functiondef(oid) as body
    from pg_proc p where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);
  const tables = new Set(relations.rows.map(({ name }) => name));
  const names = new Set(bodies.rows.map(({ name }) => name));
  const functions = new Map<string, TableUse>();
  for (const { name, body } of bodies.rows) {
    const start = body.search(/\bAS \$function\$|\bBEGIN ATOMIC\b|\bRETURN\b/);
    const use = scanBody(body.slice(Math.max(start, 0)), tables, names);
    use.calls.delete(name);
    functions.set(name, use);
  }
  return { tables, functions };
}

/** Runs statements that it is handed by name or as text: what it runs belongs to the file that names it. */
export const HANDED_OVER = 'server/db/client.ts';

/** Functions of the database that the sources hand over by name to a function, or call in a text, with the place of each. */
export function namedCalls(
  sources: Sources,
  functions: ReadonlyMap<string, TableUse>,
): { location: string; calls: Set<string> }[] {
  const found: { location: string; calls: Set<string> }[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return;
    if (ts.isTaggedTemplateExpression(node.parent)) return;
    const isText = /^\s*(?:select|with|call)\b/i.test(node.text);
    const names = isText ? [...node.text.matchAll(/\b(\w+)\s*\(/g)].map(([, name]) => name ?? '') : [node.text];
    if (!isText && !ts.isCallExpression(node.parent)) return;
    const calls = new Set(names.filter((name) => functions.has(name)));
    if (calls.size > 0) found.push({ location: sources.locationOf(node), calls });
  };
  for (const file of sources.files) visit(file);
  return found;
}
