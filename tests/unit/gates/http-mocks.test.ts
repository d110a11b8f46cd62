/** Tests share a process with others: one that puts a separate module in the place of another needs a process to itself. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every test that replaces modules is in a list of those with a process to themselves', () => {
  const config = readFileSync('vitest.config.ts', 'utf8');
  const listed = [...config.matchAll(/const \w+_MOCKS = \[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name),
  );
  const files = globSync([
    '{server,subjects,contract,web,db}/**/*.test.{ts,tsx}',
    'tests/{http,unit,vendors}/**/*.test.{ts,tsx}',
  ]);
  const replacing = files.filter((name) => /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(name, 'utf8')));
  expect(replacing.length).toBeGreaterThan(0);
  expect(new Set(listed)).toEqual(new Set(replacing));
});
