/**
 * Verifies package.json and package-lock.json of a folder, by default this project: `node scripts/check/check-lock.mjs [FOLDER]`. Prints every
 * fault and exits with 1 when there is one. Runs on Node 20, without packages.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockFaults } from '../lib/lock-faults.mjs';

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)));
const readJson = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

const faults = lockFaults(readJson('package.json'), readJson('package-lock.json'));
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`${faults.length} in all. Run npm run lock (CONTRIBUTING.md, "Dependencies").`);
  process.exitCode = 1;
}
