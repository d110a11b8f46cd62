import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { PaymentStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { reschedule, scheduleFrom } from '#server/jobs/effect-writer.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import type { PayChannel } from '#server/ports/pay.ts';
import { setTimer } from './lease.ts';
import { closePayment, recordNotice } from './settle.ts';

export const WATCH = 'pay.watch';
/** Delay of the first query, for a payer who pays immediately and whose notification is lost. */
export const FIRST_SECONDS = 20;
const OUTAGE_RETRY_SECONDS = 60;
/** A polling page triggers a query of the channel at most this often. */
const POLL_SECONDS = 10;
/** Delay after a response that does not match the payment, which staff must investigate. */
const MISMATCH_RETRY_SECONDS = 3600;

interface Watched {
  id: number;
  inter_sn: string;
  channel: string;
  /** It can no longer be paid: it has expired, its order is not unpaid, or the payer chose another method. */
  over: boolean;
  age: number;
  left: number;
}

/** Seconds until the next query: frequent while the payer is likely to pay, then rare, and always when the payment expires. */
const secondsToNextCheck = ({ age, left }: Watched): number =>
  Math.max(5, Math.min(age < 120 ? 20 : age < 600 ? 60 : 120, left + 1));

/**
 * The job of a pending payment: queries the channel, since a notification may be lost, and closes the payment there when it has expired
 * or its order is no longer unpaid. It repeats until the payment is paid or closed; an outage of the channel only delays it.
 */
export async function watchPayment(ctx: Context, id: number): Promise<void> {
  const { rows } = await sql<Watched>`
    update payment p set asked_at = now() from payment q left join orders o on o.id = q.order_id
    where p.id = ${id} and q.id = p.id and p.status = ${sql.lit(PaymentStatus.Pending)}
    returning p.id, p.inter_sn, p.channel, p.expires_at <= now() or p.dropped_at is not null or (o.status <> ${sql.lit(OrderStatus.Unpaid)}) is true as over,
      extract(epoch from now() - p.created_at)::int as age, extract(epoch from p.expires_at - now())::int as left`.execute(
    ctx.db,
  );
  const p = rows[0];
  if (!p) return;
  const channel = ctx.pay.get(p.channel);
  // The channel is disabled: its state cannot be queried until it is enabled again.
  if (!channel) return await setTimer(ctx.db, WATCH, p.id, MISMATCH_RETRY_SECONDS);
  try {
    const next = await checkOnce(ctx, channel, p);
    if (next !== undefined) await setTimer(ctx.db, WATCH, p.id, next);
  } catch (error) {
    if (!(error instanceof UnknownResult)) throw error;
    ctx.log.warn({ interSn: p.inter_sn, error: error.message }, 'the channel does not respond; it is queried again');
    await setTimer(ctx.db, WATCH, p.id, OUTAGE_RETRY_SECONDS);
  }
}

/** One check of a payment. Returns the seconds until the next one, undefined when the payment is settled. */
async function checkOnce(ctx: Context, channel: PayChannel, p: Watched): Promise<number | undefined> {
  const which = { interSn: p.inter_sn };
  let notice = await channel.query(which);
  if (notice?.state !== 'paid' && notice?.state !== 'closed') {
    if (!p.over) return secondsToNextCheck(p);
    const outcome = await channel.close(which);
    // A payment unknown to the channel may still be created there until it expires; it is closed as soon as the channel knows it.
    if (outcome === 'unseen' && p.left > 0) return secondsToNextCheck(p);
    if (outcome !== 'paid') {
      await closePayment(ctx.db, p.channel, p.inter_sn);
      return undefined;
    }
    notice = await channel.query(which);
  }
  if (notice?.state === 'closed') {
    await closePayment(ctx.db, p.channel, p.inter_sn);
    return undefined;
  }
  if (notice?.state !== 'paid') return secondsToNextCheck(p);
  return (await recordNotice(ctx, channel, notice)) ? undefined : MISMATCH_RETRY_SECONDS;
}

/** Brings the check of a pending payment forward because its page is open, at most once every ten seconds. */
export async function hurryWatch(db: Trx, paymentId: number): Promise<void> {
  const only = sql<boolean>`due_at > now() and exists (select from payment p where p.id = ${paymentId} and p.status = ${sql.lit(PaymentStatus.Pending)} and p.channel <> 'sandbox'
      and coalesce(p.asked_at, p.created_at) < now() - make_interval(secs => ${POLL_SECONDS}))`;
  await reschedule(db, WATCH, paymentId, { seconds: 0 }, only);
}

/** Closes the other pending payments of orders that were paid or are no longer unpaid. */
export async function closeOtherPayments(db: Trx, orderIds: readonly number[]): Promise<void> {
  await scheduleFrom(db, WATCH, {
    key: sql`id`,
    at: sql`now()`,
    from: sql`from payment where order_id = any(${[...orderIds]}::bigint[]) and status = ${sql.lit(PaymentStatus.Pending)} order by id`,
  });
}

/** Schedules a check for expired pending payments that have no timer. */
export async function watchForgotten(db: Trx): Promise<void> {
  const from = sql`from payment where status = ${sql.lit(PaymentStatus.Pending)} and expires_at < now() - interval '1 minute' order by expires_at limit 200`;
  await scheduleFrom(db, WATCH, { key: sql`id`, at: sql`now()`, from }, 'keep');
}

/**
 * Queries the channel about a payment that its statement lists and that is not paid here; the response is handled like a notification.
 * Returns the channel; undefined when there is nothing to check. Throws UnknownResult when the channel does not respond.
 */
export async function recheckPayment(ctx: Context, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ inter_sn: string; channel: string }>`
    select inter_sn, channel from payment where id = ${id} and status in (${sql.lit(PaymentStatus.Pending)}, ${sql.lit(PaymentStatus.Closed)})`.execute(
    ctx.db,
  );
  const p = rows[0];
  const channel = p && ctx.pay.get(p.channel);
  if (!p || !channel) return undefined;
  const notice = await channel.query({ interSn: p.inter_sn });
  if (notice?.state === 'paid') await recordNotice(ctx, channel, notice);
  return p.channel;
}
