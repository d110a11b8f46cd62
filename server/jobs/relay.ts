import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import type { EffectHandlers } from './events.ts';
import { textOf } from './failures.ts';
import type { Lane } from './lanes.ts';
import { quarantined } from './quarantine.ts';

const BATCH = 200;
/** Number of subjects in a batch that are delivered in parallel. */
const AT_ONCE = 8;
/** Events of one topic delivered together, if its listeners accept several or it has none. */
const TOGETHER = 50;
/** No delivery of a batch starts after this time, so that delivered events are committed soon. */
const BATCH_LIMIT_MS = 3_000;
/** How long one listener may keep the relay's transaction open. */
const LISTENER_LIMIT_MS = 120_000;
const RETRY_SECONDS = 2;
/** An event without a listener becomes a dead letter after this: a deploy is over by then. */
const ORPHAN_AFTER = sql.raw(`interval '1 day'`);
/** Class of the advisory locks that allow one relay per lane, so that events of a subject are delivered in order across processes. */
const LOCK_CLASS = 226;

interface OutboxRow {
  id: number;
  topic: string;
  payload: Record<string, unknown>;
}

/** Delivers events of a topic to each of its listeners. Throws the first failure. */
export async function deliver(
  ctx: Context,
  effects: EffectHandlers,
  topic: string,
  payloads: readonly unknown[],
): Promise<void> {
  for (const listener of effects.listeners.get(topic) ?? []) await listener(ctx, payloads);
}

/**
 * Delivers one batch of a lane of the outbox. Events of one subject are delivered in order, different subjects in parallel. An event whose
 * listener fails becomes a job with retries, in the same transaction, so that it neither blocks the others nor is lost. Topics that this
 * build does not listen to are not touched: during a deploy the old process must not remove events of the new one. Returns the number of
 * events delivered; 0 while another process holds the lane. Without a lane, for tests and tools, all events are delivered in the order
 * written, and those without a listener are moved away. In quarantine no event is delivered.
 */
export async function relayOnce(ctx: Context, effects: EffectHandlers, lane?: Lane): Promise<number> {
  if (lane === undefined) await moveOrphans(ctx, effects);
  const topics = effects.topicsOf(lane);
  if (topics.length === 0) return 0;
  const mine = sql`topic = any(${topics}::text[]) and not ${quarantined}`;
  // Most polls find nothing and need no transaction.
  const { rows: some } = await sql`select from outbox where ${mine} limit 1`.execute(ctx.db);
  if (some.length === 0) return 0;
  return await ctx.db.transaction().execute(async (trx) => {
    // The transaction is idle while listeners work on their own connections.
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(`${LISTENER_LIMIT_MS}ms`)}`.execute(trx);
    const { rows: locked } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${LOCK_CLASS}::int, hashtext(${lane ?? ''})) as mine`.execute(trx);
    if (locked[0]?.mine !== true) return 0;
    const { rows } = await sql<OutboxRow>`
      select id, topic, payload from outbox where ${mine} order by id limit ${BATCH} for update skip locked`.execute(
      trx,
    );
    const chains = lane === undefined ? [rows] : chainsOf(effects, rows);
    const delivered = await deliverChains(ctx, effects, trx, chains);
    if (delivered.length > 0) await sql`delete from outbox where id = any(${delivered}::bigint[])`.execute(trx);
    return delivered.length;
  });
}

/** Moves events that no build has listened to for a day to the dead letters, so that staff see them and nothing is lost. Reads the whole outbox. */
export async function moveOrphans(ctx: Context, effects: EffectHandlers): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    with orphan as (delete from outbox where created_at < now() - ${ORPHAN_AFTER} and topic <> all(${effects.topicsOf()}::text[])
        returning id, topic, payload, created_at)
    insert into dead_letter (what, name, ref, payload, error, attempts, first_failed_at)
    select 'event', topic, id::text, payload, '一天内没有任何进程处理这种事件', 0, created_at from orphan
    on conflict (what, name, ref) where status = 'open' do nothing returning name`.execute(ctx.db);
  for (const { name } of rows) ctx.log.error({ topic: name }, 'event without a listener; it is a dead letter now');
}

/** Delivers the chains in parallel, up to AT_ONCE groups at a time. Returns the ids of the delivered events. */
async function deliverChains(
  ctx: Context,
  effects: EffectHandlers,
  trx: Trx,
  chains: readonly OutboxRow[][],
): Promise<number[]> {
  const until = Date.now() + BATCH_LIMIT_MS;
  const delivered: number[] = [];
  const queue = chains.map((chain) => [...chain]);
  const running = new Set<Promise<void>>();
  const deliverNext = async (): Promise<void> => {
    const { group, rest } = nextGroup(effects, queue);
    await deliverGroup(ctx, effects, trx, group);
    delivered.push(...group.map(({ id }) => id));
    queue.unshift(...rest);
  };
  const fill = (): void => {
    // At least one event is delivered even after the time limit, so that every batch makes progress.
    while (running.size < AT_ONCE && queue.length > 0 && (delivered.length === 0 || Date.now() < until)) {
      const one = deliverNext().finally(() => running.delete(one));
      running.add(one);
    }
  };
  try {
    for (fill(); running.size > 0; fill()) await Promise.race(running);
  } finally {
    await Promise.allSettled(running);
  }
  return delivered;
}

/**
 * Takes the next event from the queue of chains. Where the topic's listeners accept several events, events of that topic at the heads of
 * other chains are included, in the order in which they were written. So are events without a listener, so that the events behind them in
 * their chains reach the head without another round. Returns them with the rest of their chains, which is put back into the
 * queue after the delivery, so that events of one subject are never delivered in parallel.
 */
function nextGroup(effects: EffectHandlers, queue: OutboxRow[][]): { group: OutboxRow[]; rest: OutboxRow[][] } {
  const topic = queue[0]?.[0]?.topic ?? '';
  const size = effects.together.has(topic) || !effects.listeners.has(topic) ? TOGETHER : 1;
  const group: OutboxRow[] = [];
  const rest: OutboxRow[][] = [];
  for (let at = 0; at < queue.length && group.length < size; ) {
    const chain = queue[at] ?? [];
    if (chain[0]?.topic !== topic) {
      at += 1;
      continue;
    }
    queue.splice(at, 1);
    while (group.length < size && chain[0]?.topic === topic) group.push(...chain.splice(0, 1));
    if (chain.length > 0) rest.push(chain);
  }
  return { group: group.toSorted((a, b) => a.id - b.id), rest };
}

/** Groups events by subject, in the order in which they were written; an event without a subject is a chain of one. */
function chainsOf(effects: EffectHandlers, rows: readonly OutboxRow[]): OutboxRow[][] {
  return [
    ...Map.groupBy(rows, (row) => {
      const subject = effects.registry.topics[row.topic]?.subject;
      const value = subject === undefined ? undefined : row.payload[subject];
      return value === undefined ? `one ${row.id}` : `${subject} ${JSON.stringify(value)}`;
    }).values(),
  ];
}

async function deliverGroup(
  ctx: Context,
  effects: EffectHandlers,
  trx: Trx,
  group: readonly OutboxRow[],
): Promise<void> {
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
    // After a failure each is delivered alone, so that one event does not fail the others.
    if (group.length > 1) for (const row of group) await deliverGroup(ctx, effects, trx, [row]);
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
