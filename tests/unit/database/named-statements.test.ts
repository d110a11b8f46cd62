/** Prepared statements have names when they are hot, and only then. */
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openDatabase, UNPREPARED } from '#server/db/client.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  // One connection, so that what it has prepared is all that there is.
  ({ db } = openDatabase({ url: database.url, max: 1, log: pino({ level: 'silent' }) }));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function prepared(part: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_prepared_statements where statement like '%' || ${part}::text || '%' and statement not like '%pg_prepared_statements%'`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

test('a statement has one name from its tenth use on', async () => {
  const use = async (n: number) => await sql`select ${n}::int as hot_one`.execute(db);
  for (let n = 1; n < 10; n++) await use(n);
  expect(await prepared('hot_one')).toBe(0);
  for (let n = 10; n < 15; n++) expect((await use(n)).rows).toEqual([{ hot_one: n }]);
  expect(await prepared('hot_one')).toBe(1);
});

test('a statement that is planned for its own values never has one', async () => {
  for (let n = 1; n < 30; n++) await sql`${sql.raw(UNPREPARED)} select ${n}::int as cold_one`.execute(db);
  expect(await prepared('cold_one')).toBe(0);
});
