/** Every transfer code is explained in docs/LEDGER.md, and every way out of a platform account in docs/SECURITY.md. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { platformDebits, postings } from './rules.ts';

test('docs/LEDGER.md names every transfer code', () => {
  const named = new Set(
    Array.from(readFileSync('docs/LEDGER.md', 'utf8').matchAll(/`([a-z_]+)`/g), ([, code]) => code),
  );
  expect(Object.keys(postings).filter((code) => !named.has(code))).toEqual([]);
});

test('A3: docs/SECURITY.md gives the second person or the cap of every code by which money leaves a platform account', () => {
  const [, section = ''] = readFileSync('docs/SECURITY.md', 'utf8').split('### Money that leaves the platform');
  const rows = (section.split(/^#/m)[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  const listed = new Map(
    rows.flatMap((row) => {
      const [, codes = '', path = '', limit = ''] = row.split('|').map((cell) => cell.trim());
      return Array.from(
        codes.matchAll(/`([a-z_]+)`/g),
        ([, code = '']) => [code, path !== '' && limit !== ''] as const,
      );
    }),
  );
  expect([...listed.keys()].toSorted()).toEqual([...platformDebits].toSorted());
  expect([...listed].filter(([, isComplete]) => !isComplete)).toEqual([]);
  expect(platformDebits.length).toBeGreaterThan(5);
});
