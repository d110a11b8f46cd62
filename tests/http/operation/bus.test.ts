/** The bus tells of a gap when messages may have been missed, and of none when it is closed. */
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localBus } from '#server/adapters/bus/local.ts';
import { BUS_GAP } from '#server/ports/bus.ts';
import {
  asSuperuser,
  createTestDatabase,
  superuserClient,
  type TestDatabase,
} from '#tests/support/database/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

test('a lost connection causes a gap, a regular end does not', async () => {
  const admin = await superuserClient('postgres');
  const bus = localBus({ databaseUrl: database.url, log: pino({ level: 'silent' }) });
  let gaps = 0;
  bus.subscribe(BUS_GAP, () => (gaps += 1));
  await expect.poll(() => gaps).toBe(1);
  await asSuperuser(
    database.name,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}' and query like 'listen %'`,
  );
  // Lost, and found again.
  await expect.poll(() => gaps).toBe(3);
  await bus.close();
  const listeners = async (): Promise<unknown[]> =>
    (await admin.query(`select from pg_stat_activity where datname = $1 and query like 'listen %'`, [database.name]))
      .rows;
  await expect.poll(listeners).toEqual([]);
  await admin.end();
  expect(gaps).toBe(3);
});
