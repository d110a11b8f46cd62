/** Events and timers beside a build that knows more or less of them, and periodic jobs that nothing ends. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { Effects } from '#server/jobs/events.ts';
import type { JobSpec } from '#server/jobs/kinds.ts';
import type { Lane } from '#server/jobs/lanes.ts';
import { relayOnce } from '#server/jobs/relay.ts';
import { startEffects } from '#server/jobs/run.ts';
import type { TopicSpec } from '#server/jobs/topics.ts';
import { plantPeriodic, timersOnce } from '#server/jobs/workers.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type TestApp, testApp } from '#tests/support/build.ts';

const topic = (subject?: string): TopicSpec => ({
  lane: 'market',
  payload: z.looseObject({}),
  subject,
  quiet: undefined,
});
const job = (lane: Lane = 'market', every?: string): JobSpec<'text'> => ({
  lane,
  key: 'text',
  attempts: 3,
  leaseSeconds: 1,
  every,
});
/** What a build of these tests knows. */
const registry = {
  topics: { 'test.known': topic(), 'test.ordered': topic('order') },
  jobs: {
    'test.known': job(),
    'test.once': job(),
    'test.nightly': job('market', 'all'),
    'test.lost': job('upkeep', ''),
    'test.kept': job('upkeep', 'all'),
    'test.vendor': job('vendors'),
    'test.clock': job(),
  },
};

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(async () => await t.close());
beforeEach(async () => {
  await sql`delete from timer where kind like 'test.%' or kind = 'event'`.execute(t.ctx.db);
  await sql`delete from outbox`.execute(t.ctx.db);
});

const later = () => Promise.resolve();
const plant = async (kind: string, ref: string, payload: object = {}) =>
  await sql`insert into timer (kind, ref, due_at, payload) values (${kind}, ${ref}, now() - interval '1 second', ${JSON.stringify(payload)}::jsonb)`.execute(
    t.ctx.db,
  );
async function timers(kind: string): Promise<{ ref: string; attempts: number; isDue: boolean }[]> {
  const { rows } = await sql<{ ref: string; attempts: number; isDue: boolean }>`
    select ref, attempts, due_at <= now() as "isDue" from timer where kind = ${kind}`.execute(t.ctx.db);
  return rows;
}
const emit = async (topic: string, age: string) =>
  await sql`insert into outbox (topic, payload, created_at) values (${topic}, '{}', now() - ${age}::interval)`.execute(
    t.ctx.db,
  );
async function topics(): Promise<string[]> {
  const { rows } = await sql<{ topic: string }>`select topic from outbox order by id`.execute(t.ctx.db);
  return rows.map(({ topic }) => topic);
}

test('a timer of a kind that this build does not know is left as it is', async () => {
  const effects = new Effects(registry);
  const known = vi.fn(later);
  effects.timer('test.known', known);
  await plant('test.known', '1');
  await plant('test.future', '1');
  await plant('event', '7', { topic: 'test.future', payload: {} });
  await timersOnce(t.ctx, effects);
  expect(known).toHaveBeenCalledTimes(1);
  expect(await timers('test.known')).toEqual([]);
  expect(await timers('test.future')).toEqual([{ ref: '1', attempts: 0, isDue: true }]);
  expect(await timers('event')).toEqual([{ ref: '7', attempts: 0, isDue: true }]);
});

test('an event that this build does not listen to waits a day for one that does', async () => {
  const effects = new Effects(registry);
  const received = vi.fn(later);
  effects.on('test.known', received);
  await emit('test.future', '23 hours');
  await emit('test.known', '1 second');
  await emit('test.nobodys', '25 hours');
  while ((await relayOnce(t.ctx, effects)) > 0);
  expect(received).toHaveBeenCalledTimes(1);
  expect(await topics()).toEqual(['test.future']);
});

test.each([
  ['a subject that moved on', new AppError('ORDER_STATE')],
  ['a fault', new Error('the channel is away')],
])('a periodic job outlives %s, and another timer ends with it as before', async (_what, error) => {
  const effects = new Effects(registry);
  const fails = () => Promise.reject(error);
  effects.every('test.nightly', fails);
  effects.timer('test.once', fails);
  await plant('test.nightly', 'all');
  await plant('test.once', '1');
  await timersOnce(t.ctx, effects);
  expect(await timers('test.nightly')).toEqual([{ ref: 'all', attempts: 1, isDue: false }]);
  expect(await timers('test.once')).toHaveLength(error instanceof AppError ? 0 : 1);
});

test('a periodic job that has no timer gets one at start, and one that has keeps its own', async () => {
  const effects = new Effects(registry);
  effects.every('test.lost', later);
  effects.every('test.kept', later);
  await sql`insert into timer (kind, ref, due_at) values ('test.kept', 'all', now() + interval '3 hours')`.execute(
    t.ctx.db,
  );
  await plantPeriodic(t.ctx, effects);
  await plantPeriodic(t.ctx, effects);
  expect(await timers('test.lost')).toEqual([{ ref: '', attempts: 0, isDue: true }]);
  expect(await timers('test.kept')).toEqual([{ ref: 'all', attempts: 0, isDue: false }]);
});

test('a slow job of one lane delays no timer of another', async () => {
  const effects = new Effects(registry);
  const slow = Promise.withResolvers<void>();
  const clock = vi.fn(later);
  effects.timer('test.vendor', () => slow.promise);
  effects.timer('test.clock', clock);
  await plant('test.vendor', '1');
  await plant('test.clock', '1');
  const running = startEffects(t.ctx, effects);
  await vi.waitFor(() => expect(clock).toHaveBeenCalledTimes(1), 5_000);
  expect(await timers('test.vendor')).toMatchObject([{ attempts: 1 }]);
  slow.resolve();
  await running.stop();
  expect(await timers('test.vendor')).toEqual([]);
});

test('every job that plants its own timer is declared periodic', async () => {
  const kinds = [...t.app.effects.periodic.keys()];
  for (const kind of [
    'payment.decide',
    'reconcile.fetch',
    'goods.stats',
    'guarantee.daily',
    'ledger.nightly',
    'audit.nightly',
  ])
    expect(kinds, kind).toContain(kind);
  // What migrations and slices have planted stands under the ref that is declared.
  const { rows } = await sql<{
    kind: string;
    ref: string;
  }>`select kind, ref from timer where kind = any(${kinds})`.execute(t.ctx.db);
  for (const { kind, ref } of rows) expect([kind, ref]).toEqual([kind, t.app.effects.periodic.get(kind)]);
});
