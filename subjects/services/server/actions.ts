import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import {
  type ServiceAction,
  serviceStateName,
  serviceTransition,
  type ServiceState,
  serviceLabels,
} from '../rules/service.ts';
import type { serviceAct } from '#subjects/services/contract/services.ts';
import { refundableFen } from '#subjects/disputes/rules/ruling.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  addProcess,
  applyTransition,
  endService,
  lockedOrder,
  moveServiceDue,
  lockCredentials,
  type OrderTerms,
} from '#subjects/orders/server/service.ts';
import { CLOCKS, isBuyerAbsent, openCancel, loadOpenOrders, loadService, type ServiceRow } from './queries.ts';
import { resumeProof, stopProof } from './proof.ts';
import { maxOpenOrders } from './roles.ts';

export type ServiceActionResult = HandlerResult<typeof serviceAct>;
export type ServiceRole = 'buyer' | 'seller';

/** An order with its service, both locked, and the caller's part in it. */
export interface PartyService {
  order: OrderTerms;
  service: ServiceRow;
  role: ServiceRole;
}

const actionResult = ({ order, service }: PartyService, state: ServiceState): ServiceActionResult => ({
  orderId: order.id,
  state,
  stateName: serviceStateName(state, service.typeId),
});

/**
 * Runs an action of a party on a service, once per idempotency key, with the order and the service locked. Throws ORDER_NOT_FOUND for users
 * who are no party, ORDER_DISPUTED, and ORDER_STATE for an action that the state or the party's role does not allow.
 */
export async function partyAction(
  call: UserCall,
  orderId: number,
  action: ServiceAction,
  work: (trx: Trx, current: PartyService) => Promise<ServiceState>,
): Promise<ServiceActionResult> {
  const { ctx, user, idem } = call;
  return await orEarlier(ctx.db, idem, async () =>
    inTransaction(ctx.db, async (trx) =>
      idempotent(trx, idem, async () => {
        const current = await lockedService(trx, orderId, user.id);
        requireAction(current, action);
        const state = await work(trx, current);
        await recordAction(trx, current);
        return actionResult(current, state);
      }),
    ),
  );
}

/**
 * Records an action of a party: it restarts the period after which a late order ends (decision 395), and after an action of the buyer a stage
 * may again be paid without a confirmation (decision 381). The caller holds the service's lock.
 */
export async function recordAction(trx: Trx, { order, role, service }: PartyService): Promise<void> {
  if (service.typeId !== BOOSTING) return;
  await sql`update service_order set acted_at = now(), silence_paid_at = case when ${role !== 'buyer'} then silence_paid_at end
    where order_id = ${order.id}`.execute(trx);
}

/**
 * Records that the buyer has answered the booster: the longest period of a late order restarts, and both parties are
 * notified again (decision 395). A request that is withdrawn, or a pause, is no answer: otherwise one party could
 * postpone the end without limit.
 */
export async function recordAnswer(trx: Trx, { order, role }: PartyService): Promise<void> {
  if (role !== 'buyer') return;
  await sql`update service_order set late_told_at = null where order_id = ${order.id}`.execute(trx);
}

/** The order and its service for one of the parties, locked. Throws ORDER_NOT_FOUND. */
export async function lockedService(trx: Trx, orderId: number, userId: number): Promise<PartyService> {
  const order = await lockedOrder(trx, orderId);
  const service = await loadService(trx, orderId, true);
  if (!service || (order.buyerId !== userId && order.sellerId !== userId)) throw new AppError('ORDER_NOT_FOUND');
  return { order, service, role: order.buyerId === userId ? 'buyer' : 'seller' };
}

/** Whether a party may perform this action now, by the same table as the buttons. */
export function allowsAction({ order, service, role }: PartyService, action: ServiceAction): boolean {
  const transition = serviceTransition(service.typeId, action);
  if (!transition) return false;
  const isOpen =
    order.status === OrderStatus.Paid || (order.status === OrderStatus.Shipped && action === 'confirmLast');
  return (
    isOpen &&
    !order.disputed &&
    transition.from.includes(service.state) &&
    (transition.by === 'both' || transition.by === role)
  );
}

function requireAction(current: PartyService, action: ServiceAction): void {
  if (current.order.disputed) throw new AppError('ORDER_DISPUTED', { text: '订单在申诉中，结案前不能操作' });
  const by = serviceTransition(current.service.typeId, action)?.by;
  if (by !== undefined && by !== 'both' && by !== current.role) throw new AppError('ORDER_FORBIDDEN');
  if (!allowsAction(current, action)) throw new AppError('ORDER_STATE');
}

/** The actor of a party in records. */
export const actorOf = ({ order, role }: PartyService): string =>
  `user:${role === 'buyer' ? order.buyerId : order.sellerId}`;

/** The name of this party for the other one. */
export const nameOf = ({ service, role }: PartyService): string =>
  role === 'buyer' ? '买家' : serviceLabels(service.typeId).provider;

export const otherRole = ({ role }: PartyService): ServiceRole => (role === 'buyer' ? 'seller' : 'buyer');

/** Notifies the other party of what happened, once for `ref`. */
export async function notifyParty(
  trx: Trx,
  { order }: Pick<PartyService, 'order'>,
  to: ServiceRole,
  what: {
    kind: 'service.order' | 'service.progress' | 'boost.addition' | 'boost.ban';
    ref: string;
    title: string;
    text: string;
  },
): Promise<void> {
  const { rows } = await sql<{ title: string }>`
    select coalesce(snapshot->>'title', '') as title from orders where id = ${order.id}`.execute(trx);
  await emit(trx, 'notice', {
    kind: what.kind,
    userId: to === 'buyer' ? order.buyerId : order.sellerId,
    ref: `service:${order.id}:${what.ref}`,
    values: {
      what: what.title,
      goods: rows[0]?.title ?? '',
      text: what.text,
      orderSn: order.sn,
    },
  });
}

/** Holds the provider's row, so that acceptances queue. Throws SERVICE_CLOSED when no more orders can be open. */
export async function requireFree(trx: Trx, { order, service }: PartyService): Promise<void> {
  // Acceptances of one provider are serialized here, so that two concurrent ones cannot exceed the limit together.
  await sql`select from provider where id = ${service.providerId} for update`.execute(trx);
  const [open, most] = [
    await loadOpenOrders(trx, service.providerId),
    await maxOpenOrders(trx, order.sellerId, service.typeId),
  ];
  if (open >= most) throw new AppError('SERVICE_CLOSED', { text: `同时进行的订单最多 ${most} 笔，完成一笔后再接` });
}

/** A provider whose deposit does not reach a level, or is being released, accepts nothing new. Throws SERVICE_CLOSED. */
export async function requireDeposit(trx: Trx, { order, service }: PartyService): Promise<void> {
  if ((await maxOpenOrders(trx, order.sellerId, service.typeId)) > 0) return;
  throw new AppError('SERVICE_CLOSED', {
    text: `${serviceLabels(service.typeId).provider}保证金不足或正在退还，不能接单`,
  });
}

/** Notifies the buyer that the order was accepted, and what comes next. */
export async function notifyAccepted(
  trx: Trx,
  current: PartyService,
  what: { process: string; text: string },
): Promise<void> {
  const { order, service } = current;
  const who = serviceLabels(service.typeId).provider;
  await addProcess(trx, order, `${who}已接单，${what.process}`, `user:${order.sellerId}`);
  await notifyParty(trx, current, 'buyer', {
    kind: 'service.order',
    ref: 'accepted',
    title: `${who}已接单`,
    text: what.text,
  });
}

/** Returns all money when the provider declines or has not responded in time. */
export async function refuseOrder(
  ctx: Context,
  trx: Trx,
  current: PartyService,
  by: ServiceRole | 'timer',
  note: string,
): Promise<ServiceState> {
  const { order } = current;
  const actor = by === 'timer' ? 'timer' : `user:${by === 'seller' ? order.sellerId : order.buyerId}`;
  await applyTransition(ctx, trx, { name: 'notAccepted', order, role: 'service', actor, note });
  await cancel(trx, 'service.accept', order.id);
  await notifyParty(trx, current, 'buyer', {
    kind: 'service.order',
    ref: 'refused',
    title: '未接单，货款已退回',
    text: note,
  });
  return 'ended';
}

export async function pause(ctx: Context, trx: Trx, current: PartyService): Promise<ServiceState> {
  const { order } = current;
  await sql`update service_order set state = 'paused', paused_at = now() where order_id = ${order.id}`.execute(trx);
  await lockCredentials(trx, order.id, true);
  await stopProof(trx, order.id);
  const { maxPauseSeconds } = ctx.dir.setting('boosting');
  await schedule(trx, 'service.resume', order.id, { seconds: maxPauseSeconds });
  await addProcess(trx, order, `${nameOf(current)}暂停了服务，计时停止`, actorOf(current));
  await notifyParty(trx, current, otherRole(current), {
    kind: 'service.progress',
    ref: `paused:${Date.now()}`,
    title: '服务已暂停',
    text: '暂停期间不计时，打手不能打开账号资料，任意一方可继续',
  });
  return 'paused';
}

/** Continues a paused service; the pause is added to the promised time. */
export async function resume(trx: Trx, current: PartyService, actor: string): Promise<ServiceState> {
  const { order } = current;
  const { rows } = await sql<{
    due: Date | null;
    proofDue: Date | null;
  }>`update service_order set state = 'working', paused_at = null,
      paused_seconds = paused_seconds + extract(epoch from now() - paused_at)::int, due_at = due_at + (now() - paused_at),
      proof_due_at = proof_due_at + (now() - paused_at),
      account_free_at = account_free_at + (now() - paused_at)
    where order_id = ${order.id} returning due_at as due, proof_due_at as "proofDue"`.execute(trx);
  await lockCredentials(trx, order.id, false);
  await resumeProof(trx, order.id, rows[0]?.proofDue ?? null);
  await moveServiceDue(trx, order.id, rows[0]?.due ?? new Date());
  await cancel(trx, 'service.resume', order.id);
  await addProcess(trx, order, '服务继续，计时恢复', actor);
  return 'working';
}

/** Whether the booster can give up free of charge because the buyer did not hand over the account or did not arrive in time. */
export const isFreeToLeave = ({ service }: Pick<PartyService, 'service'>): boolean =>
  (service.state === 'waiting' || isBuyerAbsent(service)) &&
  service.accountFreeAt !== null &&
  service.accountFreeAt.getTime() <= Date.now();

/**
 * The booster gives up: paid stages stay paid, the rest is refunded, and the buyer receives the efficiency deposit,
 * unless the account or the buyer was late.
 */
export async function giveUp(ctx: Context, trx: Trx, current: PartyService, reason: string): Promise<ServiceState> {
  const { order } = current;
  const isFree = isFreeToLeave(current);
  const missing = isBuyerAbsent(current.service) ? '买家一直没有到场' : '账号没有按时提交';
  if (await openCancel(trx, order.id)) await closeCancel(trx, order.id, 'withdrawn');
  if (!isFree) await sql`update service_order set efficiency_to_buyer = true where order_id = ${order.id}`.execute(trx);
  const { buyerFen } = await endService(ctx, trx, order, refundableFen(order), {
    actor: `user:${order.sellerId}`,
    note: `${isFree ? `${missing}，打手免责放弃` : '打手放弃订单'}：${reason}`,
  });
  await stopServiceJobs(trx, order.id);
  const back = `未完成部分的 ${yuanLabel(buyerFen)} 元退还给您`;
  await notifyParty(trx, current, 'buyer', {
    kind: 'service.order',
    ref: 'given-up',
    title: '打手放弃了订单',
    text: isFree ? `${back}。${missing}，打手的保证金退回打手` : `${back}，效率保证金归您`,
  });
  return 'ended';
}

/** Closes the open cancellation. */
export async function closeCancel(
  trx: Trx,
  orderId: number,
  status: 'agreed' | 'declined' | 'withdrawn',
): Promise<void> {
  await sql`update service_cancel set status = ${status}, answered_at = now() where order_id = ${orderId} and status = 'asked'`.execute(
    trx,
  );
  await cancel(trx, 'service.cancelAnswer', orderId);
}

/** Removes the timers of a service whose order has ended. */
export async function stopServiceJobs(trx: Trx, orderId: number): Promise<void> {
  await cancel(trx, CLOCKS, orderId);
  await sql`update service_addition set status = 'withdrawn', answered_at = now() where order_id = ${orderId} and status in ('asked', 'agreed')
    and (status = 'asked' or add_fen > 0)`.execute(trx);
}
