/**
 * `npm run db:function -- NNNN_slug`: writes the migration db/migrations/NNNN_slug.sql that makes the functions (scripts/lib/database/function-files.ts) which the
 * migrations so far do not make so. A function with other parameters or another result is dropped by a line that is added by hand. Then
 * `npm run db:gen`.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { MigrationError } from '../../server/db/migrate.ts';
import { functionDifferences, functionFiles, readFunctions } from '../lib/database/function-files.ts';
import { withMigrated } from '../lib/database/throw-away.ts';

const [slug = ''] = process.argv.slice(2);
const target = `db/migrations/${slug}.sql`;

function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}

if (!/^\d{4}_[a-z0-9_]+$/.test(slug)) refuse('usage: npm run db:function -- 0002_what_changes');
if (existsSync(target)) refuse(`${target} exists`);
try {
  const files = functionFiles();
  const database = await withMigrated(async (url) => await readFunctions(url));
  const { changed, added } = functionDifferences(database, files);
  const names = [...changed, ...added].toSorted();
  if (names.length === 0) refuse('the files of the functions agree with the migrations, nothing to write');
  writeFileSync(
    target,
    `-- Made from the files of the functions: ${names.join(', ')}.\n${names.map((name) => files.get(name)).join('\n\n')}\n`,
  );
  console.log(`${target}：${names.join('、')}`);
} catch (error) {
  refuse(error instanceof MigrationError ? error.message : String(error));
}
