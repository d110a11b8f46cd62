/**
 * A gate of `npm run check`: applies every migration to a throw-away database, compares what results with the committed schema,
 * functions and types, checks every statement of the sources against it, and checks that each table is written only by its owner
 * and that none is written only by the seed or a migration (docs/STYLE.md, SQL).
 */
import { MigrationError } from '../../server/db/migrate.ts';
import { functionDrift } from '../lib/database/function-files.ts';
import { driftOf, schemaDrift } from '../lib/database/schema-files.ts';
import { withMigrated } from '../lib/database/throw-away.ts';
import { checkSql, type Report } from '../sql/check.ts';
import { ownershipProblems, TABLES_PAGE, tablesPage } from '../sql/ownership.ts';
import { unwrittenProblems } from '../sql/lists/unwritten.ts';

function sentences(report: Report): string[] {
  return report.problems.map(({ location, what }) => `${location} ${what}`);
}

const summary = ({ statements, typed, variants, excepted, untold }: Report): string =>
  `${statements} statements (${variants} variants), ${typed} with a row type; ${excepted.length} exceptions; ${untold.length} columns whose nullability only the type says`;

try {
  const [drift, report] = await withMigrated(
    async (url) =>
      [[...(await schemaDrift(url)), ...(await functionDrift(url))], await checkSql(process.cwd(), url)] as const,
  );
  const page = driftOf(TABLES_PAGE, tablesPage(report));
  const rules = [...ownershipProblems(report), ...unwrittenProblems(report)];
  const problems = [...drift, ...sentences(report), ...rules, ...page];
  for (const problem of problems) console.error(problem);
  console.log(summary(report));
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof MigrationError ? error.message : error);
  process.exitCode = 1;
}
