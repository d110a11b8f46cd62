import { expect, test } from 'vitest';
import { unwrittenProblems, unwrittenTables } from '../../../scripts/sql/lists/unwritten.ts';
import type { StatementUse } from '../../../scripts/sql/check.ts';

const statement = (location: string, ...writes: string[]): StatementUse => ({
  location,
  writes: new Set(writes),
  reads: new Set(),
  calls: new Set(),
});

const database = {
  tables: new Set(['goods', 'league', 'news', 'setting', 'timer']),
  functions: new Map([['order_place', statement('', 'timer')]]),
};

const uses = [
  statement('subjects/goods/server/release.ts:3', 'goods'),
  statement('db/seed/load/content/content.ts:9', 'league', 'news'),
  statement('server/seed.ts:4', 'setting'),
  statement('bench/search.ts:4', 'setting'),
];

test('a table that only the seed or a benchmark writes has no writer; a function of the database is one', () => {
  expect(unwrittenTables({ uses, database })).toEqual(['league', 'news', 'setting']);
});

test('fails for a table without a writer that is not on the list, and for a list that is too long', () => {
  expect(unwrittenProblems({ uses, database }, [{ table: 'league', reason: 'a test' }])).toEqual([
    expect.stringContaining('table news is written only by the seed'),
    expect.stringContaining('table setting is written only by the seed'),
  ]);
  const all = ['league', 'news', 'setting', 'goods'].map((table) => ({ table, reason: 'a test' }));
  expect(unwrittenProblems({ uses, database }, all)).toEqual([
    expect.stringContaining('table goods is written by the program now'),
  ]);
});
