/**
 * `npm start` and `npm run dev`: installs what is missing, builds pages and server when they changed, and runs the server
 * (`npm run dev` from its sources).
 * It runs on Node 20 without any package; the server itself runs on Node 24, which comes with the packages.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { earlyProblems, isProduction, isTrial, prefixedSettings } from './lib/early-settings.mjs';
import { arePagesBuilt, ensurePages, ensureServer, serverEntry } from './lib/built.mjs';
import { ensurePackages, findNode, root } from './lib/prerequisites.mjs';
import { isPortFree, portTakenMessage, wantedPort } from './lib/port.mjs';
import { run, runUntilEnd } from './lib/run.mjs';
import { bold, main, PlainError, speakToOperators, step } from './lib/output.mjs';

/** The first start of a demo market: its database does not exist yet. */
const isFirstStart = () =>
  process.env.DATABASE_URL === undefined &&
  !isTrial(process.env) &&
  [undefined, '1', 'true'].includes(process.env.DEMO) &&
  !existsSync(join(process.env.DATA_DIR ?? '.data', 'postgres.json'));

/**
 * Builds pages and server, in this order: a build of the pages empties the folder. Before a first start the database is filled at the same
 * time, since a build leaves a second processor idle. When that fails, the server tries again at its start and tells why.
 */
async function buildAll(node) {
  const isFilling = !arePagesBuilt() && isFirstStart();
  const filled = isFilling
    ? run(node, [join(root, 'scripts/seed.ts')], { env: { NODE_ENV: 'production' } })
    : undefined;
  await ensurePages(node);
  await ensureServer(node);
  if (isFilling) await step('写入演示数据', () => filled);
}

/** Runs the server's start checks, including those of its database, before minutes are spent on building. Throws PlainError. */
async function checkStart(node, env) {
  const script = `import { loadConfig } from './server/config/config.ts';
    import { refuseBadStart } from './server/config/start-checks.ts';
    try {
      await refuseBadStart(loadConfig(process.env));
    } catch (error) {
      console.log(error.message);
      process.exit(1);
    }`;
  const { code, output } = await run(node, ['--input-type=module', '-e', script], { env });
  if (code !== 0) throw new PlainError(output.trim());
}

await main(async () => {
  const isDev = process.argv.includes('--dev');
  const args = process.argv.slice(2).filter((arg) => arg !== '--dev');
  speakToOperators();
  process.chdir(root);
  console.log(bold('\n游市'));

  // Seconds instead of minutes: nothing is installed or built for settings that the server would refuse.
  Object.assign(process.env, prefixedSettings(process.env));
  const mode = { ...process.env, NODE_ENV: isDev ? 'development' : 'production' };
  const problems = earlyProblems(mode);
  if (problems.length > 0)
    throw new PlainError(
      `设置有误，共 ${problems.length} 处：\n${problems.map((problem, i) => `  ${i + 1}. ${problem}`).join('\n')}\n  各项的含义见 deploy/env.example 和 docs/OPERATIONS.md。`,
    );

  // Roles that do not listen (`--worker`) may run beside the one that does.
  const listens = args.length === 0 || args.includes('--web');
  const port = wantedPort();
  if (listens && port !== 0 && !(await isPortFree(port))) throw new PlainError(portTakenMessage(port));

  await ensurePackages();
  const node = findNode();
  if (isProduction(mode)) await checkStart(node, mode);
  if (!isDev) {
    await buildAll(node);
  }

  // Set before the process begins: React chooses between its two builds when it is first loaded.
  const env = isDev ? { NODE_ENV: 'development', DEV: '1' } : { NODE_ENV: 'production' };
  return await runUntilEnd(node, [isDev ? join(root, 'server/main.ts') : serverEntry, ...args], env);
});
