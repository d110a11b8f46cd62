import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import type { PayChannel } from '#server/ports/pay.ts';
import { setTimer } from './lease.ts';
import { closePayment, takeNotice } from './settle.ts';

export const WATCH = 'pay.watch';
/** The first question, for whoever pays at once and whose notification never comes. */
export const FIRST_SECONDS = 20;
const DOWN_SECONDS = 60;
/** A page that polls makes the channel be asked no more often than this. */
const POLL_SECONDS = 10;
/** What the channel says does not fit what we asked for: a person must look, and the books wait. */
const ODD_SECONDS = 3600;

interface Watched {
  id: number;
  inter_sn: string;
  channel: string;
  over: boolean;
  age: number;
  left: number;
}

/** How long until the next question: often while somebody is likely to pay, then seldom, and in any case at the end. */
const pause = ({ age, left }: Watched): number =>
  Math.max(5, Math.min(age < 120 ? 20 : age < 600 ? 60 : 120, left + 1));

/**
 * The job of a payment that waits: asks the channel where it stands, since a notification may never come; closes it there when its
 * time is over or its order has moved on; and comes again until one of both is so. A channel that is down loses nothing.
 */
export async function watchPayment(ctx: Context, id: number): Promise<void> {
  const { rows } = await sql<Watched>`
    update payment p set asked_at = now() from payment q left join orders o on o.id = q.order_id
    where p.id = ${id} and q.id = p.id and p.status = 0
    returning p.id, p.inter_sn, p.channel, p.expires_at <= now() or coalesce(o.status, 0) <> 0 as over,
      extract(epoch from now() - p.created_at)::int as age, extract(epoch from p.expires_at - now())::int as left`.execute(
    ctx.db,
  );
  const p = rows[0];
  if (!p) return;
  const channel = ctx.pay.get(p.channel);
  // Switched off: whether it was paid cannot be asked until the channel is there again.
  if (!channel) return await setTimer(ctx.db, WATCH, p.id, ODD_SECONDS);
  try {
    const next = await look(ctx, channel, p);
    if (next !== undefined) await setTimer(ctx.db, WATCH, p.id, next);
  } catch (error) {
    if (!(error instanceof UnknownResult)) throw error;
    ctx.log.warn({ interSn: p.inter_sn, error: error.message }, 'the channel does not answer; asked again');
    await setTimer(ctx.db, WATCH, p.id, DOWN_SECONDS);
  }
}

/** One look; answers in how many seconds to look again, undefined when the payment is settled. */
async function look(ctx: Context, channel: PayChannel, p: Watched): Promise<number | undefined> {
  const which = { interSn: p.inter_sn };
  let notice = await channel.query(which);
  if (notice?.state !== 'paid' && notice?.state !== 'closed') {
    if (!p.over) return pause(p);
    if ((await channel.close(which)) === 'closed') {
      await closePayment(ctx.db, p.channel, p.inter_sn);
      return undefined;
    }
    notice = await channel.query(which);
  }
  if (notice?.state === 'closed') {
    await closePayment(ctx.db, p.channel, p.inter_sn);
    return undefined;
  }
  if (notice?.state !== 'paid') return pause(p);
  return (await takeNotice(ctx, channel, notice)) ? undefined : ODD_SECONDS;
}

/** Somebody looks at a waiting payment: the job asks soon, yet not more often than every ten seconds. */
export async function hurryWatch(db: Trx, paymentId: number): Promise<void> {
  await sql`update timer t set due_at = now() from payment p
    where t.kind = ${WATCH} and t.ref = ${String(paymentId)} and p.id = ${paymentId} and p.status = 0 and p.channel <> 'sandbox' and t.due_at > now()
      and coalesce(p.asked_at, p.created_at) < now() - make_interval(secs => ${POLL_SECONDS})`.execute(db);
}

/** An order was paid or has moved on: whatever else waits to be paid for it is closed at its channel now. */
export async function closeOthers(db: Trx, orderId: number): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) select ${WATCH}, id::text, now() from payment where order_id = ${orderId} and status = 0
    on conflict (kind, ref) do update set due_at = excluded.due_at`.execute(db);
}

/** Payments whose time is over and which nobody watches any more are watched again. */
export async function watchForgotten(db: Trx): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) select ${WATCH}, id::text, now() from payment
    where status = 0 and expires_at < now() - interval '1 minute' order by expires_at limit 200
    on conflict (kind, ref) do nothing`.execute(db);
}

/**
 * A statement names money for a payment that we do not count as paid: the channel itself is asked, and what it says is taken like
 * a notification. A channel that does not answer is asked again.
 */
export async function recheckPayment(ctx: Context, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ inter_sn: string; channel: string }>`
    select inter_sn, channel from payment where id = ${id} and status in (0, 2)`.execute(ctx.db);
  const p = rows[0];
  const channel = p && ctx.pay.get(p.channel);
  if (!p || !channel) return undefined;
  const notice = await channel.query({ interSn: p.inter_sn });
  if (notice?.state === 'paid') await takeNotice(ctx, channel, notice);
  return p.channel;
}
