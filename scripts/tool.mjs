/**
 * `node scripts/tool.mjs biome format --write .`: runs a program that only checks, tests and measurements need, or a script that does,
 * after what `npm ci` left out was fetched (decision 462). Runs on Node 20, without packages; the program runs on Node 24.
 */
import { join } from 'node:path';
import { ensurePackages, findNode, root } from './lib/prerequisites.mjs';
import { runUntilEnd } from './lib/run.mjs';
import { main, PlainError } from './lib/output.mjs';

await main(async () => {
  process.chdir(root);
  const [program, ...args] = process.argv.slice(2);
  if (program === undefined) throw new PlainError('用法：node scripts/tool.mjs 程序 参数…');
  await ensurePackages({ tests: true });
  const node = findNode();
  const file = /\.(ts|mjs)$/.test(program) ? join(root, program) : join(root, 'node_modules/.bin', program);
  return await runUntilEnd(node, [file, ...args], { PATH: `${join(node, '..')}:${process.env.PATH}` });
});
