/**
 * `npm run db:gen`: applies every migration to a throw-away database and writes down what results, db/schema.sql and
 * server/db/types.gen.ts.
 */
import { MigrationError } from '../server/db/migrate.ts';
import { writeSchemaFiles } from './lib/schema-files.ts';
import { withMigrated } from './lib/throw-away.ts';

try {
  await withMigrated(writeSchemaFiles);
} catch (error) {
  console.error(error instanceof MigrationError ? error.message : error);
  process.exitCode = 1;
}
