import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { withTypeNames } from '../rules/order-types.ts';
import { callPlan, type Trx } from '#server/db/client.ts';
import type { Context } from '#server/context.ts';
import type { Idem } from '#server/access/call.ts';
import type { Job } from '#server/jobs/kinds.ts';
import type { TopicWith } from '#server/jobs/topics.ts';
import { AppError } from '#server/kernel/errors.ts';
import { orderStateError } from '#server/states/order-states.ts';
import { saleHold, stageParts } from '#subjects/deposits/server/service.ts';
import type { Transfer } from '#subjects/ledger/server/service.ts';
import { requireSteps } from './handover/steps-gate.ts';
import { type OrderTerms, type Role, sellerDueFen, transition, type TransitionName } from './rules.ts';

export interface TransitionResult {
  orderId: number;
  orderSn: string;
  status: number;
}

export interface StepInput {
  name: TransitionName;
  order: OrderTerms;
  role: Role;
  /** The actor in the record: 'user:1', 'staff:101', 'timer', 'payment:5'. */
  actor: string;
  idem?: Idem | undefined;
  /** Postings in addition to those of the table, e.g. a channel's payment into escrow. */
  extra?: readonly Transfer[];
  /** The amount of the seller's hold in fen, if it is less than the whole sale. */
  holdFen?: number;
  note?: string | undefined;
}

/**
 * Applies one transition of the table: status, process entry, postings, holds, goods, timers and events in one statement. A repeated
 * call returns the same result; ORDER_STATE when the state has changed meanwhile. Throws also ORDER_FORBIDDEN, ORDER_HANDOVER_OPEN,
 * BALANCE_LOW.
 */
export async function applyTransition(ctx: Context, db: Trx, input: StepInput): Promise<TransitionResult> {
  const { name, order, role } = input;
  const t = transition(name);
  if (!t.roles.includes(role)) throw new AppError('ORDER_FORBIDDEN');
  if (!t.from.includes(order.status)) {
    // A repeated transition returns the earlier result; any other one is too late.
    if (order.status === t.to) return { orderId: order.id, orderSn: order.sn, status: order.status };
    throw orderStateError(order.status);
  }
  const closed = t.closed?.(order, role) ?? null;
  if (closed) throw new AppError(closed);
  const receiptStep =
    t.to === OrderStatus.Shipped || t.to === OrderStatus.Completed
      ? await requireSteps(ctx, db, order, name)
      : undefined;
  const plan = { ...(await planStep(ctx, db, input)), ...(receiptStep === undefined ? {} : { receiptStep }) };
  return await callPlan<TransitionResult>(db, 'order_step', plan);
}

/** How long the buyer of an order of this type may inspect what was shipped, in seconds. */
export const confirmSecondsOf = (ctx: Context, typeId: number): number =>
  ctx.dir.setting('order').confirmSeconds[String(typeId)] ?? 259_200;

/** The reason text of a protection hold. */
const holdReason = (sn: string, hours: number): string =>
  `订单 ${sn} 已完成，保护期 ${hours} 小时内买家可申诉，到期自动解冻`;

async function planStep(ctx: Context, db: Trx, input: StepInput) {
  const { name, order, role } = input;
  const t = transition(name);
  const setting = ctx.dir.setting('order');
  const type = String(order.typeId);
  const confirmSeconds = confirmSecondsOf(ctx, order.typeId);
  const terms = t.hold ? await saleHold(ctx, db, order.sellerId, order.buyerId) : undefined;
  const holdSeconds = (terms?.hours ?? 0) * 3600;
  const hold = {
    userId: order.sellerId,
    fen: input.holdFen ?? sellerDueFen(order),
    code: 'sale_protection',
    reason: holdReason(order.sn, Math.round(holdSeconds / 3600)),
    seconds: holdSeconds,
  };
  // The remainder after a ruling is held until the end, without early releases.
  const parts = terms && input.holdFen === undefined ? stageParts(hold.fen, terms) : [];
  const explain = withTypeNames(t.explain(role, order), order.typeId);
  const secondsOf = {
    'order.expire': setting.unpaidSeconds,
    'order.autoConfirm': confirmSeconds,
    'hold.release': holdSeconds - (parts[0]?.beforeEnd ?? 0),
  };
  return {
    ...(input.idem ? { idem: input.idem } : {}),
    orderId: order.id,
    sn: order.sn,
    from: t.from,
    to: t.to,
    explain: input.note ? `${explain}：${input.note}` : explain,
    actor: input.actor,
    transfers: [...t.postings(order), ...(input.extra ?? [])],
    ...(terms ? { holds: [hold], stages: { roomFen: terms.openFen, parts } } : {}),
    ...(t.stamp ? { stamp: t.stamp } : {}),
    ...(t.stamp === 'paid' ? { shipSeconds: order.shipSeconds ?? setting.shipSeconds[type] ?? 86_400 } : {}),
    ...(t.stamp === 'shipped' ? { confirmSeconds } : {}),
    ...(t.goods ? { goods: t.goods } : {}),
    ...(t.coupon ? { coupon: t.coupon } : {}),
    complete: t.stamp === 'completed',
    only: t.only?.(role) ?? {},
    timers: {
      set: t.timers.set.map((kind) => ({ kind, seconds: secondsOf[kind] })),
      clear: t.timers.clear satisfies readonly Job[],
    },
    events: t.events satisfies readonly TopicWith<{ orderId: number }>[],
  };
}
