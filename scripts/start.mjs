/**
 * `npm start` and `npm run dev`: installs what is missing, builds pages and server when they changed, and runs the server
 * (`npm run dev` from its sources).
 * It runs on Node 20 without any package; the server itself runs on Node 24, which comes with the packages.
 */
import { join } from 'node:path';
import { ensurePages, ensureServer, serverEntry } from './lib/built.mjs';
import { ensurePackages, findNode, root } from './lib/prerequisites.mjs';
import { isPortFree, portTakenMessage, wantedPort } from './lib/port.mjs';
import { runUntilEnd } from './lib/run.mjs';
import { bold, main, PlainError } from './lib/output.mjs';

await main(async () => {
  const isDev = process.argv.includes('--dev');
  const args = process.argv.slice(2).filter((arg) => arg !== '--dev');
  process.chdir(root);
  console.log(bold('\n游市'));

  // Roles that do not listen (`--worker`) may run beside the one that does.
  const listens = args.length === 0 || args.includes('--web');
  const port = wantedPort();
  if (listens && port !== 0 && !(await isPortFree(port))) throw new PlainError(portTakenMessage(port));

  await ensurePackages();
  const node = findNode();
  if (!isDev) {
    await ensurePages(node);
    await ensureServer(node);
  }

  // Set before the process begins: React chooses between its two builds when it is first loaded.
  const env = isDev ? { NODE_ENV: 'development', DEV: '1' } : { NODE_ENV: 'production' };
  return await runUntilEnd(node, [isDev ? join(root, 'server/main.ts') : serverEntry, ...args], env);
});
