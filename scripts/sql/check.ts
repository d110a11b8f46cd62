/** Checks every statement of the sources against a database with the schema. */
import { globSync } from 'node:fs';
import pg from 'pg';
import { Catalogue } from './catalogue.ts';
import { compare } from './compare.ts';
import { isCommand, makesTable } from './commands.ts';
import { type Description, Describer } from './describe.ts';
import { EXCEPTIONS, EXCEPTIONS_FILE, type Exception } from './lists/exceptions.ts';
import { Sources } from './source/program.ts';
import { findStatements, type Findings, type Statement } from './source/statements.ts';
import {
  addCommand,
  addStatement,
  type DatabaseUse,
  HANDED_OVER,
  namedCalls,
  noUse,
  readDatabaseUse,
  type TableUse,
} from './tables.ts';

/** Where statements are written. */
const FOLDERS = ['server', 'subjects', 'db/seed', 'scripts', 'bench'];

/** A problem of one statement. */
export interface Problem {
  location: string;
  /** The file and the function, class or constant that holds the statement. */
  name: string;
  /** The column that it is about; undefined for the statement as a whole. */
  column: string | undefined;
  what: string;
}

export interface Report {
  problems: Problem[];
  statements: number;
  typed: number;
  variants: number;
  /** Columns of which only the declared type says that they are never null. */
  untold: string[];
  needless: string[];
  /** Problems that exceptions allow. */
  excepted: Problem[];
  /** Writes, reads and calls of each statement. */
  uses: StatementUse[];
  database: DatabaseUse;
}

/** Effects of one statement, in all its variants. */
export interface StatementUse extends TableUse {
  location: string;
}

interface Checked {
  statement: Statement;
  descriptions: Description[];
  use: TableUse;
}

/** Every file of the sources that can hold a statement, from `root`. */
export const sourcePaths = (root: string): string[] =>
  FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));

async function describeAll(
  client: pg.ClientBase,
  catalogue: Catalogue,
  statements: readonly Statement[],
): Promise<Checked[]> {
  const describer = new Describer(client, catalogue);
  const checked: Checked[] = [];
  await client.query('begin');
  // Tables that the sources make for one session are there for the statements that read them.
  for (const { text } of statements.flatMap(({ variants }) => variants))
    if (makesTable(text)) await client.query(text.replaceAll(/\$\d+/g, 'null'));
  for (const statement of statements) {
    const descriptions: Description[] = [];
    const use = noUse();
    for (const variant of statement.variants) {
      const text = variant.text.trim();
      if (text === '') continue;
      if (isCommand(text)) {
        addCommand(text, use);
        continue;
      }
      const description = await describer.describe(variant);
      if ('query' in description && description.query) addStatement(description.query, catalogue, use);
      descriptions.push(description);
    }
    checked.push({ statement, descriptions, use });
  }
  await client.query('rollback');
  return checked;
}

class Judge {
  readonly report: Report;
  readonly #sources: Sources;
  readonly #catalogue: Catalogue;
  readonly #exceptions: readonly Exception[];
  readonly #needed = new Set<Exception>();

  constructor(sources: Sources, catalogue: Catalogue, database: DatabaseUse, exceptions: readonly Exception[]) {
    this.#sources = sources;
    this.#catalogue = catalogue;
    this.#exceptions = exceptions;
    const counts = { statements: 0, typed: 0, variants: 0 };
    this.report = { ...counts, problems: [], excepted: [], untold: [], needless: [], uses: [], database };
  }

  findings({ unresolved, loose, idle }: Findings): void {
    for (const { location, name, reason } of unresolved) this.#problem({ location, name }, reason);
    for (const at of loose) this.#problem(at, 'no statement runs this SQL');
    for (const at of idle) this.#problem(at, 'this SQL is only a part of other statements; nothing reads its type');
  }

  #problem({ location, name }: { location: string; name: string }, what: string, column?: string): void {
    const problem = { location, name, column, what };
    const list = this.#isExcepted(problem) ? this.report.excepted : this.report.problems;
    if (!list.some((one) => one.location === location && one.what === what)) list.push(problem);
  }

  #isExcepted({ name, column }: Problem): boolean {
    const found = this.#exceptions.filter((one) => one.name === name && one.column === column);
    for (const one of found) this.#needed.add(one);
    return found.length > 0;
  }

  /** Says which exceptions nothing needs any more. */
  stale(): void {
    for (const one of this.#exceptions.filter((exception) => !this.#needed.has(exception))) {
      const about = one.column === undefined ? one.name : `${one.name} ${one.column}`;
      const { name, column } = one;
      this.report.problems.push({
        name,
        column,
        location: EXCEPTIONS_FILE,
        what: `exception no longer needed: “${about}”; delete it`,
      });
    }
  }

  statement({ statement, descriptions, use }: Checked): void {
    if (!statement.location.startsWith(`${HANDED_OVER}:`))
      this.report.uses.push({ location: statement.location, ...use });
    this.report.statements += 1;
    this.report.variants += descriptions.length;
    if (statement.row) this.report.typed += 1;
    const untold = new Set<string>();
    const needless: string[][] = [];
    for (const description of descriptions) {
      if ('error' in description) {
        this.#problem(statement, description.error);
        continue;
      }
      if (!statement.row) continue;
      const context = { checker: this.#sources.checker, catalogue: this.#catalogue, at: statement.node };
      const found = compare(context, statement.row, description.columns);
      for (const { column, what } of found.differences) this.#problem(statement, `column ${column}: ${what}`, column);
      for (const column of found.untold) untold.add(column);
      needless.push(found.needless);
    }
    for (const column of untold) this.report.untold.push(`${statement.location} ${column}`);
    for (const column of needless[0] ?? [])
      if (needless.every((list) => list.includes(column))) this.report.needless.push(`${statement.location} ${column}`);
  }
}

/**
 * Checks every statement in `paths` (of all sources below `root` by default) against the database behind `url`: that it can be prepared,
 * and that its columns are those of its row type. What `exceptions` name is left out; an exception that nothing needs is a problem too.
 */
export async function checkSql(
  root: string,
  url: string,
  {
    paths = sourcePaths(root),
    exceptions = EXCEPTIONS,
  }: { paths?: readonly string[]; exceptions?: readonly Exception[] } = {},
): Promise<Report> {
  const sources = new Sources(root, paths);
  const findings = findStatements(sources);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const catalogue = await Catalogue.read(client);
    const database = await readDatabaseUse(client);
    const judge = new Judge(sources, catalogue, database, exceptions);
    judge.findings(findings);
    for (const named of namedCalls(sources, database.functions)) judge.report.uses.push({ ...noUse(), ...named });
    for (const checked of await describeAll(client, catalogue, findings.statements)) judge.statement(checked);
    judge.stale();
    return judge.report;
  } finally {
    await client.end();
  }
}
