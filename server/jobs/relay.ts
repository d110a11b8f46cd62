import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import type { Carried } from './events.ts';
import { textOf } from './failures.ts';
import type { Lane } from './lanes.ts';

const BATCH = 200;
/** Of a batch, so many subjects are heard at once. */
const AT_ONCE = 8;
/** Events of one topic that are heard together, where its listeners can. */
const TOGETHER = 50;
/** No new event of a batch begins after so long, so that what was handed on is soon recorded as such. */
const BATCH_LIMIT_MS = 3_000;
/** The longest that one listener may keep the relay's transaction waiting. */
const LISTENER_LIMIT_MS = 120_000;
const RETRY_SECONDS = 2;
/** An event that no running build has listened to for so long is nobody's: a deploy is over by then. */
const UNHEARD_AFTER = sql.raw(`interval '1 day'`);
/** Of the locks that keep two relays from one lane: events of a subject are heard in their order, whatever the number of processes. */
const LOCK_CLASS = 226;

interface OutboxRow {
  id: number;
  topic: string;
  payload: Record<string, unknown>;
}

/** Has every listener of a topic hear events of it. Throws the first failure. */
export async function deliver(
  ctx: Context,
  effects: Carried,
  topic: string,
  payloads: readonly unknown[],
): Promise<void> {
  for (const hear of effects.listeners.get(topic) ?? []) await hear(ctx, payloads);
}

/**
 * Takes one batch from a lane of the outbox. Events of one subject are heard one after the other, others beside them. One
 * whose listener fails becomes a job with retries, in the same transaction, so that it neither blocks the others nor is lost. A topic that
 * this build does not listen to is left to the build that does: while a deploy is under way the old process must not eat the events of the
 * new one. Returns how many it took; none while another process has the lane. Without
 * a lane, for tests and tools: every event, one after the other.
 */
export async function relayOnce(ctx: Context, effects: Carried, lane?: Lane): Promise<number> {
  const isLast = lane === undefined || lane === 'upkeep';
  const topics = effects.topicsOf(lane);
  if (topics.length === 0 && !isLast) return 0;
  const unheard = isLast ? sql`or created_at < now() - ${UNHEARD_AFTER}` : sql``;
  const mine = sql`(topic = any(${topics}::text[]) ${unheard})`;
  // Most looks find nothing, and need no transaction for that.
  const { rows: some } = await sql`select from outbox where ${mine} limit 1`.execute(ctx.db);
  if (some.length === 0) return 0;
  return await ctx.db.transaction().execute(async (trx) => {
    // The rows' lock waits for listeners, which work on connections of their own.
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(`${LISTENER_LIMIT_MS}ms`)}`.execute(trx);
    const { rows: locked } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${LOCK_CLASS}::int, hashtext(${lane ?? ''})) as mine`.execute(trx);
    if (locked[0]?.mine !== true) return 0;
    const { rows } = await sql<OutboxRow>`
      select id, topic, payload from outbox where ${mine} order by id limit ${BATCH} for update skip locked`.execute(
      trx,
    );
    const chains = lane === undefined ? [rows.map((row) => [row])] : chainsOf(effects, rows);
    const taken = await handAll(ctx, effects, trx, chains);
    if (taken.length > 0) await sql`delete from outbox where id = any(${taken}::bigint[])`.execute(trx);
    return taken.length;
  });
}

/** Hands events to their listeners, so many subjects at once; answers the ids of those that were handed on. */
async function handAll(ctx: Context, effects: Carried, trx: Trx, chains: readonly OutboxRow[][][]): Promise<number[]> {
  const until = Date.now() + BATCH_LIMIT_MS;
  const taken: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let chain = chains[next++]; chain !== undefined; chain = chains[next++])
      for (const group of chain) {
        // The first of each worker is heard even when the time is over, so that every batch comes forward.
        if (taken.length > 0 && Date.now() > until) return;
        await hand(ctx, effects, trx, group);
        taken.push(...group.map(({ id }) => id));
      }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, chains.length) }, worker));
  return taken;
}

/**
 * Events by subject, in their order, each alone; those that may be heard together stand as groups of their own. An event without a subject is
 * one by itself.
 */
function chainsOf(effects: Carried, rows: readonly OutboxRow[]): OutboxRow[][][] {
  const chains = new Map<string, OutboxRow[][]>();
  for (const row of rows) {
    const subject = effects.registry.topics[row.topic]?.subject;
    const value = subject === undefined ? undefined : row.payload[subject];
    if (value === undefined && effects.together.has(row.topic)) {
      const groups = chains.get(`all ${row.topic}`) ?? [];
      const last = groups.at(-1);
      if (last !== undefined && last.length < TOGETHER) last.push(row);
      else groups.push([row]);
      chains.set(`all ${row.topic}`, groups);
      continue;
    }
    const key = value === undefined ? `one ${row.id}` : `${subject} ${JSON.stringify(value)}`;
    chains.set(key, [...(chains.get(key) ?? []), [row]]);
  }
  return [...chains.values()];
}

async function hand(ctx: Context, effects: Carried, trx: Trx, group: readonly OutboxRow[]): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  try {
    await deliver(
      ctx,
      effects,
      first.topic,
      group.map(({ payload }) => payload),
    );
  } catch (error) {
    // One that fails takes no other with it.
    if (group.length > 1) for (const row of group) await hand(ctx, effects, trx, [row]);
    else await retryLater(ctx, trx, first, error);
  }
}

async function retryLater(ctx: Context, trx: Trx, row: OutboxRow, error: unknown): Promise<void> {
  ctx.log.warn({ topic: row.topic, error: String(error) }, 'event failed; it goes on as a job');
  const job = JSON.stringify({ topic: row.topic, payload: row.payload });
  await sql`insert into timer (kind, ref, due_at, payload, faults, first_failed_at, last_error)
    values ('event', ${String(row.id)}, now() + make_interval(secs => ${RETRY_SECONDS}), ${job}::jsonb, 1, now(), ${textOf(error)})
    on conflict do nothing`.execute(trx);
}
