/** Checks that the server runs under plain Node, which is stricter than Vitest. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Runs a module in a plain Node and returns its output. */
const inNode = (script: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();

test('the server formats a network itself', () => {
  const script = `const { regionOf } = await import('./server/kernel/region.ts'); console.log(regionOf('114.114.114.114'));`;
  expect(inNode(script)).toBe('江苏南京');
});

test('a default import of a package is its default, not the module object', () => {
  const files = globSync(['server/**/*.ts', 'subjects/**/*.ts', 'contract/**/*.ts', 'scripts/**/*.ts']);
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^import (?!type )\w+(?:, \{[^}]*\})? from '([^'.#]+)'/gm)].map(
      ([, name]) => name ?? '',
    ),
  );
  const packages = [...new Set(named)].filter((name) => !name.startsWith('node:'));
  expect(packages.length).toBeGreaterThan(5);
  const script = `const wrapped = [];
    for (const name of ${JSON.stringify(packages)}) {
      const { default: inner } = await import(name);
      if (inner?.__esModule === true && 'default' in inner && Object.keys(inner).length === 1) wrapped.push(name);
    }
    console.log(JSON.stringify(wrapped));`;
  expect(JSON.parse(inNode(script))).toEqual([]);
});
