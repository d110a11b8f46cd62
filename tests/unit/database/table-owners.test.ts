import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSql, type Report } from '../../../scripts/sql/check.ts';
import { type Ownership, OWNERSHIP, ownershipProblems, partOf, tablesPage } from '../../../scripts/sql/ownership.ts';
import type { WriteException } from '../../../scripts/sql/lists/write-exceptions.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { TABLE_OWNERS } from '#subjects/table-owners.ts';

const root = join(import.meta.dirname, '../../..');
let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'table-owners-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

/** Runs the check on sources with these statements in these files. */
async function planted(sources: Readonly<Record<string, string>>): Promise<Report> {
  const paths = Object.keys(sources);
  for (const path of paths) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const head = `import { type Kysely, sql } from 'kysely';\ndeclare const db: Kysely<unknown>;\n`;
    writeFileSync(file, `${head}${sources[path]}\nexport {};\n`);
  }
  const report = await checkSql(folder, database.ownerUrl, { paths, exceptions: [] });
  expect(report.problems).toEqual([]);
  for (const part of ['server', 'subjects']) rmSync(join(folder, part), { recursive: true, force: true });
  return report;
}

/** The owners of the sources with other exceptions; the functions' own writes are excepted, as they are nothing of the planted files. */
function ownership(report: Report, exceptions: readonly WriteException[] = []): Ownership {
  const reason = 'a test';
  const functions = [...report.database.functions].flatMap(([name, { writes }]) =>
    [...writes]
      .filter((table) => TABLE_OWNERS[table as keyof typeof TABLE_OWNERS][0] !== OWNERSHIP.functions[name])
      .map((table) => ({ writer: `${name}()`, table, statements: 1, reason })),
  );
  return { tables: TABLE_OWNERS, functions: OWNERSHIP.functions, exceptions: [...functions, ...exceptions] };
}

const problemsOf = async (sources: Readonly<Record<string, string>>): Promise<string[]> => {
  const report = await planted(sources);
  return ownershipProblems(report, ownership(report));
};

const UPDATE = "await sql`update app_user set nick_name = ${'x'} where id = ${1}`.execute(db);";

test('allows writes by the owner, and reads by all', async () => {
  expect(
    await problemsOf({
      'subjects/accounts/server/a.ts': UPDATE,
      'subjects/chat/server/b.ts': 'await sql`select id from app_user for update`.execute(db);',
      'db/seed/c.ts': UPDATE,
    }),
  ).toEqual([]);
});

test('finds a subject that writes tables of others, anywhere in the statement', async () => {
  const writes = [
    UPDATE,
    'await sql`insert into session select * from session on conflict do nothing`.execute(db);',
    'await sql`with gone as (delete from hold where id = ${1} returning id) select count(*) from gone`.execute(db);',
    'await sql`truncate news`.execute(db);',
  ];
  const problems = await problemsOf({ 'subjects/chat/server/b.ts': writes.join('\n') });
  expect(problems).toEqual([
    'subjects/chat/server/b.ts:3 chat writes table app_user of accounts: call its service.ts',
    'subjects/chat/server/b.ts:4 chat writes table session of access: call its service.ts',
    'subjects/chat/server/b.ts:5 chat writes table hold of ledger: call its service.ts',
    'subjects/chat/server/b.ts:6 chat writes table news of content: call its service.ts',
  ]);
});

test('recognises writes by a database function, called in a statement or by its name', async () => {
  const calls = `await sql\`select quick_coin_take(\${1}, 1, 1)\`.execute(db);
    declare const run: (name: string) => void;
    run('goods_reserve');`;
  const problems = await problemsOf({ 'subjects/quick-coin/server/a.ts': calls });
  expect(problems).toEqual([
    'subjects/quick-coin/server/a.ts:5 quick-coin writes table goods of goods: call its service.ts',
    'subjects/quick-coin/server/a.ts:5 quick-coin writes table goods_search of goods: call its service.ts',
  ]);
});

test('allows the number of statements of an exception, and reports when there are fewer', async () => {
  const report = await planted({ 'subjects/chat/server/b.ts': `${UPDATE}\n${UPDATE}` });
  const said = (statements: number): string[] =>
    ownershipProblems(report, ownership(report, [{ writer: 'chat', table: 'app_user', statements, reason: 'a test' }]));
  expect(said(2)).toEqual([]);
  expect(said(1)).toEqual([expect.stringContaining('permits 1 places, there are 2')]);
  expect(said(3)).toEqual([expect.stringContaining('permits 3 places, there are only 2')]);
});

test('requires an owner for every table and every writing function, and no others', async () => {
  const report = await planted({});
  const { tables, functions, exceptions } = ownership(report);
  const { goods: _goods, ...fewer } = tables;
  const { goods_price_kept: _kept, ...fewerFunctions } = functions;
  const problems = ownershipProblems(report, {
    tables: { ...fewer, stall: ['goods', 'Stalls'] },
    functions: { ...fewerFunctions, sell: 'goods' },
    exceptions,
  });
  for (const what of [
    'names no owner of table goods',
    'names stall',
    'names no owner of writing function goods_price_kept',
    'names sell',
  ])
    expect(problems).toContainEqual(expect.stringContaining(what));
});

test('lists the owner, readers and other writers of a table', async () => {
  const report = await planted({
    'subjects/chat/server/b.ts':
      'await sql`update news set title = (select min(nick_name) from app_user)`.execute(db);',
  });
  const page = tablesPage(report, ownership(report));
  expect(page).toMatch(/\| `news` \| content \| [^|]+ \| {2}\| chat \|/);
  expect(page).toMatch(/\| `app_user` \| accounts \| [^|]+ \| (?:[\w-]+, )*chat(?:, [\w-]+)* \|/);
});

test('returns the subject of a file', () => {
  expect(
    [
      'subjects/quick-coin/server/view.ts:3',
      'server/jobs/effect-writer.ts:1',
      'server/audit/audit-chain.ts',
      'server/app.ts',
      'db/seed/fill.ts:9',
    ].map(partOf),
  ).toEqual(['quick-coin', 'jobs', 'audit', 'server', 'seed']);
});
