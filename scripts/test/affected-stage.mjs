/** The stage of `npm run test:change` that runs the HTTP tests of a change. Runs on Node 20. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedFiles, filesOf } from '../lib/git.mjs';
import { root } from '../lib/prerequisites.mjs';
import { chooseTests } from './affected.mjs';
import { readMap } from './touched-map.mjs';
import { runVitest } from './vitest-stage.mjs';

const LIMIT_MS = 480_000;

const read = (file) => readFileSync(join(root, file), 'utf8');

/** Tables and their owners, as subjects/table-owners.ts names them. */
const ownersOf = () =>
  [...read('subjects/table-owners.ts').matchAll(/^ {2}(\w+): \[\s*'([\w-]+)'/gm)].map(([, table, owner]) => [
    table,
    owner,
  ]);

/** Runs what `chooseTests` chooses for the files that differ from the main branch. */
export async function runAffected(context) {
  const changed = changedFiles();
  if (changed === undefined)
    return { passed: 0, failed: 0, skips: ['without a git repository nobody knows what changed'] };
  const files = (filesOf() ?? []).filter((file) => existsSync(join(root, file)));
  const project = {
    tests: files.filter((file) => /^tests\/http\/.*\.test\.ts$/.test(file)),
    sources: files.filter((file) => /^(server|contract|subjects)\/.*\.ts$/.test(file)),
    owners: ownersOf(),
    read,
    exists: (file) => existsSync(join(root, file)),
  };
  const chosen = chooseTests(changed, readMap(), project);
  console.log(`  ${chosen.length} of ${project.tests.length} HTTP test files for ${changed.length} changed files`);
  for (const file of chosen) console.log(`    ${file}`);
  if (chosen.length === 0) return { passed: 0, failed: 0, skips: ['the change affects no HTTP test'] };
  return await runVitest(context, ['http', 'http-mocks'], { limitMs: LIMIT_MS, files: chosen });
}
