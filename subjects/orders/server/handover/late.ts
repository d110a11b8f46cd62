/**
 * Ends a paid order that is not shipped in time and on which neither party acts (decision 440). Both are notified when the time to ship is over
 * and again a day before the end. Then the order is cancelled by rule, or a case for customer service opens when something was handed over or
 * the next action is not the seller's.
 */
import { sql } from 'kysely';
import { OrderStatus } from '../../rules/order-status.ts';
import { RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { emit, schedule, scheduleFrom } from '#server/jobs/effect-writer.ts';
import { ensureHandover } from './handover.ts';
import { isStoppedTooLong } from './steps-gate.ts';
import { LATE_SECONDS, WARN_SECONDS } from './late-times.ts';
import { addProcess } from '../process.ts';
import type { OrderTerms } from '../rules.ts';
import { applyTransition } from '../apply-transition.ts';

/** Services and accounts sold to a recycler have separate clocks. */
const hasLateClock = (o: Pick<OrderTerms, 'isService' | 'isRecycledAccount'>): boolean =>
  !o.isService && !o.isRecycledAccount;

/** The same condition for rows of `orders` that await shipment. */
const RUNS = sql`status = ${OrderStatus.Paid} and ship_by is not null and not coalesce((snapshot->>'service')::boolean, false)
  and coalesce((snapshot->>'handoverType')::int, 0) <> ${RECYCLED_ACCOUNT}`;

/**
 * Schedules the timers of orders for their times to ship and clears the ends that their parties were notified of. Leaves orders without such a
 * timer unchanged. Runs in the transaction of the change.
 */
export async function startLateClocks(trx: Trx, orderIds: readonly number[]): Promise<void> {
  const named = sql`id = any(${[...orderIds]}::bigint[]) and ${RUNS}`;
  await sql`
    update orders set late_end_at = null, late_warned_at = null
    where ${named} and (late_end_at is not null or late_warned_at is not null)`.execute(trx);
  await scheduleFrom(trx, 'order.late', {
    key: sql`id`,
    at: sql`ship_by`,
    from: sql`from orders where ${named} order by id`,
  });
}

/** Continues the timer of a late order with the time that was left; with `hasLastDay`, at least a day, of which both parties are notified again. */
export async function resumeLateClock(
  trx: Trx,
  order: Pick<OrderTerms, 'id' | 'isService' | 'isRecycledAccount'>,
  leftSeconds: number,
  hasLastDay: boolean,
): Promise<void> {
  if (!hasLateClock(order)) return;
  const seconds = hasLastDay ? Math.max(leftSeconds, WARN_SECONDS) : leftSeconds;
  await sql`
    update orders set late_end_at = now() + make_interval(secs => ${seconds}), late_warned_at = case when not ${hasLastDay} then late_warned_at end
    where id = ${order.id} and status = ${OrderStatus.Paid}`.execute(trx);
  await schedule(trx, 'order.late', order.id, { seconds: Math.max(0, seconds - WARN_SECONDS) });
}

interface Clock {
  title: string;
  shipBy: Date;
  isLate: boolean;
  /** The end that both parties were notified of; null while they were not notified. */
  endAt: Date | null;
  warnAt: Date | null;
  isWarnDue: boolean;
  isWarned: boolean;
  isOver: boolean;
  /** Whether it is cancelled by rule; otherwise customer service decides. */
  isByRule: boolean;
  /** Whether its buyer may cancel alone meanwhile. */
  isFree: boolean;
}

async function loadClock(trx: Trx, orderId: number): Promise<Clock | undefined> {
  const warnAt = sql`late_end_at - make_interval(secs => ${WARN_SECONDS})`;
  const { rows } = await sql<Clock>`
    select coalesce(snapshot->>'title', '') as title, ship_by as "shipBy", ship_by <= now() as "isLate", late_end_at as "endAt", ${warnAt} as "warnAt",
      coalesce(${warnAt} <= now(), false) as "isWarnDue", late_warned_at is not null as "isWarned", coalesce(late_end_at <= now(), false) as "isOver",
      order_ends_when_late(id) as "isByRule", buyer_opened_at is null and delivered_at is null as "isFree"
    from orders where id = ${orderId} and ship_by is not null`.execute(trx);
  return rows[0];
}

/**
 * Processes a paid order whose time to ship may be over, or a shipped one whose clock is stopped by a missing step. The
 * caller holds its lock. Returns 'judge' when a case for customer service has to be opened now, otherwise null.
 */
export async function triageLate(ctx: Context, trx: Trx, order: OrderTerms): Promise<'judge' | null> {
  if (order.status === OrderStatus.Shipped) return (await isStoppedTooLong(trx, order.id)) ? 'judge' : null;
  if (order.status !== OrderStatus.Paid || order.disputed || !hasLateClock(order)) return null;
  await ensureHandover(ctx, trx, order.id);
  const clock = await loadClock(trx, order.id);
  if (!clock) return null;
  if (!clock.isLate) await schedule(trx, 'order.late', order.id, clock.shipBy);
  else if (clock.endAt === null || clock.warnAt === null) await notifyParties(ctx, trx, order, clock);
  else if (!clock.isWarned && !clock.isWarnDue) await schedule(trx, 'order.late', order.id, clock.warnAt);
  else if (!clock.isWarned) await notifyParties(ctx, trx, order, clock);
  else if (!clock.isOver) await schedule(trx, 'order.late', order.id, clock.endAt);
  else if (!clock.isByRule) return 'judge';
  else await applyTransition(ctx, trx, { name: 'lateEnd', order, role: 'timer', actor: 'timer' });
  return null;
}

/**
 * Notifies both parties of the time by which one of them must act. The first time it gives the whole period, the second
 * time at least a day, even if the server was down in between.
 */
async function notifyParties(ctx: Context, trx: Trx, order: OrderTerms, clock: Clock): Promise<void> {
  const isFirst = clock.endAt === null;
  const seconds = Math.max(ctx.dir.setting('order').lateSeconds ?? LATE_SECONDS, WARN_SECONDS);
  const isLast = !isFirst || seconds <= WARN_SECONDS;
  const { rows } = await sql<{ at: Date }>`
    update orders set late_end_at = greatest(late_end_at, now() + make_interval(secs => ${isFirst ? seconds : WARN_SECONDS})),
      late_warned_at = case when ${isLast} then now() end
    where id = ${order.id} returning late_end_at as at`.execute(trx);
  const end = rows[0]?.at;
  if (!end) return;
  const nextMs = isLast ? end.getTime() : end.getTime() - WARN_SECONDS * 1000;
  await schedule(trx, 'order.late', order.id, new Date(nextMs));
  const until = fullTime(end.getTime());
  if (isFirst)
    await addProcess(
      trx,
      order,
      clock.isByRule
        ? `已超过发货时限；${until} 前仍未发货，订单自动取消并全额退款`
        : `已超过发货时限；${until} 前没有进展，转客服处理`,
      'timer',
    );
  const texts = textsOf(clock, until);
  for (const party of ['buyer', 'seller'] as const)
    await emit(trx, 'notice', {
      kind: 'order.overdue',
      userId: party === 'buyer' ? order.buyerId : order.sellerId,
      distId: order.distId,
      ref: `order:${order.id}:late:${party}:${isFirst ? 'first' : 'last'}:${end.getTime()}`,
      values: { goods: clock.title, orderSn: order.sn, ...texts[party] },
    });
}

/** The notice of each party, by how the order ends if neither acts. */
function textsOf(
  { isByRule, isFree }: Clock,
  until: string,
): Record<'buyer' | 'seller', { what: string; text: string }> {
  const may = isFree ? '您现在可以直接取消，货款全额退回' : '您可以申请取消，或发起申诉';
  if (isByRule)
    return {
      buyer: { what: '卖家超时未发货', text: `${may}；${until} 前卖家仍未发货，订单自动取消，货款全额退回您的余额。` },
      seller: {
        what: '已超过发货时限',
        text: `请尽快发货；${until} 前仍未发货，订单自动取消，货款退回买家，并计入您的记录。`,
      },
    };
  const judged = `${until} 前没有进展，订单转客服处理。`;
  return {
    buyer: { what: '订单超过发货时限', text: `轮到您的步骤请尽快完成；${may}。${judged}` },
    seller: { what: '订单超过发货时限', text: `轮到您的步骤请尽快完成，发货前的步骤都完成后订单自动发货。${judged}` },
  };
}
