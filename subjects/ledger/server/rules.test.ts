/** Every transfer code is explained in docs/LEDGER.md, and every way out of a platform account in docs/SECURITY.md. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { platformDebits, postings, refundCodes, refundSum } from './rules.ts';

test('docs/LEDGER.md names every transfer code', () => {
  const named = new Set(
    Array.from(readFileSync('docs/LEDGER.md', 'utf8').matchAll(/`([a-z_]+)`/g), ([, code]) => code),
  );
  expect(Object.keys(postings).filter((code) => !named.has(code))).toEqual([]);
});

/** The names of the platform's own accounts, and of the balance of its recycler, from which only bids and orders are paid. */
const OWN_NAMES = ['包赔基金', '平台优惠支出', '平台回收余额', '平台回收支出', '平台手续费'];

test('every account that is named as the platform’s is known, so that a new way out cannot miss the list', () => {
  const names = new Set(Object.values(postings).flatMap(({ from, to }): string[] => [from, to]));
  expect([...names].filter((name) => /平台|基金/.test(name)).toSorted()).toEqual(OWN_NAMES.toSorted());
  const known = OWN_NAMES.filter((name) => name !== '平台回收余额');
  const leaving = Object.values(postings).filter(({ from }) => known.includes(from));
  expect(leaving).toHaveLength(platformDebits.length);
});

test('A3: docs/SECURITY.md gives the second person or the cap of every code by which money leaves a platform account', () => {
  const [, section = ''] = readFileSync('docs/SECURITY.md', 'utf8').split('### Money that leaves the platform');
  const rows = (section.split(/^#/m)[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  const places = rows.flatMap((row) =>
    Array.from(row.split('|')[4]?.matchAll(/`([\w/-]+\.ts)`/g) ?? [], ([, file = '']) => file),
  );
  expect(places.filter((file) => !existsSync(file))).toEqual([]);
  expect(places.length).toBeGreaterThan(rows.length / 2);
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

test('a refund is the sum of every code by which money comes back', () => {
  const [, codes = ''] = /in \(([^)]*)\)/.exec(refundSum) ?? [];
  expect(codes.split(', ')).toEqual(refundCodes.map((code) => `'${code}'`));
});
