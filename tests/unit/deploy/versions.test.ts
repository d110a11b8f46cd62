import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const FILES = ['package-lock.json', 'deploy/Dockerfile', 'deploy/compose.yml', '.nvmrc'];
const folder = mkdtempSync(join(tmpdir(), 'youshi-deploy-'));
mkdirSync(join(folder, 'deploy'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the gate over a copy in which one file is changed. Resolves to its exit code and output. */
function gate(file: string, from: RegExp, to: string): Promise<{ code: number; output: string }> {
  for (const name of FILES) cpSync(name, join(folder, name));
  writeFileSync(join(folder, file), readFileSync(file, 'utf8').replace(from, to));
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/check/check-deploy.mjs', folder], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

test('deploy/ names the versions that the tests run on', async () => {
  expect(await gate('deploy/Dockerfile', /$^/, '')).toEqual({ code: 0, output: '' });
});

test.each([
  ['the first stage of the image', 'deploy/Dockerfile', /node:24[\d.]+/, 'node:24.11.1'],
  [
    'the last stage of the image',
    'deploy/Dockerfile',
    /(?<!AS build[^]*)$|(?<=\n)FROM node:24[\d.]+(?=-bookworm-slim\n)/,
    'FROM node:24.11.1',
  ],
  ['the database', 'deploy/compose.yml', /postgres:18[\d.]+/, 'postgres:18.1'],
  ['an image without a version', 'deploy/compose.yml', /postgres:18[\d.]+-bookworm/, 'postgres'],
  ['the version for nvm', '.nvmrc', /24[\d.]+/, '24.11.1'],
])('fails on another version of %s', async (_, file, from, to) => {
  const { code, output } = await gate(file, from, to);
  expect(output).toContain(`${file}: version`);
  expect(code).toBe(1);
});
