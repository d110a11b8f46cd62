/**
 * How a paid order ends that is not shipped in time and on which nobody acts (decision 440): both are told at the time to ship and again a day
 * before the end; then it is cancelled by rule, or goes before customer service where something was handed over or another's act is due.
 */
import { sql } from 'kysely';
import { OrderStatus, RECYCLED_ACCOUNT } from '#contract/rules/order-status.ts';
import { fullTime } from '#contract/rules/time-label.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { emit, schedule, scheduleFrom } from '#server/jobs/door.ts';
import { ensureHandover } from './handover.ts';
import { isStoppedTooLong } from './steps-gate.ts';
import { LATE_SECONDS, WARN_SECONDS } from './late-times.ts';
import { addProcess } from '../process.ts';
import type { OrderTerms } from '../rules.ts';
import { applyTransition, type OrderSetting } from '../step.ts';

/** Services and accounts sold to a recycler have clocks of their own. */
const hasLateClock = (o: Pick<OrderTerms, 'isService' | 'isRecycledAccount'>): boolean =>
  !o.isService && !o.isRecycledAccount;

/** The same, of rows of `orders` that wait for their shipment. */
const RUNS = sql`status = ${OrderStatus.Paid} and ship_by is not null and not coalesce((snapshot->>'service')::boolean, false)
  and coalesce((snapshot->>'handoverType')::int, 0) <> ${RECYCLED_ACCOUNT}`;

/**
 * Sets the clocks of orders to their times to ship; what was told of their ends no longer counts. Orders without such a clock stay unchanged.
 * In the transaction of the change.
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

/** Lets the clock of a late order go on with what was left of it; with its last day, of which both are told again, where `hasLastDay`. */
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
  /** When it ends, as both were told; null while they were not told. */
  endAt: Date | null;
  warnAt: Date | null;
  isWarnDue: boolean;
  isWarned: boolean;
  isOver: boolean;
  /** Whether it ends by rule, or before customer service. */
  isByRule: boolean;
  /** Whether its buyer may cancel alone meanwhile. */
  isFree: boolean;
}

async function clockOf(trx: Trx, orderId: number): Promise<Clock | undefined> {
  const warnAt = sql`late_end_at - make_interval(secs => ${WARN_SECONDS})`;
  const { rows } = await sql<Clock>`
    select coalesce(snapshot->>'title', '') as title, ship_by as "shipBy", ship_by <= now() as "isLate", late_end_at as "endAt", ${warnAt} as "warnAt",
      coalesce(${warnAt} <= now(), false) as "isWarnDue", late_warned_at is not null as "isWarned", coalesce(late_end_at <= now(), false) as "isOver",
      order_ends_when_late(id) as "isByRule", buyer_opened_at is null and delivered_at is null as "isFree"
    from orders where id = ${orderId} and ship_by is not null`.execute(trx);
  return rows[0];
}

/**
 * Decides what is due for a paid order whose time to ship may be over, or a shipped one whose clock stands still for a missing step; the caller
 * holds its lock. Returns 'judge' where it has to go before customer service now, and null otherwise.
 */
export async function triageLate(ctx: Context, trx: Trx, order: OrderTerms): Promise<'judge' | null> {
  if (order.status === OrderStatus.Shipped) return (await isStoppedTooLong(trx, order.id)) ? 'judge' : null;
  if (order.status !== OrderStatus.Paid || order.disputed || !hasLateClock(order)) return null;
  await ensureHandover(ctx, trx, order.id);
  const clock = await clockOf(trx, order.id);
  if (!clock) return null;
  if (!clock.isLate) await schedule(trx, 'order.late', order.id, clock.shipBy);
  else if (clock.endAt === null || clock.warnAt === null) await tell(ctx, trx, order, clock);
  else if (!clock.isWarned && !clock.isWarnDue) await schedule(trx, 'order.late', order.id, clock.warnAt);
  else if (!clock.isWarned) await tell(ctx, trx, order, clock);
  else if (!clock.isOver) await schedule(trx, 'order.late', order.id, clock.endAt);
  else if (!clock.isByRule) return 'judge';
  else await applyTransition(ctx, trx, { name: 'lateEnd', order, role: 'timer', actor: 'timer' });
  return null;
}

/**
 * Tells both until when somebody has to act: the first time with the whole period, the second time with at least a day, also where the market
 * stood still meanwhile.
 */
async function tell(ctx: Context, trx: Trx, order: OrderTerms, clock: Clock): Promise<void> {
  const isFirst = clock.endAt === null;
  const seconds = Math.max(ctx.dir.setting<Partial<OrderSetting>>('order').lateSeconds ?? LATE_SECONDS, WARN_SECONDS);
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

/** What both are told, by how the order ends when nobody acts. */
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
    seller: { what: '订单超过发货时限', text: `轮到您的步骤请尽快完成，完成后确认发货。${judged}` },
  };
}
