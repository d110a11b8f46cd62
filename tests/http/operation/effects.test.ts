/** Events and jobs: kinds that this build does not know, retries, leases, order, and periodic jobs, which are never removed. */
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
import { AppError, UnknownResult } from '#server/kernel/errors.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { EVENTUALLY } from '#tests/support/time/eventually.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';

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
/** The events and jobs that the build in these tests knows. */
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
async function letters(name: string) {
  const { rows } = await sql<{ what: string; ref: string; attempts: number; status: string; error: string }>`
    select what, ref, attempts, status, error from dead_letter where name = ${name} order by id`.execute(t.ctx.db);
  return rows;
}
async function topics(): Promise<string[]> {
  const { rows } = await sql<{ topic: string }>`select topic from outbox order by id`.execute(t.ctx.db);
  return rows.map(({ topic }) => topic);
}

test('a timer of a kind that this build does not know is left unchanged', async () => {
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

test('an event that this build does not listen to is kept for a day, then becomes a dead letter', async () => {
  const effects = new Effects(registry);
  const received = vi.fn(later);
  effects.on('test.known', received);
  await emit('test.future', '23 hours');
  await emit('test.known', '1 second');
  await emit('test.nobodys', '25 hours');
  while ((await relayOnce(t.ctx, effects)) > 0);
  expect(received).toHaveBeenCalledTimes(1);
  expect(await topics()).toEqual(['test.future']);
  expect(await letters('test.nobodys')).toMatchObject([{ what: 'event', status: 'open', attempts: 0 }]);
});

test('a periodic job that keeps failing is still scheduled, and is a dead letter until it succeeds', async () => {
  const effects = new Effects(registry);
  let away = true;
  effects.every('test.nightly', () => (away ? Promise.reject(new Error('away')) : Promise.resolve({ seconds: 60 })));
  await plant('test.nightly', 'all');
  for (let i = 0; i < 4; i++) {
    await timersOnce(t.ctx, effects);
    await makeDue(t.ctx.db, 'test.nightly');
  }
  expect(await letters('test.nightly')).toMatchObject([{ what: 'job', status: 'open', error: 'Error: away' }]);
  expect(await timers('test.nightly')).toHaveLength(1);
  away = false;
  await timersOnce(t.ctx, effects);
  expect(await letters('test.nightly')).toMatchObject([{ status: 'again' }]);
  expect(await timers('test.nightly')).toEqual([{ ref: 'all', attempts: 0, isDue: false }]);
});

test.each([
  ['an expected error', new AppError('ORDER_STATE')],
  ['an unexpected error', new Error('the channel is away')],
])('a periodic job is kept after %s; a single job is kept only after an unexpected one', async (_what, error) => {
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

test('a start creates the timer of a periodic job that has none, and leaves an existing one unchanged', async () => {
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

test('a slow job does not delay the timers of another lane', async () => {
  const effects = new Effects(registry);
  const slow = Promise.withResolvers<void>();
  const clock = vi.fn(later);
  effects.timer('test.vendor', () => slow.promise);
  effects.timer('test.clock', clock);
  await plant('test.vendor', '1');
  await plant('test.clock', '1');
  const running = startEffects(t.ctx, effects);
  await vi.waitFor(() => expect(clock).toHaveBeenCalledTimes(1), EVENTUALLY);
  // The lanes begin at the same time, and either may be first.
  await vi.waitFor(async () => expect(await timers('test.vendor')).toMatchObject([{ attempts: 1 }]), EVENTUALLY);
  expect(clock).toHaveBeenCalledTimes(1);
  slow.resolve();
  await running.stop();
  expect(await timers('test.vendor')).toEqual([]);
});

test('every job that schedules itself is declared periodic', async () => {
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
  // Timers that migrations and subjects have created use the declared ref.
  const { rows } = await sql<{
    kind: string;
    ref: string;
  }>`select kind, ref from timer where kind = any(${kinds})`.execute(t.ctx.db);
  for (const { kind, ref } of rows) expect([kind, ref]).toEqual([kind, t.app.effects.periodic.get(kind)]);
});

test('a failed job is retried up to the limit of its kind, then becomes a dead letter', async () => {
  const effects = new Effects(registry);
  const work = vi.fn(() => Promise.reject(new TypeError('x is not a function; 13800138000')));
  effects.timer('test.once', work);
  await plant('test.once', '7');
  for (let i = 0; i < 5; i++) {
    await timersOnce(t.ctx, effects);
    await makeDue(t.ctx.db, 'test.once');
  }
  expect(work).toHaveBeenCalledTimes(3);
  expect(await timers('test.once')).toEqual([]);
  expect(await letters('test.once')).toEqual([
    { what: 'job', ref: '7', attempts: 3, status: 'open', error: 'TypeError: x is not a function; 138****8000' },
  ]);
});

test('a job whose result is still unknown is retried beyond the limit, for a week', async () => {
  const effects = new Effects(registry);
  const work = vi.fn(() => Promise.reject(new UnknownResult('no answer')));
  effects.timer('test.vendor', work);
  await plant('test.vendor', '1');
  for (let i = 0; i < 5; i++) {
    await timersOnce(t.ctx, effects);
    await makeDue(t.ctx.db, 'test.vendor');
  }
  expect(work).toHaveBeenCalledTimes(5);
  expect(await letters('test.vendor')).toEqual([]);
  await sql`update timer set first_failed_at = now() - interval '8 days' where kind = 'test.vendor'`.execute(t.ctx.db);
  await timersOnce(t.ctx, effects);
  expect(await timers('test.vendor')).toEqual([]);
  expect(await letters('test.vendor')).toMatchObject([{ status: 'open', attempts: 6 }]);
});

test('a job whose process dies runs again when its lease ends, not before; after its last attempt it is given up', async () => {
  const effects = new Effects(registry);
  const work = vi.fn(later);
  effects.timer('test.known', work);
  const dies = async () =>
    await sql`update timer set due_at = now() + interval '1 hour', attempts = attempts + 1 where kind = 'test.known'`.execute(
      t.ctx.db,
    );
  await plant('test.known', '1');
  await dies();
  expect(await timersOnce(t.ctx, effects)).toBe(0);
  await makeDue(t.ctx.db, 'test.known');
  expect(await timersOnce(t.ctx, effects)).toBe(1);
  expect(work).toHaveBeenCalledTimes(1);
  await plant('test.known', '2');
  await sql`update timer set attempts = 3 where kind = 'test.known'`.execute(t.ctx.db);
  await timersOnce(t.ctx, effects);
  expect(work).toHaveBeenCalledTimes(1);
  expect(await letters('test.known')).toMatchObject([{ ref: '2', status: 'open' }]);
});

test('a job that takes longer than its lease is not run a second time', async () => {
  const effects = new Effects(registry);
  const slow = Promise.withResolvers<void>();
  const work = vi.fn(() => slow.promise);
  effects.timer('test.known', work);
  await plant('test.known', '1');
  const first = timersOnce(t.ctx, effects);
  const dueAt = async (): Promise<Date | undefined> =>
    (
      await sql<{ at: Date }>`select due_at as at from timer where kind = 'test.known' and due_at > now()`.execute(
        t.ctx.db,
      )
    ).rows[0]?.at;
  await expect.poll(dueAt).toBeDefined();
  const claimedUntil = (await dueAt()) ?? new Date();
  const isOver = async (): Promise<boolean> =>
    (await sql<{ over: boolean }>`select now() > ${claimedUntil} as over`.execute(t.ctx.db)).rows[0]?.over === true;
  await expect.poll(isOver).toBe(true);
  expect(await timersOnce(t.ctx, effects)).toBe(0);
  slow.resolve();
  await first;
  expect(work).toHaveBeenCalledTimes(1);
  expect(await timers('test.known')).toEqual([]);
});

test('a slow job does not delay others in its lane, and of many due jobs each runs once', async () => {
  const effects = new Effects(registry);
  const slow = Promise.withResolvers<void>();
  const ran: string[] = [];
  effects.timer('test.known', async (_ctx, ref) => {
    ran.push(ref);
    if (ref === '0') await slow.promise;
  });
  for (let i = 0; i < 20; i++) await plant('test.known', String(i));
  const running = [startEffects(t.ctx, effects), startEffects(t.ctx, effects)];
  await vi.waitFor(() => expect(ran).toHaveLength(20), EVENTUALLY);
  slow.resolve();
  for (const one of running) await one.stop();
  expect(ran.toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => String(i)).toSorted());
});

test('events of one subject are handled in order, other subjects in parallel, with any number of processes', async () => {
  const effects = new Effects(registry);
  const heard: string[] = [];
  const slow = Promise.withResolvers<void>();
  effects.on('test.ordered', async (_ctx, { order, n }) => {
    if (order === 1 && n === 0) await slow.promise;
    heard.push(`${String(order)}:${String(n)}`);
  });
  for (let n = 0; n < 3; n++)
    for (const order of [1, 2])
      await sql`insert into outbox (topic, payload) values ('test.ordered', ${JSON.stringify({ order, n })}::jsonb)`.execute(
        t.ctx.db,
      );
  const running = [startEffects(t.ctx, effects), startEffects(t.ctx, effects)];
  await vi.waitFor(() => expect(heard).toEqual(['2:0', '2:1', '2:2']), EVENTUALLY);
  slow.resolve();
  await vi.waitFor(() => expect(heard).toEqual(['2:0', '2:1', '2:2', '1:0', '1:1', '1:2']), EVENTUALLY);
  for (const one of running) await one.stop();
});

test('a batch takes the next events of several subjects, and keeps the order within a subject', async () => {
  const effects = new Effects(registry);
  const heard: string[] = [];
  effects.on('test.known', (_ctx, { order }) => {
    heard.push(`alone ${String(order)}`);
    return later();
  });
  effects.onMany('test.ordered', (_ctx, events) => {
    heard.push(events.map(({ order, n }) => `${String(order)}:${String(n)}`).join(' '));
    return later();
  });
  const known = { ...registry, topics: { 'test.known': topic('order'), 'test.ordered': topic('order') } };
  const ordered = Object.assign(new Effects(known), { listeners: effects.listeners, together: effects.together });
  const write = async (name: string, order: number, n: number) =>
    await sql`insert into outbox (topic, payload) values (${name}, ${JSON.stringify({ order, n })}::jsonb)`.execute(
      t.ctx.db,
    );
  await write('test.ordered', 1, 0);
  await write('test.ordered', 2, 0);
  await write('test.known', 1, 1);
  await write('test.ordered', 1, 2);
  await write('test.ordered', 2, 1);
  await relayOnce(t.ctx, ordered, 'market');
  expect(heard).toEqual(['1:0 2:0 2:1', 'alone 1', '1:2']);
});

test('when an event of a batch fails, the events are handled one by one, and the failed one is retried as a job', async () => {
  const effects = new Effects(registry);
  const heard: number[][] = [];
  effects.onMany('test.known', (_ctx, events) => {
    const numbers = events.map(({ n }) => Number(n));
    heard.push(numbers);
    return numbers.includes(2) ? Promise.reject(new Error('two')) : later();
  });
  for (const n of [1, 2, 3])
    await sql`insert into outbox (topic, payload) values ('test.known', ${JSON.stringify({ n })}::jsonb)`.execute(
      t.ctx.db,
    );
  await relayOnce(t.ctx, effects, 'market');
  expect(heard).toEqual([[1, 2, 3], [1], [2], [3]]);
  expect(await topics()).toEqual([]);
  expect(await timers('event')).toMatchObject([{ attempts: 0 }]);
});
