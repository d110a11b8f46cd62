import { sql } from 'kysely';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { playedMinutes, type ServiceState, unplayedFen } from '../../rules/service.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addProcess, lockedOrder } from '#subjects/orders/server/service.ts';
import { countNoShow } from '#subjects/providers/server/service.ts';
import { actorOf, type PartyService, nameOf, notifyParty, otherRole, refuseOrder } from '../actions.ts';
import { freeSlot } from './booking.ts';
import { backFor, settle } from './settle.ts';
import { begin, givenBackFen } from './start.ts';
import { loadProlongation, loadService, type ServiceRow } from '../queries.ts';
import { companionSetting } from '../terms.ts';

/** Companion play: both report being present, either can end it, and the minutes played are paid (docs/decisions/281). */

/** A timer that runs during an open dispute checks again after this time. */
const RECHECK_SECONDS = 3600;

/** Minutes of a running play, without the time of a dispute. */
export function minutesNow({ startedAt, stoppedAt, stoppedSeconds, minutes }: ServiceRow): number {
  if (startedAt === null) return 0;
  const until = (stoppedAt?.getTime() ?? Date.now()) - stoppedSeconds * 1000;
  return playedMinutes(startedAt.getTime(), until, minutes);
}

/**
 * One party ends the play: its minutes are fixed, and become final when the other agrees, or after a time without
 * objection.
 */
export async function proposeEnd(ctx: Context, trx: Trx, current: PartyService): Promise<ServiceState> {
  const { order, service, role } = current;
  const played = minutesNow(service);
  const { endAnswerSeconds } = companionSetting(ctx);
  await sql`update service_order set state = 'ending', end_by = ${role === 'buyer' ? 0 : 1}, played_minutes = ${played}, finished_at = now()
    where order_id = ${order.id}`.execute(trx);
  await freeSlot(trx, order.id);
  await endProlongation(ctx, trx, order.id);
  await cancel(trx, 'service.playEnd', order.id);
  await schedule(trx, 'service.endFinal', order.id, { seconds: endAnswerSeconds });
  await addProcess(trx, order, `${nameOf(current)}结束了陪玩，共 ${played} 分钟`, actorOf(current));
  await notifyParty(trx, current, otherRole(current), {
    kind: 'service.order',
    ref: 'ended',
    title: '对方结束了陪玩',
    text: `共 ${played} 分钟，按分钟结算。${Math.round(endAnswerSeconds / 60)} 分钟内没有申诉即生效`,
  });
  return 'ending';
}

/** The minutes of a requested end; all ordered minutes when staff have since ruled that nothing is refunded. */
async function finalMinutes(trx: Trx, { order, service }: PartyService): Promise<number> {
  const { rows } = await sql`
    select from dispute where order_id = ${order.id} and status = 'closed' and outcome <> 'withdrawn' and back_fen = 0
      and opened_at >= ${service.finishedAt} limit 1`.execute(trx);
  return rows.length > 0 ? service.minutes : (service.playedMinutes ?? 0);
}

async function endByMinutes(ctx: Context, trx: Trx, current: PartyService, actor: string): Promise<ServiceState> {
  const played = await finalMinutes(trx, current);
  return await settle(ctx, trx, current, backFor(current.service, current.order.goodsFen, played), {
    actor,
    note: `陪玩 ${played} 分钟`,
  });
}

/** The other party agrees to the end. Throws ORDER_FORBIDDEN for the party who requested it. */
export async function agreeEnd(ctx: Context, trx: Trx, current: PartyService): Promise<ServiceState> {
  if ((current.service.endBy === 0) === (current.role === 'buyer'))
    throw new AppError('ORDER_FORBIDDEN', { text: '请等待对方确认' });
  return await endByMinutes(ctx, trx, current, actorOf(current));
}

/** A party who feels unsafe ends play immediately: paid by the minutes played so far, and customer service examines it. */
export async function stopAtOnce(ctx: Context, trx: Trx, current: PartyService, reason: string): Promise<ServiceState> {
  const { order, service } = current;
  const played =
    service.state === 'waiting' ? 0 : service.state === 'ending' ? (service.playedMinutes ?? 0) : minutesNow(service);
  if (service.state === 'working')
    await sql`update service_order set played_minutes = ${played}, finished_at = now() where order_id = ${order.id}`.execute(
      trx,
    );
  await sql`insert into service_progress (order_id, actor, kind, text)
    values (${order.id}, ${actorOf(current)}, 'exception', ${reason || '紧急停止'})`.execute(trx);
  await emit(trx, 'chat.card', {
    orderId: order.id,
    key: 'companion-stopped',
    card: 'order.stepMissing',
    title: '陪玩被紧急停止，请客服跟进',
    content: `${nameOf(current)}点了紧急停止${reason && `：${reason}`}。客服会分别联系双方`,
  });
  await endProlongation(ctx, trx, order.id);
  const backFen =
    service.state === 'waiting' ? givenBackFen(ctx, current, Date.now()) : backFor(service, order.goodsFen, played);
  return await settle(ctx, trx, current, backFen, {
    actor: actorOf(current),
    note: `${nameOf(current)}紧急停止，共 ${played} 分钟`,
  });
}

/** The order of a timer and its service, locked; undefined unless it is in the timer's state. During a dispute the timer is set again. */
async function dueService(
  trx: Trx,
  orderId: number,
  state: ServiceState,
  clock: 'service.noShow' | 'service.playEnd' | 'service.endFinal',
): Promise<PartyService | undefined> {
  const order = await lockedOrder(trx, orderId);
  const service = await loadService(trx, orderId, true);
  if (service?.state !== state || order.status !== OrderStatus.Paid) return undefined;
  if (!order.disputed) return { order, service, role: 'seller' };
  await schedule(trx, clock, orderId, { seconds: RECHECK_SECONDS });
  return undefined;
}

/** Finds the parties that opened a case since the order was accepted: a case moves the meeting time, and a party may not profit from having moved it. */
async function delayedBy(
  db: Trx,
  orderId: number,
  acceptedAt: Date | null,
): Promise<{ buyer: boolean; seller: boolean }> {
  const { rows } = await sql<{ buyer: boolean; seller: boolean }>`
    select coalesce(bool_or(opener_belong = 1), false) as buyer, coalesce(bool_or(opener_belong = 0), false) as seller from dispute
    where order_id = ${orderId} and opened_at >= ${acceptedAt}`.execute(db);
  return rows[0] ?? { buyer: false, seller: false };
}

/**
 * Ends an order for which one or both parties did not come. Without the companion everything is returned, and the absence counts in the
 * companion's record; a companion who waited in vain is paid for the time waited; without both, everything is returned. A companion whose own
 * case moved the time is not paid, and an absence after a buyer's case is not counted.
 */
export async function noShow(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const current = await dueService(trx, orderId, 'waiting', 'service.noShow');
    if (!current) return;
    const { order, service } = current;
    const waited = Math.min(service.minutes, Math.round(companionSetting(ctx).noShowSeconds / 60));
    const delayed = await delayedBy(trx, orderId, service.acceptedAt);
    if (service.sellerStartAt && !delayed.seller) {
      const backFen = unplayedFen(order.goodsFen, waited, service.minutes);
      await settle(ctx, trx, current, backFen, { actor: 'timer', note: `买家未到场，按等候的 ${waited} 分钟结算` });
      return;
    }
    if (service.buyerStartAt && !delayed.buyer) await countNoShow(trx, service.providerId);
    const note = service.sellerStartAt
      ? '申诉推迟了时间，买家未到场，全额退款'
      : service.buyerStartAt
        ? '陪玩未到场，全额退款'
        : '双方都未到场，全额退款';
    await settle(ctx, trx, current, order.goodsFen, { actor: 'timer', note });
  });
}

/** The ordered time is over. */
export async function timeOver(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const current = await dueService(trx, orderId, 'working', 'service.playEnd');
    if (!current) return;
    await sql`update service_order set played_minutes = minutes where order_id = ${orderId}`.execute(trx);
    await settle(ctx, trx, current, 0, { actor: 'timer', note: '约定时长已满' });
    await goOn(ctx, trx, orderId);
  });
}

/** The order that is to prolong the play of another, locked; undefined when there is none. */
async function lockedProlongation(trx: Trx, orderId: number): Promise<PartyService | undefined> {
  const found = await loadProlongation(trx, orderId);
  if (!found) return undefined;
  const order = await lockedOrder(trx, found.orderId);
  const service = await loadService(trx, found.orderId, true);
  return service && order.status === OrderStatus.Paid && !order.disputed
    ? { order, service, role: 'seller' }
    : undefined;
}

/** The ordered time is over: an agreed prolongation begins, since both are present; a prolongation that was not accepted is returned. */
async function goOn(ctx: Context, trx: Trx, orderId: number): Promise<void> {
  const next = await lockedProlongation(trx, orderId);
  if (next?.service.state === 'waiting') await begin(trx, next, 'timer');
  else if (next?.service.state === 'pending') await refuseOrder(ctx, trx, next, 'timer', '加钟没有接单');
}

/** Play ended before its time: it is not continued, and its prolongation is returned in full. */
export async function endProlongation(ctx: Context, trx: Trx, orderId: number): Promise<void> {
  const next = await lockedProlongation(trx, orderId);
  if (next?.service.state === 'pending') await refuseOrder(ctx, trx, next, 'timer', '上一段提前结束');
  else if (next?.service.state === 'waiting')
    await settle(ctx, trx, next, next.order.goodsFen, { actor: 'timer', note: '上一段提前结束，加钟全额退回' });
}

/** The same when a ruling or a cancellation ended the play. */
export async function endProlongationLater(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await endProlongation(ctx, trx, orderId);
  });
}

/** An end that was not disputed becomes final. */
export async function endUncontested(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const current = await dueService(trx, orderId, 'ending', 'service.endFinal');
    if (current) await endByMinutes(ctx, trx, current, 'timer');
  });
}
