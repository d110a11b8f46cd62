/** The bus tells of a gap when messages may have been missed, and of none when it is closed. */
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localBus } from '#server/adapters/bus/local.ts';
import { BUS_GAP } from '#server/ports/bus.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from '#tests/support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

test('a lost connection causes a gap, a regular end does not', async () => {
  const bus = localBus({ databaseUrl: database.url, log: pino({ level: 'silent' }) });
  let gaps = 0;
  bus.subscribe(BUS_GAP, () => (gaps += 1));
  await expect.poll(() => gaps).toBe(1);
  await asSuperuser(
    database.name,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}' and query like 'listen %'`,
  );
  // Lost, and found again.
  await expect.poll(() => gaps, { timeout: 10_000 }).toBe(3);
  await bus.close();
  await sleep(200);
  expect(gaps).toBe(3);
});
