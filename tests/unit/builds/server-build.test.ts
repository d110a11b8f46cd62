import { isBuiltin } from 'node:module';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const BUILT = join(process.cwd(), 'build/server.mjs');
const scratch = mkdtempSync(join(tmpdir(), 'youshi-build-'));

beforeAll(async () => {
  // By a computed address: a plain script has no types to import.
  const built = (await import(pathToFileURL(join(process.cwd(), 'scripts/lib/built.mjs')).href)) as {
    ensureServer(node: string): Promise<void>;
  };
  await built.ensureServer(process.execPath);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs the built server with settings that it refuses, until it ends. Resolves to what it said. */
function failedStart(env: Record<string, string>): Promise<string> {
  const { DATABASE_URL: _none, ...outer } = process.env;
  return new Promise((resolve) => {
    const options = { env: { ...outer, DATA_DIR: scratch, ...env }, timeout: 120_000 };
    execFile(process.execPath, ['build/main.js'], options, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

test('the server is one file, without packages except shared ones, native programs and development tools', () => {
  const named = [...readFileSync(BUILT, 'utf8').matchAll(/^import .*? from "([^"]+)";$/gm)].map(
    ([, name]) => name ?? '',
  );
  const packages = new Set(named.filter((name) => !isBuiltin(name)));
  expect([...packages].sort()).toEqual(['@node-rs/argon2', 'react-router', 'sharp']);
});

test('a stack trace of the built server names the source and its line, and the start leaves a compile cache', async () => {
  const said = await failedStart({ YOUSHI_PORT: 'none', LOG_LEVEL: 'debug', NODE_ENV: 'production' });
  const [, line] = /at loadConfig \(.*server\/config\/config\.ts:(\d+):\d+\)/.exec(said) ?? [];
  expect(said).toContain('PORT');
  expect(Number(line)).toBeGreaterThan(0);
  expect(readFileSync('server/config/config.ts', 'utf8').split('\n').length).toBeGreaterThan(Number(line));
  expect(existsSync(join(process.cwd(), 'build/compiled'))).toBe(true);
});

test('its source map contains no sources: they are next to it', () => {
  const map = JSON.parse(readFileSync(`${BUILT}.map`, 'utf8')) as { sources: string[]; sourcesContent?: unknown };
  expect(map.sources.some((source) => source.endsWith('server/main.ts'))).toBe(true);
  expect(map.sourcesContent).toBeUndefined();
});
