/**
 * `npm run db:gen`: applies every migration to a throw-away database and writes down what results, db/schema.sql,
 * the files of the functions, server/db/types.gen.ts and docs/TABLES.md.
 */
import { MigrationError } from '../../server/db/migrate.ts';
import { writeFunctionFiles } from '../lib/database/function-files.ts';
import { writeGenerated, writeSchemaFiles } from '../lib/database/schema-files.ts';
import { withMigrated } from '../lib/database/throw-away.ts';
import { checkSql } from '../sql/check.ts';
import { TABLES_PAGE, tablesPage } from '../sql/ownership.ts';

try {
  await withMigrated(async (url) => {
    await writeSchemaFiles(url);
    await writeFunctionFiles(url);
    writeGenerated(TABLES_PAGE, tablesPage(await checkSql(process.cwd(), url)));
  });
} catch (error) {
  console.error(error instanceof MigrationError ? error.message : error);
  process.exitCode = 1;
}
