import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSql, type Report } from '../../../scripts/sql/check.ts';
import type { Exception } from '../../../scripts/sql/lists/exceptions.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';

const root = join(import.meta.dirname, '../../..');
let folder: string;
let database: TestDatabase;
let files = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  // Below the root, so that the planted sources find the packages.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'check-sql-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

/** The check's problems for one file of statements. */
async function checked(source: string, exceptions: readonly Exception[] = []): Promise<Report> {
  const file = join(folder, `planted-${files++}.ts`);
  const head = `import { type Kysely, type RawBuilder, sql } from 'kysely';\ndeclare const db: Kysely<unknown>;\n`;
  writeFileSync(file, `${head}${source}\nexport {};\n`);
  return await checkSql(root, database.ownerUrl, { paths: [relative(root, file)], exceptions });
}

/** The text of each problem of a statement, without its location. */
const problemsOf = async (source: string): Promise<string[]> =>
  (await checked(source)).problems.map(({ what }) => what);

test('a statement that matches the schema is accepted', async () => {
  const report = await checked(`
    const id: number = 1;
    await sql<{ id: number; nick_name: string; email_enc: Buffer | null; n: number; at: Date; ok: boolean }>\`
      select id, nick_name, email_enc, (select count(*) from goods)::int as n, now() as at, \${id} > 0 as ok from app_user\`.execute(db);
    await sql\`update app_user set nick_name = \${'x'} where id = \${id}\`.execute(db);`);
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ statements: 2, typed: 1, variants: 2, untold: [], excepted: [] });
});

test('finds a renamed column, in a statement and in a type', async () => {
  expect(await problemsOf('await sql`select nickname from app_user`.execute(db);')).toEqual([
    expect.stringContaining('column "nickname" does not exist'),
  ]);
  expect(await problemsOf('await sql<{ nickName: string }>`select nick_name from app_user`.execute(db);')).toEqual([
    'column nick_name: the statement has this column, the type does not',
    'column nickName: the type has this column, the statement does not',
  ]);
});

test('finds a wrong type, as the client reads it', async () => {
  const [number, date, list] = await problemsOf(`
    await sql<{ id: string }>\`select id from app_user\`.execute(db);
    await sql<{ created_at: string }>\`select created_at from app_user\`.execute(db);
    await sql<{ games: string[] }>\`select array_agg(id) as games from game group by hot\`.execute(db);`);
  expect(number).toBe('column id: int8 is read as number, the type says string');
  expect(date).toBe('column created_at: timestamptz is read as Date, the type says string');
  expect(list).toContain('is read as number[], the type says string[]');
  expect(await problemsOf('await sql<{ n: bigint }>`select count(*) as n from game`.execute(db);')).toEqual([
    'column n: int8 is read as number, the type says bigint',
  ]);
});

test('finds null where the type has none', async () => {
  const statement = (columns: string, type: string, rest: string): string =>
    `await sql<{ x: ${type} }>\`select ${columns} as x from ${rest}\`.execute(db);`;
  const wrong = [
    statement('erase_at', 'Date', 'app_user'),
    statement('g.title', 'string', 'app_user u left join goods g on g.seller_id = u.id'),
    statement('sum(o.total_fen)', 'number', 'orders o'),
    statement('case when u.id = 1 then 1 end', 'number', 'app_user u'),
    statement('(select g.area_id from goods g limit 1)', 'number', 'app_user u'),
    statement('lag(id) over (order by id)', 'number', 'app_user'),
    statement('nullif(id, 3)', 'number', 'app_user'),
    statement('v.x', 'string', '(values (nick(1)), (null)) v(x)').replace('nick(1)', "'a'"),
  ];
  const problems = await problemsOf(wrong.join('\n'));
  expect(problems).toHaveLength(wrong.length);
  for (const problem of problems) expect(problem).toMatch(/^column x: may be null/);
});

test('recognises what cannot be null', async () => {
  const right = [
    'select erase_at as x from app_user where erase_at > now()',
    'select coalesce(erase_at, now()) as x from app_user',
    'select g.created_at as x from app_user u left join goods g on g.seller_id = u.id where g.id > 3',
    'select max(created_at) as x from app_user group by status',
    'with a as (select created_at from app_user union all select created_at from goods) select created_at as x from a',
    'update app_user set erase_at = now() where id = 1 returning erase_at as x',
  ];
  expect(await problemsOf(right.map((text) => `await sql<{ x: Date }>\`${text}\`.execute(db);`).join('\n'))).toEqual(
    [],
  );
  const loosely = await checked(
    'await sql<{ x: number }>`select (select id from goods where id = u.id) as x from app_user u`.execute(db);',
  );
  expect(loosely.problems).toEqual([]);
  expect(loosely.untold).toHaveLength(1);
});

test('finds a missing property and a statement that cannot be parsed', async () => {
  expect(await problemsOf('await sql<{ id: number }>`select id, status from app_user`.execute(db);')).toEqual([
    'column status: the statement has this column, the type does not',
  ]);
  expect(await problemsOf('await sql`selct 1`.execute(db);')).toEqual([expect.stringContaining('syntax error')]);
});

test('follows fragments, functions, lists and conditions to every text of a statement', async () => {
  const report = await checked(`
    const COLUMNS = sql\`u.id, u.nick_name as name\`;
    const ofSite = (site: number | null, column: RawBuilder<unknown>) => (site === null ? sql\`\` : sql\`and \${column} = \${site}\`);
    const ORDERS = { id: sql.ref('u.id'), name: sql\`u.nick_nam\` };
    export async function list(site: number | null, word: string | undefined, order: keyof typeof ORDERS) {
      const parts = [sql\`u.status = 1\`];
      if (word !== undefined) parts.push(sql\`u.nick_name = \${word}\`);
      for (const one of [1, 2]) parts.push(sql\`u.id <> \${one}\`);
      const { rows } = await sql<{ id: number; name: string }>\`select \${COLUMNS} from app_user u
        where \${sql.join(parts, sql\` and \`)} \${ofSite(site, sql\`u.dist\`)} order by \${ORDERS[order]}\`.execute(db);
      return rows;
    }`);
  const words = report.problems.map(({ what }) => what);
  const [site, order] = ['column u.dist does not exist', 'column u.nick_nam does not exist'];
  for (const planted of [site, order]) expect(words.some((what) => what.startsWith(planted))).toBe(true);
  expect(words.filter((what) => !what.startsWith(site) && !what.startsWith(order))).toEqual([]);
});

test('follows a list of states to the text of a statement', async () => {
  const report = await checked(`
    const State = { Open: 0, Paid: 1 } as const;
    const groups = { open: [State.Open, State.Paid] } as const;
    const OPEN = sql.raw(\`(\${groups.open.join(', ')})\`);
    await sql<{ id: number }>\`select id from orders where status in \${OPEN}\`.execute(db);
    await sql<{ id: string }>\`select id from orders where status in \${OPEN}\`.execute(db);`);
  expect(report).toMatchObject({ statements: 2, variants: 2 });
  expect(report.problems).toHaveLength(1);
});

test('follows a function with a hundred callers from the last of them', async () => {
  const calls = Array.from({ length: 100 }, (_, i) => `await read(sql\`id + ${i}\`);`).join('\n');
  const words = await problemsOf(`
    const ENDS = { sorted: sql\`order by id\`, limited: sql\`limit 1\` };
    async function readIn(column: RawBuilder<unknown>, end: keyof typeof ENDS) {
      await sql\`select \${column} from app_user \${ENDS[end]}\`.execute(db);
    }
    async function read(column: RawBuilder<unknown>, end: keyof typeof ENDS = 'sorted') {
      await readIn(column, end);
    }
    await read(sql\`id\`, 'limited');
    ${calls}
    await read(sql\`nick_nam\`);`);
  expect(words).toEqual([expect.stringContaining('column "nick_nam" does not exist')]);
});

test('reports what it cannot follow and what nothing executes', async () => {
  const words = await problemsOf(`
    export const any = async (text: string) => await sql.raw(text).execute(db);
    export const unused = sql\`select 1\`;`);
  expect(words).toEqual([expect.stringContaining('unknown text “text”'), 'no statement runs this SQL']);
});

test('accepts exceptions by name, and reports one that is no longer needed', async () => {
  const source =
    'export const readAt = async () => await sql<{ erase_at: Date }>`select erase_at from app_user`.execute(db);';
  const name = (file: number): string => `${relative(root, join(folder, `planted-${file}.ts`))} readAt`;
  const needed = await checked(source, [{ name: name(files), column: 'erase_at', reason: 'a test' }]);
  expect(needed.problems).toEqual([]);
  expect(needed.excepted).toHaveLength(1);
  const stale = { name: name(files), column: 'other', reason: 'a test' };
  const words = (await checked(source, [stale])).problems.map(({ what }) => what);
  expect(words).toEqual([
    expect.stringContaining('column erase_at: may be null'),
    expect.stringContaining('exception no longer needed'),
  ]);
});
