/**
 * Follows recipes of docs/HOWTO.md in a copy of the working tree, one after another, and then runs what they name: the generated files, types, the
 * direction of imports, the schema and every statement, and their tests that need neither a built market nor a database. Runs on Node 20, without packages.
 */
import { join } from 'node:path';
import { dim, green, red } from '../lib/output.mjs';
import { root } from '../lib/prerequisites.mjs';
import { run } from '../lib/run.mjs';
import { errorCode, goodsType, setting, subject, table } from './code.mjs';
import { staffList, storefrontPage } from './pages.mjs';
import { editorOf, recipeTexts, withCopy } from './workspace.mjs';

const LIMIT_MS = 1_800_000;
const LINES = 40;

/** Every recipe that is executed. `tables`: it changes addresses or calls. */
export const RECIPES = [errorCode, setting, table, subject, goodsType, storefrontPage, staffList];

const bin = (name) => join(root, 'node_modules/.bin', name);

/** The checks of the recipes: name, program and arguments. */
function checksOf(recipes, node, folder) {
  const tests = [...new Set(recipes.flatMap((recipe) => recipe.tests))];
  const info = join(folder, 'tsc.json');
  return [
    ['npm run db:gen', node, ['scripts/generate/db-gen.ts']],
    ...(recipes.some(({ tables }) => tables)
      ? [['tables of docs/spec', node, ['scripts/generate/spec-tables.ts']]]
      : []),
    ['addresses', bin('react-router'), ['typegen']],
    ['types', bin('tsc'), ['--noEmit', '--tsBuildInfoFile', info]],
    ['direction of imports', node, ['scripts/check/direction.mjs']],
    ['schema and statements', node, ['scripts/check/check-database.ts']],
    [
      'tests',
      node,
      [bin('../vitest/vitest.mjs'), 'run', '--project', 'quick', 'tests/unit/documents/spec.test.ts', ...tests],
    ],
  ];
}

/** One step with its line of output; resolves to the failure, or undefined. */
async function stepOf(name, work) {
  const begin = performance.now();
  const message = await work().catch((error) => String(error.message ?? error));
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  console.log(`  ${message === undefined ? green('✓') : red('✗')} ${name} ${dim(`${seconds} s`)}`);
  if (message !== undefined) console.log(message.replace(/^/gm, '      '));
  return message === undefined ? undefined : { name: `recipes › ${name}`, message };
}

/**
 * Follows the named recipes, or all. Resolves to `{ passed, failed, failures }`: one for each recipe and each check.
 * @throws Error for a name that no recipe has
 */
export async function runRecipes(node, { env = {}, names = [] } = {}) {
  const unknown = names.filter((name) => !RECIPES.some((recipe) => recipe.name === name));
  if (unknown.length > 0)
    throw new Error(`unknown recipe: ${unknown.join(' ')}. Recipes: ${RECIPES.map(({ name }) => name).join(' ')}`);
  const recipes = RECIPES.filter(({ name }) => names.length === 0 || names.includes(name));
  const texts = recipeTexts(root);
  return await withCopy(root, async (folder) => {
    const settings = { ...env, PATH: `${join(node, '..')}:${process.env.PATH}`, NO_COLOR: '1' };
    const inCopy = async (program, args) => {
      const end = await run(program, args, { env: settings, cwd: folder, timeoutMs: LIMIT_MS });
      if (end.code === 0) return undefined;
      return end.timedOut ? 'not finished in time' : end.output.trim().split('\n').slice(-LINES).join('\n');
    };
    const steps = [];
    for (const recipe of recipes)
      steps.push(
        await stepOf(`recipe ${recipe.name}`, async () => {
          const text = texts.get(recipe.title);
          if (text === undefined) throw new Error(`docs/HOWTO.md has no recipe "${recipe.title}"`);
          await recipe.apply(editorOf(folder, text), async (args) => {
            const message = await inCopy(node, args);
            if (message !== undefined) throw new Error(message);
          });
        }),
      );
    for (const [name, program, args] of checksOf(recipes, node, folder))
      steps.push(await stepOf(name, async () => await inCopy(program, args)));
    const failures = steps.filter((failure) => failure !== undefined);
    return { passed: steps.length - failures.length, failed: failures.length, failures };
  });
}
