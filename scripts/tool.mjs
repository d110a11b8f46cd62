/**
 * `node scripts/tool.mjs biome format --write .`: runs a program that only checks, tests and measurements need, or a script that does,
 * after what `npm ci` left out was fetched (decision 462). A measurement has the checkout to itself, like a run of tests, and leaves nothing
 * behind. Runs on Node 20, without packages; the program runs on Node 24.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ensureBrowser } from './lib/browsers/browser.mjs';
import { ensurePackages, findNode, root } from './lib/prerequisites.mjs';
import { run, runUntilEnd } from './lib/run.mjs';
import { main, PlainError } from './lib/output.mjs';
import { openSession } from './lib/session.mjs';

const BENCH = 'bench/run.mjs';
/** A day: the longest measurement fills a market with a million goods. */
const BENCH_LIMIT_MS = 86_400_000;

/** The path of a browser as a setting, where the measurement drives one. */
async function browserOf(name = '') {
  const source = readdirSync(join(root, 'bench'), { recursive: true, encoding: 'utf8' }).find((path) =>
    [`${name}.ts`, `${name}.mjs`].includes(basename(path)),
  );
  const needsBrowser =
    source !== undefined && /\bBROWSER_PATH\b|chromium/.test(readFileSync(join(root, 'bench', source), 'utf8'));
  return needsBrowser ? { BROWSER_PATH: await ensureBrowser() } : {};
}

/** Runs a measurement in a folder that is removed with every process in it. */
async function measure(node, args, env) {
  const session = await openSession({ command: ['npm run bench --', ...args].join(' ') });
  try {
    const browser = await browserOf(args[0]);
    const program = [join(root, BENCH), ...args];
    return (
      await run(node, program, {
        env: { ...env, ...browser, TMPDIR: session.folder },
        show: true,
        timeoutMs: BENCH_LIMIT_MS,
      })
    ).code;
  } finally {
    await session.close();
  }
}

await main(async () => {
  process.chdir(root);
  const [program, ...args] = process.argv.slice(2);
  if (program === undefined) throw new PlainError('Usage: node scripts/tool.mjs PROGRAM ARGUMENTS…');
  await ensurePackages({ tests: true });
  const node = findNode();
  const env = { PATH: `${join(node, '..')}:${process.env.PATH}` };
  if (program === BENCH && args.length > 0) return await measure(node, args, env);
  const file = /\.(ts|mjs)$/.test(program) ? join(root, program) : join(root, 'node_modules/.bin', program);
  return await runUntilEnd(node, [file, ...args], env);
});
