import { sql } from 'kysely';
import { EARLY_MS, FREE_AFTER_MS, FREE_BEFORE_MS } from '../../rules/companion-slots.ts';
import { type ServiceState, unplayedFen } from '../../rules/service.ts';
import { spanText } from '#contract/rules/time/span.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { cancel, schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addProcess, markServiceAccepted, moveServiceDue } from '#subjects/orders/server/service.ts';
import {
  actorOf,
  type PartyService,
  nameOf,
  notifyParty,
  otherRole,
  requireDeposit,
  requireFree,
  notifyAccepted,
} from '../actions.ts';
import { moveSlot, takeSlot } from './booking.ts';
import { settle } from './settle.ts';
import { isPlaying, type ServiceRow } from '../queries.ts';
import { companionSetting } from '../terms.ts';

/** How companion play begins: accepted, both present, or cancelled before (docs/decisions/281, 298). */

function comingText(service: ServiceRow, readyMinutes: number): { process: string; text: string } {
  if (service.prolongsId !== null) return { process: '这一段结束后接着玩', text: '这一段结束后自动接着计时，不用再点' };
  const when = service.bookedAt ? '到约定时间' : `${readyMinutes} 分钟内`;
  return { process: `${when}上线开始`, text: `请${when}上线，并在订单页点「我到了」` };
}

/**
 * A companion takes an order: immediately when free, or the hour that was booked. Throws SERVICE_CLOSED when another play runs, when the
 * next hour is booked for another order, when the play that this order prolongs is over, or without a deposit.
 */
export async function acceptEvening(ctx: Context, trx: Trx, current: PartyService): Promise<ServiceState> {
  const { order, service } = current;
  const { readySeconds, noShowSeconds } = companionSetting(ctx);
  // Booked hours are in the calendar, which gives each to one buyer only; they need the deposit all the same.
  if (service.bookedAt !== null) await requireDeposit(trx, current);
  else {
    await requireFree(trx, current);
    await takeSlot(trx, { orderId: order.id, providerId: service.providerId }, new Date(), service.minutes);
  }
  if (service.prolongsId !== null && !(await isPlaying(trx, service.prolongsId)))
    throw new AppError('SERVICE_CLOSED', { text: '上一段已经结束，不能再加钟' });
  const wait = service.bookedAt ? 0 : readySeconds;
  const { rows } = await sql<{ due: Date; noShowIn: number }>`
    update service_order set state = 'waiting', accepted_at = now(), starts_at = greatest(booked_at, now() + make_interval(secs => ${wait})),
      due_at = greatest(booked_at, now() + make_interval(secs => ${wait})) + make_interval(mins => minutes)
    where order_id = ${order.id} returning due_at as due, extract(epoch from starts_at - now())::int + ${noShowSeconds}::int as "noShowIn"`.execute(
    trx,
  );
  await markServiceAccepted(trx, order.id, rows[0]?.due ?? new Date());
  await cancel(trx, 'service.accept', order.id);
  await schedule(trx, 'service.noShow', order.id, { seconds: rows[0]?.noShowIn ?? noShowSeconds });
  await notifyAccepted(trx, current, comingText(service, Math.round(readySeconds / 60)));
  return 'waiting';
}

/** Starts to count the minutes of play, when both parties are present. */
export async function begin(
  trx: Trx,
  { order, service }: Pick<PartyService, 'order' | 'service'>,
  actor: string,
): Promise<void> {
  const { rows } = await sql<{ due: Date }>`
    update service_order set buyer_start_at = coalesce(buyer_start_at, now()), seller_start_at = coalesce(seller_start_at, now()),
      state = 'working', started_at = now(), due_at = now() + make_interval(mins => minutes)
    where order_id = ${order.id} returning due_at as due`.execute(trx);
  await moveSlot(trx, order.id, service.providerId, service.minutes);
  await moveServiceDue(trx, order.id, rows[0]?.due ?? new Date());
  await cancel(trx, 'service.noShow', order.id);
  await schedule(trx, 'service.playEnd', order.id, { seconds: service.minutes * 60 });
  await addProcess(trx, order, '双方到场，陪玩开始计时', actor);
}

/**
 * Records that a party is present; once both are, the time of play begins. Throws ORDER_STATE for a party who has reported it before, long before
 * the agreed hour, and while the play runs that this order prolongs.
 */
export async function confirmStart(trx: Trx, current: PartyService): Promise<ServiceState> {
  const { order, service, role } = current;
  const [mine, other] =
    role === 'buyer' ? [service.buyerStartAt, service.sellerStartAt] : [service.sellerStartAt, service.buyerStartAt];
  if (mine) throw errorOf('ORDER_STATE', 'startConfirmed');
  if (service.startsAt && service.startsAt.getTime() - EARLY_MS > Date.now())
    throw new AppError('ORDER_STATE', { text: `还没到约定时间，开始前 ${spanText(EARLY_MS / 1000)}起可以点` });
  if (service.prolongsId !== null && (await isPlaying(trx, service.prolongsId)))
    throw errorOf('ORDER_STATE', 'startsByItself');
  const column = role === 'buyer' ? sql`buyer_start_at` : sql`seller_start_at`;
  await sql`update service_order set ${column} = now() where order_id = ${order.id}`.execute(trx);
  if (other) {
    await begin(trx, current, actorOf(current));
    return 'working';
  }
  await addProcess(trx, order, `${nameOf(current)}已到场`, actorOf(current));
  const text = '请上线并在订单页点「我到了」，逾时按未到场处理';
  await notifyParty(trx, current, otherRole(current), {
    kind: 'service.order',
    ref: 'there',
    title: '对方已到场',
    text,
  });
  return 'waiting';
}

/** Until when a buyer can cancel accepted play free of charge: an hour before it, or five minutes after it was accepted. */
export const freeUntil = ({ startsAt, acceptedAt }: ServiceRow): Date | null =>
  startsAt &&
  acceptedAt &&
  new Date(Math.max(startsAt.getTime() - FREE_BEFORE_MS, acceptedAt.getTime() + FREE_AFTER_MS));

/**
 * The refund when a party cancels accepted play: everything, except for a buyer who cancels too late, whose companion is paid as for waiting in
 * vain. A companion who is not present at the agreed time is paid nothing.
 */
export function givenBackFen(ctx: Context, { order, service, role }: PartyService, now: number): number {
  const until = freeUntil(service);
  const isAbsent = service.sellerStartAt === null && service.startsAt !== null && now >= service.startsAt.getTime();
  if (role === 'seller' || isAbsent || service.prolongsId !== null || until === null || now < until.getTime())
    return order.goodsFen;
  const waited = Math.min(service.minutes, Math.round(companionSetting(ctx).noShowSeconds / 60));
  return unplayedFen(order.goodsFen, waited, service.minutes);
}

/** A party cancels accepted play before it began: everything is returned, except for a buyer who cancels too late. */
export async function cancelAccepted(
  ctx: Context,
  trx: Trx,
  current: PartyService,
  reason: string,
): Promise<ServiceState> {
  const backFen = givenBackFen(ctx, current, Date.now());
  const isLate = backFen < current.order.goodsFen;
  return await settle(ctx, trx, current, backFen, {
    actor: actorOf(current),
    note: `${nameOf(current)}取消了订单：${reason}${isLate ? '。已过免费取消时间，按等候 ${spanText(companionSetting(ctx).noShowSeconds)}结算' : ''}`,
  });
}
