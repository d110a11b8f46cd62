/** A gate of `npm run check`: no migration keeps readers or writers waiting while a large table is read or rewritten. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrations } from '../../server/db/migrate.ts';
import { migrationProblems } from '../lib/database/migration-gate.ts';

const DIR = 'db/migrations';
const problems = readMigrations(DIR).flatMap(({ name }) => {
  const file = join(DIR, name);
  return migrationProblems(file, readFileSync(file, 'utf8'));
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
