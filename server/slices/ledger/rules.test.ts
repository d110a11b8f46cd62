/** Every transfer code is explained in docs/LEDGER.md. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { postings } from './rules.ts';

test('docs/LEDGER.md names every transfer code', () => {
  const named = new Set(
    Array.from(readFileSync('docs/LEDGER.md', 'utf8').matchAll(/`([a-z_]+)`/g), ([, code]) => code),
  );
  expect(Object.keys(postings).filter((code) => !named.has(code))).toEqual([]);
});
