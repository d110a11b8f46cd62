import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { deliverTo, type OutletMessage } from './outlets.ts';
import {
  afterQuiet,
  CLAIM_MS,
  digestOf,
  deduplicates,
  MAX_ATTEMPTS,
  type Outlet,
  type Quiet,
  retryAt,
  SENDERS,
} from './rules.ts';

const BATCH = 40;
/** Concurrent vendor calls, and the time limit of one run, since other timers wait for it. */
const CONCURRENCY = 8;
const RUN_MS = 5_000;
const UNKNOWN_TEXT = '发送结果未知，不再重发';

interface Claimed {
  id: number;
  channel: Outlet;
  userId: number;
  attempts: number;
  kind: string;
  title: string;
  body: string;
  link: string | null;
  distId: number;
  wasRead: boolean;
  urgent: boolean;
  quiet: Quiet | null;
}

const deduplicating = (Object.keys(deduplicates) as Outlet[]).filter((channel) => deduplicates[channel]);

/** The deliveries of one sender, or of all. */
const ofSender = (sender: number | undefined): RawBuilder<unknown> =>
  sender === undefined ? sql`true` : sql`user_id % ${SENDERS} = ${sender}`;

/** Recovers deliveries claimed by a process that died: repeats them where the vendor deduplicates, and gives up the others. */
async function recoverStale(db: Trx, now: Date, sender: number | undefined): Promise<void> {
  const stale = sql`status = 'sending' and claimed_at < ${new Date(now.getTime() - CLAIM_MS)} and ${ofSender(sender)}`;
  await sql`update notice_delivery set status = 'unknown', done_at = ${now}, error = ${UNKNOWN_TEXT}
    where ${stale} and channel <> all(${deduplicating})`.execute(db);
  await sql`update notice_delivery set status = 'waiting', due_at = ${now} where ${stale}`.execute(db);
}

/** Claims due deliveries exclusively. `isDigest`: all pending digest deliveries of one user and channel. */
async function claim(db: Trx, now: Date, isDigest: boolean, sender: number | undefined): Promise<Claimed[]> {
  const due = isDigest
    ? sql`select d.id from notice_delivery d join (select user_id, channel from notice_delivery
          where status = 'waiting' and digest and due_at <= ${now} and ${ofSender(sender)} order by due_at limit 1) p using (user_id, channel)
        where d.status = 'waiting' and d.digest for update of d skip locked`
    : sql`select id from notice_delivery where status = 'waiting' and not digest and due_at <= ${now} and ${ofSender(sender)}
        order by due_at, id limit ${BATCH} for update skip locked`;
  const { rows } = await sql<Claimed>`
    with mine as (update notice_delivery d set status = 'sending', claimed_at = ${now}, attempts = d.attempts + 1
      where d.id in (${due}) returning d.id, d.notice_id, d.channel, d.user_id, d.attempts, d.title, d.body)
    select m.id, m.channel, m.user_id as "userId", m.attempts, n.kind, coalesce(m.title, n.title) as title, coalesce(m.body, n.body) as body, n.link, n.dist_id as "distId",
      n.read_at is not null or n.removed_at is not null as "wasRead", k.urgent,
      case when q.user_id is null then null else json_build_object('fromMinute', q.from_minute, 'toMinute', q.to_minute) end as quiet
    from mine m join notice n on n.id = m.notice_id join notice_kind k on k.code = n.kind left join notice_quiet q on q.user_id = m.user_id
    order by m.id`.execute(db);
  return rows;
}

async function settle(
  db: Trx,
  ids: readonly number[],
  now: Date,
  end: { status: 'sent' | 'unknown' | 'dropped' | 'failed'; error?: string; ref?: string },
): Promise<void> {
  await sql`update notice_delivery set status = ${end.status}, done_at = ${now}, error = ${end.error ?? null}, vendor_ref = ${end.ref ?? null}
    where id = any(${[...ids]}) and status = 'sending'`.execute(db);
}

async function requeue(db: Trx, ids: readonly number[], at: Date, error: string | null): Promise<void> {
  await sql`update notice_delivery set status = 'waiting', due_at = ${at}, error = ${error},
      attempts = attempts - ${error === null ? 1 : 0}
    where id = any(${[...ids]}) and status = 'sending'`.execute(db);
}

/** Sends one message for one or several deliveries of a user and channel, and stores the outcome. */
async function sendMessage(
  ctx: Context,
  ids: readonly number[],
  outgoing: OutletMessage,
  attempts: number,
  now: Date,
): Promise<void> {
  try {
    const outcome = await deliverTo(ctx, outgoing);
    if (outcome === 'sent') await settle(ctx.relaxed, ids, now, { status: 'sent', ref: outgoing.ref });
    else if (outcome === 'unknown')
      await settle(ctx.relaxed, ids, now, { status: 'unknown', error: UNKNOWN_TEXT, ref: outgoing.ref });
    else await settle(ctx.relaxed, ids, now, { status: 'dropped', error: outcome.dropped });
  } catch (error) {
    ctx.log.warn(
      { channel: outgoing.channel, ref: outgoing.ref, attempts, error: String(error) },
      'notice not delivered',
    );
    if (attempts >= MAX_ATTEMPTS)
      await settle(ctx.relaxed, ids, now, { status: 'failed', error: String(error).slice(0, 200) });
    else await requeue(ctx.db, ids, retryAt(now, attempts), String(error).slice(0, 200));
  }
}

/** Drops deliveries that were read meanwhile, and defers those that fall into quiet hours set since. */
async function dropOrDefer(ctx: Context, claimed: readonly Claimed[], now: Date): Promise<Claimed[]> {
  const read = claimed.filter((d) => d.wasRead);
  if (read.length > 0)
    await settle(
      ctx.relaxed,
      read.map((d) => d.id),
      now,
      { status: 'dropped', error: '已在站内阅读' },
    );
  const open = claimed.filter((d) => !d.wasRead);
  const held = open.filter((d) => !d.urgent && afterQuiet(d.quiet, now) > now);
  for (const d of held) await requeue(ctx.db, [d.id], afterQuiet(d.quiet, now), null);
  return open.filter((d) => !held.includes(d));
}

async function sendSingles(ctx: Context, now: Date, sender: number | undefined): Promise<number> {
  const claimed = await claim(ctx.db, now, false, sender);
  const open = await dropOrDefer(ctx, claimed, now);
  for (let from = 0; from < open.length; from += CONCURRENCY)
    await Promise.all(
      open.slice(from, from + CONCURRENCY).map((d) => {
        const { channel, userId, kind, title, body, link, distId } = d;
        return sendMessage(
          ctx,
          [d.id],
          { channel, userId, kind, title, body, link, distId, ref: `n${d.id}` },
          d.attempts,
          now,
        );
      }),
    );
  return claimed.length;
}

async function sendDigest(ctx: Context, now: Date, sender: number | undefined): Promise<number> {
  const claimed = await claim(ctx.db, now, true, sender);
  const open = await dropOrDefer(ctx, claimed, now);
  const first = open[0];
  if (first) {
    const { channel, userId, distId } = first;
    const message = open.length === 1 ? first : digestOf(open.map((d) => d.title));
    const link = open.length === 1 ? first.link : '/center/notices';
    const outgoing = {
      channel,
      userId,
      kind: first.kind,
      kinds: [...new Set(open.map(({ kind }) => kind))],
      title: message.title,
      body: message.body,
      link,
      distId,
      ref: `d${first.id}`,
    };
    await sendMessage(
      ctx,
      open.map((d) => d.id),
      outgoing,
      Math.max(...open.map((d) => d.attempts)),
      now,
    );
  }
  return claimed.length;
}

/** When the sender must run next; null when nothing is pending. */
async function nextDue(db: Trx, sender: number | undefined): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least((select min(due_at) from notice_delivery where status = 'waiting' and ${ofSender(sender)}),
      (select min(claimed_at) + make_interval(secs => ${CLAIM_MS / 1000 + 1}) from notice_delivery where status = 'sending' and ${ofSender(sender)})) as at`.execute(
    db,
  );
  return rows[0]?.at ?? null;
}

/** Sends all due deliveries of one sender (default: of all), each once; failed ones are retried later. Returns when to run next. */
export async function sendDue(ctx: Context, now = new Date(), sender?: number): Promise<Date | null> {
  const until = performance.now() + RUN_MS;
  await recoverStale(ctx.db, now, sender);
  while (performance.now() < until && (await sendSingles(ctx, now, sender)) > 0);
  while (performance.now() < until && (await sendDigest(ctx, now, sender)) > 0);
  return await nextDue(ctx.db, sender);
}

/**
 * Runs the job: sends, and returns the time of the next run, which applies unless the job was rescheduled meanwhile. The key is the number of
 * a sender; a job of an earlier release has an empty key and sends everything.
 */
export async function runSender(ctx: Context, key: string): Promise<Date | undefined> {
  return (await sendDue(ctx, new Date(), key === '' ? undefined : Number(key))) ?? undefined;
}
