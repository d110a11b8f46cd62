/**
 * The search itself must not rot: it still finds what some rules keep out once they are off, and each mutant still names a piece of the
 * present source. All of them are run by `npm run bench -- cheats --mutants`.
 */
import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { testApp } from '#tests/support/servers/build.ts';
import { databaseOf, superuserClient } from '#tests/support/database/database.ts';
import { FINDINGS } from '../rules/findings.ts';
import { KNOWN } from '../rules/known.ts';
import { changed, mutantOf, MUTANTS } from './mutants.ts';
import { runSearch } from '../run.ts';

const QUICK = ['release-over-open-steps', 'seen-goods-pushed', 'login-is-enough', 'silence-pays-all'];
const ENOUGH_ACTIONS = 12_000;

test('each source text that a mutant changes occurs once', async () => {
  const t = await testApp();
  const client = await superuserClient(databaseOf(t.ctx));
  try {
    const { rows: constraints } = await client.query<{ name: string }>(
      "select conrelid::regclass || ' ' || conname as name from pg_constraint where conrelid <> 0",
    );
    for (const { name, changes, drops = [] } of MUTANTS) {
      const gone = drops.filter((drop) => !constraints.some((found) => found.name === drop));
      expect(gone, name).toEqual([]);
      const texts = new Map<string, string>();
      for (const change of changes) {
        const where = 'file' in change ? change.file : change.sql;
        const { rows } =
          'file' in change
            ? { rows: [{ body: readFileSync(change.file, 'utf8') }] }
            : await client.query<{ body: string }>('select pg_get_functiondef($1::regproc) as body', [change.sql]);
        texts.set(where, changed(texts.get(where) ?? rows[0]?.body ?? '', change, `${name}: ${where}`));
      }
    }
  } finally {
    await client.end();
    await t.close();
  }
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

test('each finding is known and open, or fixed and has a mutant', () => {
  const names = FINDINGS.map(({ name }) => name);
  const fixed = new Set(MUTANTS.flatMap(({ finding }) => finding ?? []));
  const open = new Set(KNOWN);
  expect(names.filter((name) => !open.has(name) && !fixed.has(name))).toEqual([]);
  expect(names.filter((name) => open.has(name) && fixed.has(name))).toEqual([]);
  expect(open.size).toBe(KNOWN.length);
});

test.each(QUICK)('the search finds a profitable cheat with %s', { timeout: 900_000 }, async (name) => {
  const cluster = inject('testCluster');
  const out = await runSearch(cluster, { actions: ENOUGH_ACTIONS, seed: 1, seats: 4, mutant: mutantOf(name) });
  console.log(`${name}: found after ${out.actions} acts`);
  expect(out.found).toBeGreaterThan(0);
  expect(out.stories[0]).toMatch(/=> promise [1-5]/);
});
