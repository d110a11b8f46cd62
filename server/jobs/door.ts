/**
 * The one door for effects: what is written into the tables `outbox` and `timer` by a slice is written here, in the transaction of the change
 * that it belongs to, and is of a topic or kind that is registered (topics.ts, kinds.ts). What SQL functions write is held against the
 * registry by a test. A lint rule keeps everybody else out (scripts/lint/effects.mjs).
 */
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import type { Job, JobKey } from './kinds.ts';
import type { Topic, Written } from './topics.ts';

/** An event leaves with the transaction. `Written` says what its listeners are promised. */
export async function emit<T extends Topic>(trx: Trx, topic: T, payload: Written<T>): Promise<void> {
  await sql`insert into outbox (topic, payload) values (${topic}, ${JSON.stringify(payload)}::jsonb)`.execute(trx);
}

/** A value, or the expression that gives it, for each field of an event. */
export type Fields<T extends Topic> = { readonly [K in keyof Written<T>]: RawBuilder<unknown> | Written<T>[K] };

const isExpression = (value: unknown): value is RawBuilder<unknown> =>
  typeof value === 'object' && value !== null && 'toOperationNode' in value;

const jsonOf = (value: unknown): RawBuilder<unknown> =>
  isExpression(value) ? value : sql`${JSON.stringify(value)}::jsonb`;

/**
 * The statement that writes one event for each row of `from`, for where the change and its event have to be one statement. `from` begins
 * with the word "from". Stands alone or as a part of a larger one ("with x as (...)").
 */
export function emitted<T extends Topic>(topic: T, fields: Fields<T>, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const entries: [string, unknown][] = Object.entries(fields);
  const pairs = entries.map(([name, value]) => sql`${sql.lit(name)}, ${jsonOf(value)}`);
  return sql`insert into outbox (topic, payload) select ${topic}, jsonb_build_object(${sql.join(pairs)}) ${from}`;
}

/** When a job runs: a moment, so many seconds from now by the database's clock, or an expression of SQL. */
export type When = Date | { readonly seconds: number } | RawBuilder<Date>;
/** What becomes of a job that is set already: it moves, it keeps its time, or it takes the earlier one. */
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

/** The statement of `schedule`, as the last part of a larger one. */
export function scheduled<J extends Job>(
  job: J,
  key: JobKey<J>,
  at: When,
  otherwise: Otherwise = 'move',
): RawBuilder<unknown> {
  return sql`insert into timer (kind, ref, due_at) values (${job}, ${String(key)}, ${whenOf(at)}) ${ON_CONFLICT[otherwise]}`;
}

/** Sets a job: there is one of a kind and a key. Set again it moves, as a run that has not been yet. */
export async function schedule<J extends Job>(
  trx: Trx,
  job: J,
  key: JobKey<J>,
  at: When,
  otherwise: Otherwise = 'move',
): Promise<void> {
  await scheduled(job, key, at, otherwise).execute(trx);
}

/**
 * Sets a job for each row of `from`, which begins with the word "from"; `key` and `at` are expressions over it. Returns how many were set
 * or moved.
 */
export async function scheduleFrom(
  trx: Trx,
  job: Job,
  { key, at, from }: { key: RawBuilder<unknown>; at: RawBuilder<unknown>; from: RawBuilder<unknown> },
  otherwise: Otherwise = 'move',
): Promise<number> {
  const { rows } = await sql`insert into timer (kind, ref, due_at) select ${job}, (${key})::text, ${at} ${from}
    ${ON_CONFLICT[otherwise]} returning ref`.execute(trx);
  return rows.length;
}

/** Moves jobs that are set, and sets none: one that was cancelled meanwhile stays so. `only` narrows it further. */
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

/** Takes jobs back. Those that are not set are no fault. */
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
