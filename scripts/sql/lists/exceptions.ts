/** Exceptions of the SQL check, with their reasons. The list may only become shorter. */

export interface Exception {
  /** The file and the function, class or constant that holds the statement, as the check names them. */
  name: string;
  /** The column that may be null in the schema but not here; absent for a statement that cannot be followed. */
  column?: string;
  reason: string;
}

export const EXCEPTIONS_FILE = 'scripts/sql/lists/exceptions.ts';

export const EXCEPTIONS: readonly Exception[] = [
  { name: 'server/db/migrate.ts applyOnce', reason: 'runs the text of a migration file' },
  { name: 'server/db/migrate.ts applyAlone', reason: 'runs the text of a migration file' },
  { name: 'server/db/embedded.ts createDatabase', reason: 'a command that makes a role of a name from a list' },
  { name: 'db/seed/load/indexes.ts makeIndexes', reason: 'makes again an index whose text the database told' },
  { name: 'scripts/sql/describe.ts Describer', reason: 'the statement that is being checked' },
  { name: 'scripts/sql/check.ts describeAll', reason: 'a command of the sources that is being checked' },
  {
    name: 'server/backup/replication.ts Replication',
    reason: 'commands of the replication protocol, which cannot be prepared',
  },
  {
    name: 'bench/search/list.ts endToEnd',
    reason: 'a statement recorded from the running application, checked where it is written',
  },
  {
    name: 'bench/search/list.ts measure',
    reason: 'a statement recorded from the running application, checked where it is written',
  },
  {
    name: 'bench/books/trade.ts bareScript',
    reason: 'a statement recorded from the running application, checked where it is written',
  },
];
