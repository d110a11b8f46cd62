import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { deliverTo, type Parcel } from './outlets.ts';
import {
  afterQuiet,
  CLAIM_MS,
  digestOf,
  knowsNumber,
  MAX_ATTEMPTS,
  type Outlet,
  type Quiet,
  retryAt,
} from './rules.ts';

const BATCH = 40;
/** Vendors are asked so many things at once, and one run of the sender lasts so long: other timers wait behind it. */
const AT_ONCE = 8;
const RUN_MS = 5_000;

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

const known = (Object.keys(knowsNumber) as Outlet[]).filter((channel) => knowsNumber[channel]);

/** What a killed process had claimed goes again where the vendor knows its number, and is given up where it would arrive twice. */
async function takeUp(db: Trx, now: Date): Promise<void> {
  const stale = sql`status = 'sending' and claimed_at < ${new Date(now.getTime() - CLAIM_MS)}`;
  await sql`update notice_delivery set status = 'failed', done_at = ${now}, error = '发送结果未知，不再重发'
    where ${stale} and channel <> all(${known})`.execute(db);
  await sql`update notice_delivery set status = 'waiting', due_at = ${now} where ${stale}`.execute(db);
}

/** Claims what is due; nobody else claims it again. `digest`: everything that waits for one person on one channel. */
async function claim(db: Trx, now: Date, isDigest: boolean): Promise<Claimed[]> {
  const due = isDigest
    ? sql`select d.id from notice_delivery d join (select user_id, channel from notice_delivery
          where status = 'waiting' and digest and due_at <= ${now} order by due_at limit 1) p using (user_id, channel)
        where d.status = 'waiting' and d.digest for update of d skip locked`
    : sql`select id from notice_delivery where status = 'waiting' and not digest and due_at <= ${now}
        order by due_at, id limit ${BATCH} for update skip locked`;
  const { rows } = await sql<Claimed>`
    with mine as (update notice_delivery d set status = 'sending', claimed_at = ${now}, attempts = d.attempts + 1
      where d.id in (${due}) returning d.id, d.notice_id, d.channel, d.user_id, d.attempts)
    select m.id, m.channel, m.user_id as "userId", m.attempts, n.kind, n.title, n.body, n.link, n.dist_id as "distId",
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
  end: { status: 'sent' | 'dropped' | 'failed'; error?: string; ref?: string },
): Promise<void> {
  await sql`update notice_delivery set status = ${end.status}, done_at = ${now}, error = ${end.error ?? null}, vendor_ref = ${end.ref ?? null}
    where id = any(${[...ids]}) and status = 'sending'`.execute(db);
}

async function putBack(db: Trx, ids: readonly number[], at: Date, error: string | null): Promise<void> {
  await sql`update notice_delivery set status = 'waiting', due_at = ${at}, error = ${error},
      attempts = attempts - ${error === null ? 1 : 0}
    where id = any(${[...ids]}) and status = 'sending'`.execute(db);
}

/** Sends one message for one or several deliveries of a person on a channel, and writes down how it ended. */
async function sendParcel(
  ctx: Context,
  ids: readonly number[],
  parcel: Parcel,
  attempts: number,
  now: Date,
): Promise<void> {
  try {
    const outcome = await deliverTo(ctx, parcel);
    if (outcome === 'sent') await settle(ctx.db, ids, now, { status: 'sent', ref: parcel.ref });
    else await settle(ctx.db, ids, now, { status: 'dropped', error: outcome });
  } catch (error) {
    ctx.log.warn({ channel: parcel.channel, ref: parcel.ref, attempts, error: String(error) }, 'notice not delivered');
    if (attempts >= MAX_ATTEMPTS)
      await settle(ctx.db, ids, now, { status: 'failed', error: String(error).slice(0, 200) });
    else await putBack(ctx.db, ids, retryAt(now, attempts), String(error).slice(0, 200));
  }
}

/** What need not go out after all: it was read meanwhile, or quiet hours hold that were not there when it was written. */
async function sift(ctx: Context, claimed: readonly Claimed[], now: Date): Promise<Claimed[]> {
  const read = claimed.filter((d) => d.wasRead);
  if (read.length > 0)
    await settle(
      ctx.db,
      read.map((d) => d.id),
      now,
      { status: 'dropped', error: '已在站内阅读' },
    );
  const open = claimed.filter((d) => !d.wasRead);
  const held = open.filter((d) => !d.urgent && afterQuiet(d.quiet, now) > now);
  for (const d of held) await putBack(ctx.db, [d.id], afterQuiet(d.quiet, now), null);
  return open.filter((d) => !held.includes(d));
}

async function sendSingles(ctx: Context, now: Date): Promise<number> {
  const claimed = await claim(ctx.db, now, false);
  const open = await sift(ctx, claimed, now);
  for (let from = 0; from < open.length; from += AT_ONCE)
    await Promise.all(
      open.slice(from, from + AT_ONCE).map((d) => {
        const { channel, userId, kind, title, body, link, distId } = d;
        return sendParcel(
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

async function sendDigest(ctx: Context, now: Date): Promise<number> {
  const claimed = await claim(ctx.db, now, true);
  const open = await sift(ctx, claimed, now);
  const first = open[0];
  if (first) {
    const { channel, userId, distId } = first;
    const words = open.length === 1 ? first : digestOf(open.map((d) => d.title));
    const link = open.length === 1 ? first.link : '/center/notices';
    const parcel = {
      channel,
      userId,
      kind: first.kind,
      title: words.title,
      body: words.body,
      link,
      distId,
      ref: `d${first.id}`,
    };
    await sendParcel(
      ctx,
      open.map((d) => d.id),
      parcel,
      Math.max(...open.map((d) => d.attempts)),
      now,
    );
  }
  return claimed.length;
}

/** When the sender has something to do next; null when nothing waits. */
async function nextDue(db: Trx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least((select min(due_at) from notice_delivery where status = 'waiting'),
      (select min(claimed_at) + make_interval(secs => ${CLAIM_MS / 1000 + 1}) from notice_delivery where status = 'sending')) as at`.execute(
    db,
  );
  return rows[0]?.at ?? null;
}

/** Sends everything that is due, each once; what fails waits for another try. Answers when there is something to do next. */
export async function sendDue(ctx: Context, now = new Date()): Promise<Date | null> {
  const until = performance.now() + RUN_MS;
  await takeUp(ctx.db, now);
  while (performance.now() < until && (await sendSingles(ctx, now)) > 0);
  while (performance.now() < until && (await sendDigest(ctx, now)) > 0);
  return await nextDue(ctx.db);
}

/** The timer's run: sends, and sets itself to what comes next, unless somebody has set it anew meanwhile. */
export async function runSender(ctx: Context): Promise<void> {
  const { rows } = await sql<{
    due_at: Date;
  }>`select due_at from timer where kind = 'notice.send' and ref = ''`.execute(ctx.db);
  const next = await sendDue(ctx);
  if (next === null || !rows[0]) return;
  await sql`update timer set due_at = ${next}, attempts = 0 where kind = 'notice.send' and ref = '' and due_at = ${rows[0].due_at}`.execute(
    ctx.db,
  );
}
