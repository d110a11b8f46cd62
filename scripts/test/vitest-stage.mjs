/** Runs projects of vitest.config.ts as a stage. Runs on Node 20, without packages. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { vitestFailures } from '../lib/failures.mjs';
import { root } from '../lib/prerequisites.mjs';
import { run } from '../lib/run.mjs';
import { tally } from '../lib/tally.mjs';

const vitestCount = (json) => ({
  passed: json.numPassedTests,
  failed: json.numFailedTests,
  skipped: json.numPendingTests + json.numTodoTests,
  failures: vitestFailures(json),
  files: json.testResults.map(({ name, startTime, endTime }) => ({ name, ms: Math.round(endTime - startTime) })),
});

/**
 * Runs the projects' files, all or the named ones. Resolves to `{ passed, failed, skipped, failures, files }`, and `output` when `isQuiet`.
 * `more` are further arguments of Vitest.
 */
export async function runVitest({ node, env, folder, isQuiet }, projects, { limitMs, files = [], more = [] }) {
  const file = join(folder, `vitest-${randomUUID()}.json`);
  const args = ['run', ...projects.flatMap((name) => ['--project', name]), ...files, ...more];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const end = await run(node, [program, ...args, ...reporters], { env, show: !isQuiet, timeoutMs: limitMs });
  return { ...tally(file, vitestCount, end), ...(isQuiet && { output: end.output }) };
}
