/**
 * Brings package-lock.json up to date with package.json: `npm run lock` after every change of a dependency.
 *
 * npm runs in an empty folder with only the manifest, the settings and the present lock, so versions stay unless package.json changes
 * them. Beside node_modules npm reads what is installed, and an installed package knows no hash: when the lock was deleted and npm's own
 * record (node_modules/.package-lock.json) is older than a package folder, every installed package loses its `integrity`. npm never adds a lost hash again, so this script asks the registry for it.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lockFaults, nameOf, pathsWithoutHash } from './lib/lock-faults.mjs';
import { root } from './lib/prerequisites.mjs';

const PARALLEL = 4;
const TIMEOUT_MS = 600_000;
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'youshi-lock-'));
const lockFile = join(folder, 'package-lock.json');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const npm = (...args) => run('npm', args, { cwd: folder, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 });

/** The hash that the registry publishes for an exact version; undefined when it has none. */
async function publishedHash({ name, version }) {
  const { stdout } = await npm('view', `${name}@${version}`, 'dist.integrity', '--json');
  const hash = stdout.trim() === '' ? undefined : JSON.parse(stdout);
  return typeof hash === 'string' ? hash : undefined;
}

/** Adds the missing hashes to a parsed lock. Resolves to their number. */
async function addHashes(lock) {
  const paths = pathsWithoutHash(lock);
  const queue = [...paths];
  const worker = async () => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const { name, version, ...rest } = lock.packages[path];
      const integrity = await publishedHash({ name: nameOf(path, { name }), version });
      if (integrity === undefined) continue;
      // npm's own order of fields.
      lock.packages[path] = { ...(name === undefined ? {} : { name }), version, ...rest, integrity };
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return paths.length;
}

try {
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(root, name), join(folder, name));
  await npm('install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
  const added = await addHashes(lock);
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
  // npm sorts the fields of what we added.
  if (added > 0) await npm('install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
  const faults = lockFaults(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    JSON.parse(readFileSync(lockFile, 'utf8')),
  );
  if (faults.length > 0) throw new Error(`package-lock.json is unchanged:\n${faults.join('\n')}`);
  copyFileSync(lockFile, join(root, 'package-lock.json'));
  console.log(`package-lock.json updated, ${added} hashes added`);
} catch (error) {
  console.error(error.stderr?.trim() || error.message);
  process.exitCode = 1;
}
