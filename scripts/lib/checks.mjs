/** The gates that need no running market: format, lint, types, direction of imports, dead code, drift of the schema. */
import { join } from 'node:path';
import { root } from './prerequisites.mjs';
import { run } from './run.mjs';
import { dim, green, red } from './output.mjs';

const STEP_LIMIT_MS = 300_000;
const bin = (name) => join(root, 'node_modules/.bin', name);

/** Every gate; those with `quick` are also part of `npm run test:change`, which omits gates that check the whole project or need a database. */
const STEPS = [
  { name: 'lock file', quick: true, commands: [['node', 'scripts/check/check-lock.mjs']] },
  { name: 'versions in deploy/', quick: true, commands: [['node', 'scripts/check/check-deploy.mjs']] },
  { name: 'index of decisions', quick: true, commands: [['node', 'scripts/generate/decisions.mjs', '--check']] },
  { name: 'format (biome)', quick: true, commands: [[bin('biome'), 'format', '.']] },
  { name: 'rules (oxlint)', quick: true, commands: [[bin('oxlint'), '--type-aware', '--deny-warnings']] },
  { name: 'types (tsc)', quick: true, commands: [[bin('react-router'), 'typegen'], [bin('tsc')]] },
  { name: 'types of browsers', quick: true, commands: [[bin('tsc'), '-p', 'tsconfig.browser.json']] },
  { name: 'direction of imports', commands: [['node', 'scripts/check/direction.mjs']] },
  { name: 'dead code (knip)', commands: [[bin('knip'), '--no-progress']] },
  { name: 'locks of migrations', quick: true, commands: [['node', 'scripts/check/check-migrations.ts']] },
  { name: 'schema, types and SQL', commands: [['node', 'scripts/check/check-database.ts']] },
];

/** Runs commands one after another until one fails; resolves to the output of that one. */
async function failureOf(commands, env) {
  for (const [command, ...args] of commands) {
    const { code, output, timedOut } = await run(command, args, { env, timeoutMs: STEP_LIMIT_MS });
    if (timedOut) return `not finished after ${STEP_LIMIT_MS / 1000} seconds`;
    if (code !== 0) return output.trim() || `ended with ${code}`;
  }
  return undefined;
}

/**
 * Runs every gate, with `quickOnly` the quick ones, and prints one line each and the output of those that fail. `env` is added to theirs.
 * Resolves to `{ passed, failed, skipped, failures }`.
 */
export async function runChecks(node, { quickOnly = false, env = {} } = {}) {
  const ownEnv = { ...env, PATH: `${join(node, '..')}:${process.env.PATH}`, NO_COLOR: '1' };
  const steps = STEPS.filter(({ quick }) => quick === true || !quickOnly);
  const failures = [];
  for (const { name, commands } of steps) {
    const begin = performance.now();
    const failure = await failureOf(commands, ownEnv);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`  ${failure === undefined ? green('✓') : red('✗')} ${name} ${dim(`${seconds} s`)}`);
    if (failure === undefined) continue;
    failures.push({ name: `check › ${name}`, message: failure.split('\n').slice(0, 20).join('\n      ') });
    console.log(failure.replace(/^/gm, '      '));
  }
  return { passed: steps.length - failures.length, failed: failures.length, skipped: 0, failures };
}
