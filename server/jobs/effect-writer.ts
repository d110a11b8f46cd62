/**
 * The only writer of the tables `outbox` and `timer`: subjects emit events and schedule jobs here, in the transaction of the change, with a
 * registered topic or kind (topics.ts, kinds.ts). A test compares what SQL functions write with the registry; a lint rule forbids other
 * writers (scripts/lint/effects.mjs).
 */
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import type { Job, JobKey } from './kinds.ts';
import type { Topic, EventInput } from './topics.ts';

/** Writes an event, which is delivered after the transaction commits. */
export async function emit<T extends Topic>(trx: Trx, topic: T, payload: EventInput<T>): Promise<void> {
  await sql`insert into outbox (topic, payload) values (${topic}, ${JSON.stringify(payload)}::jsonb)`.execute(trx);
}

/** A value or an SQL expression for each field of an event. */
export type Fields<T extends Topic> = { readonly [K in keyof EventInput<T>]: RawBuilder<unknown> | EventInput<T>[K] };

const isExpression = (value: unknown): value is RawBuilder<unknown> =>
  typeof value === 'object' && value !== null && 'toOperationNode' in value;

const jsonOf = (value: unknown): RawBuilder<unknown> =>
  isExpression(value) ? value : sql`${JSON.stringify(value)}::jsonb`;

/**
 * The statement that writes one event for each row of `from` (which begins with the word "from"), for a change and its events in one
 * statement. It is complete, or part of a larger one ("with x as (...)").
 */
export function emitted<T extends Topic>(topic: T, fields: Fields<T>, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const entries: [string, unknown][] = Object.entries(fields);
  const pairs = entries.map(([name, value]) => sql`${sql.lit(name)}, ${jsonOf(value)}`);
  return sql`insert into outbox (topic, payload) select ${topic}, jsonb_build_object(${sql.join(pairs)}) ${from}`;
}

/** When a job runs: a time, seconds from now by the database's clock, or an SQL expression. */
export type When = Date | { readonly seconds: number } | RawBuilder<Date>;
/** For a job that is already scheduled: move it, keep its time, or take the earlier time. */
export type Otherwise = 'move' | 'keep' | 'earlier';

export const whenOf = (at: When): RawBuilder<unknown> => {
  if (at instanceof Date) return sql`${at}::timestamptz`;
  return isExpression(at) ? at : sql`now() + make_interval(secs => ${(at as { seconds: number }).seconds})`;
};

const ON_CONFLICT: Readonly<Record<Otherwise, RawBuilder<unknown>>> = {
  move: sql`on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0`,
  keep: sql`on conflict (kind, ref) do nothing`,
  earlier: sql`on conflict (kind, ref) do update set due_at = least(timer.due_at, excluded.due_at), attempts = 0`,
};

/** Schedules a job, one per kind and key. Scheduling it again moves it and resets its attempts to 0. */
export async function schedule<J extends Job>(
  trx: Trx,
  job: J,
  key: JobKey<J>,
  at: When,
  otherwise: Otherwise = 'move',
): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) values (${job}, ${String(key)}, ${whenOf(at)}) ${ON_CONFLICT[otherwise]}`.execute(
    trx,
  );
}

/** Rows and the job values for each: `from` begins with the word "from"; `key` and `at` are expressions over it. */
interface JobRows {
  readonly key: RawBuilder<unknown>;
  readonly at: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
}

/** The statement of `scheduleFrom`, as the last part of a larger one. */
export function scheduledFrom(
  job: Job,
  { key, at, from }: JobRows,
  otherwise: Otherwise = 'move',
): RawBuilder<unknown> {
  return sql`insert into timer (kind, ref, due_at) select ${job}, (${key})::text, ${at} ${from} ${ON_CONFLICT[otherwise]}`;
}

/** Schedules a job for each row. Returns the number of jobs scheduled or moved. */
export async function scheduleFrom(trx: Trx, job: Job, rows: JobRows, otherwise: Otherwise = 'move'): Promise<number> {
  const { rows: scheduled } = await sql`${scheduledFrom(job, rows, otherwise)} returning ref`.execute(trx);
  return scheduled.length;
}

/** Moves scheduled jobs and adds none, so that a job cancelled meanwhile stays cancelled. `only` is an additional condition. */
export async function reschedule<J extends Job>(
  trx: Trx,
  job: J,
  keys: JobKey<J> | readonly JobKey<J>[],
  at: When,
  only: RawBuilder<unknown> = sql`true`,
): Promise<void> {
  await sql`update timer set due_at = ${whenOf(at)}, attempts = 0
    where kind = ${job} and ref = any(${refsOf(keys)}::text[]) and ${only}`.execute(trx);
}

/** Cancels jobs; ignores those that are not scheduled. */
export async function cancel<J extends Job>(
  trx: Trx,
  jobs: J | readonly J[],
  keys: JobKey<J> | readonly JobKey<J>[],
): Promise<void> {
  const kinds = Array.isArray(jobs) ? jobs : [jobs];
  await sql`delete from timer where kind = any(${[...kinds]}::text[]) and ref = any(${refsOf(keys)}::text[])`.execute(
    trx,
  );
}

const refsOf = (keys: number | string | readonly (number | string)[]): string[] =>
  (Array.isArray(keys) ? keys : [keys]).map(String);
