/** The gates that need no running market: format, lint, types, direction of imports, dead code, drift of the schema. */
import { join } from 'node:path';
import { root } from './prerequisites.mjs';
import { run } from './run.mjs';
import { dim, green, red, since } from './output.mjs';

const STEP_LIMIT_MS = 300_000;
const bin = (name) => join(root, 'node_modules/.bin', name);

const STEPS = [
  { name: '格式 biome', commands: [[bin('biome'), 'format', '.']] },
  { name: '规则 oxlint', commands: [[bin('oxlint'), '--type-aware', '--deny-warnings']] },
  { name: '类型 tsc', commands: [[bin('react-router'), 'typegen'], [bin('tsc')]] },
  { name: '方向 dependency-cruiser', commands: [['node', 'scripts/direction.mjs']] },
  { name: '无用代码 knip', commands: [[bin('knip'), '--no-progress']] },
  { name: '迁移的锁', commands: [['node', 'scripts/check-migrations.ts']] },
  { name: '数据库结构、类型与 SQL', commands: [['node', 'scripts/check-database.ts']] },
];

/** Runs commands one after another until one fails; resolves to what the failing one said. */
async function failureOf(commands, env) {
  for (const [command, ...args] of commands) {
    const { code, output, timedOut } = await run(command, args, { env, timeoutMs: STEP_LIMIT_MS });
    if (timedOut) return `超过 ${STEP_LIMIT_MS / 1000} 秒没有结束`;
    if (code !== 0) return output.trim() || `退出码 ${code}`;
  }
  return undefined;
}

/** Runs every gate, prints one line each and the words of those that fail. Resolves to `{ passed, failed }`. */
export async function runChecks(node) {
  const env = { PATH: `${join(node, '..')}:${process.env.PATH}`, NO_COLOR: '1' };
  let failed = 0;
  for (const { name, commands } of STEPS) {
    const begin = performance.now();
    const failure = await failureOf(commands, env);
    console.log(`  ${failure === undefined ? green('✓') : red('✗')} ${name} ${dim(since(begin))}`);
    if (failure === undefined) continue;
    failed += 1;
    console.log(failure.replace(/^/gm, '      '));
  }
  return { passed: STEPS.length - failed, failed };
}
