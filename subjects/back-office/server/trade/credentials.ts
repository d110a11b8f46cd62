import { isInProgress, OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { staffCan } from '../../rules/staff.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/orders/contract/staff-orders.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { StaffCall } from '#server/access/call.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { askForNewVersion, openForm, type OrderTerms, termsForSystem } from '#subjects/orders/server/service.ts';
import { awaitingTakeOver, hasRead } from '#subjects/recycling/server/service.ts';
import {
  approveRequest,
  requestOrConfirm,
  openDraft,
  rejectRequest,
  secondPersonFen,
} from '#server/staff/approvals.ts';

const OPEN = 'order.open';
/** How long an approval by a second person is valid. */
const ALLOWED_HOURS = 24;

type CredentialAccess = HandlerResult<typeof c.staffOrderDetail>['sealAccess'];

const targetOf = (order: { sn: string }) => `order:${order.sn}` as const;

/** Whether the caller is assigned to the order's open dispute. */
async function hasDispute(db: Trx, orderId: number, staffId: number): Promise<boolean> {
  const { rows } = await sql`
    select from dispute where order_id = ${orderId} and closed_at is null and coalesce(appeal_staff_id, staff_id) = ${staffId}`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * Whether the caller may take over an account that the platform bought: platform staff who have not read the account,
 * from the settlement until the take-over, while no case is open.
 */
async function takesOver({ ctx, staff }: StaffCall, db: Trx, order: OrderTerms): Promise<boolean> {
  if (order.status !== OrderStatus.Completed || order.disputed || staff.distId !== null) return false;
  const r = await awaitingTakeOver(db, order.id);
  return r !== undefined && staffCan(staff, 'order.act') && !(await hasRead(ctx.db, r, staff.id));
}

/** Until when the caller is approved to reveal an order's credentials; undefined without an approval. */
async function allowedUntil(db: Trx, target: string, staffId: number): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date }>`
    select max(decided_at) + make_interval(hours => ${ALLOWED_HOURS}) as until from approval
    where act = ${OPEN} and target = ${target} and status = 'allowed' and asked_by = ${staffId}
    having max(decided_at) + make_interval(hours => ${ALLOWED_HOURS}) > now()`.execute(db);
  return rows[0]?.until;
}

async function termsFor(call: StaffCall, by: { id: number } | { sn: string }): Promise<OrderTerms> {
  requirePermission(call.staff, 'order.act');
  const order = await termsForSystem(call.ctx.db, by, call.staff.distId);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  return order;
}

/** How the caller may reveal an order's encrypted credentials; null without credentials. */
export async function loadCredentialAccess(call: StaffCall, orderSn: string): Promise<CredentialAccess> {
  const { ctx, staff } = call;
  const order = await termsForSystem(ctx.db, { sn: orderSn }, staff.distId);
  if (!order) return null;
  const { rows } = await sql`select from sealed_credential where order_id = ${order.id} limit 1`.execute(ctx.db);
  if (rows.length === 0) return null;
  const target = targetOf(order);
  const [inDispute, draft, until] = await Promise.all([
    hasDispute(ctx.db, order.id, staff.id),
    openDraft(ctx.db, OPEN, target),
    allowedUntil(ctx.db, target, staff.id),
  ]);
  const isLive = isInProgress(order.status);
  return {
    isMine: inDispute || (order.staffId === staff.id && isLive) || (await takesOver(call, ctx.db, order)),
    needsSecond: order.totalFen > secondPersonFen(call),
    asked: draft ? { by: draft.name, reason: draft.reason, isMine: draft.requestedBy === staff.id } : null,
    allowedUntil: until ?? null,
  };
}

/**
 * Reveals encrypted credentials to the staff assigned to the order or to its dispute, or to a colleague of the
 * inspector who takes over an account that the platform bought, with an audit entry in the same transaction. Above the
 * limit the first call requests approval by a second person. Throws FORBIDDEN, ORDER_*, SEAL_*, BAD_INPUT.
 */
export async function openCredentialForm(
  call: StaffCall,
  { orderId, step, reason }: Parsed<typeof c.staffReveal>,
): Promise<HandlerResult<typeof c.staffReveal>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, { id: orderId });
  const target = targetOf(order);
  const inDispute = await hasDispute(ctx.db, orderId, staff.id);
  const isTaker = !inDispute && (await takesOver(call, ctx.db, order));
  if (!inDispute && !isTaker && order.staffId !== staff.id) throw new AppError('SEAL_NOT_ASSIGNED');
  const needsSecond = order.totalFen > secondPersonFen(call);
  if (needsSecond && !(await allowedUntil(ctx.db, target, staff.id))) {
    await requestReveal(call, order, reason);
    return { waits: true, form: null };
  }
  const opener = {
    party: 'staff',
    actor: `staff:${staff.id}`,
    name: staff.name,
    inDispute,
    takesOver: isTaker,
  } as const;
  const form = await openForm(ctx, orderId, opener, step, {
    // Checked under the order's lock: the order may have been reassigned meanwhile.
    before: async (trx, locked) => {
      if (isTaker && !(await takesOver(call, trx, locked))) throw new AppError('ORDER_STATE');
      if (!inDispute && !isTaker && locked.staffId !== staff.id) throw new AppError('SEAL_NOT_ASSIGNED');
      if (needsSecond && !(await allowedUntil(trx, target, staff.id))) throw new AppError('SECOND_PERSON');
    },
    also: (trx) => audit(trx, staff, 'order.reveal', target, { step }, ip),
  });
  return { waits: false, form };
}

/**
 * Requests approval of a reveal. Throws ORDER_STATE, SEAL_NONE, BAD_INPUT, SECOND_PERSON for the author of an open
 * request.
 */
async function requestReveal(call: StaffCall, order: OrderTerms, reason: string): Promise<void> {
  if (!isInProgress(order.status) && !order.disputed && !(await takesOver(call, call.ctx.db, order)))
    throw new AppError('ORDER_STATE');
  const { rows } =
    await sql`select from sealed_credential where order_id = ${order.id} and erased_at is null limit 1`.execute(
      call.ctx.db,
    );
  if (rows.length === 0) throw new AppError('SEAL_NONE');
  if (reason === '') throw new AppError('BAD_INPUT', { text: '金额较大，请写明为什么要打开，交给另一位同事复核' });
  const draft = await openDraft(call.ctx.db, OPEN, targetOf(order));
  if (draft && draft.requestedBy !== call.staff.id)
    throw new AppError('SECOND_PERSON', { text: `${draft.name}的打开申请正在等待复核` });
  const request = {
    act: OPEN,
    target: targetOf(order),
    amountFen: order.totalFen,
    reason,
    distId: order.distId,
  } as const;
  await requestOrConfirm(call, request, async (trx) => {
    if (await allowedUntil(trx, request.target, call.staff.id)) throw errorOf('ORDER_STATE', 'openingJustAllowed');
  });
}

/** The second person approves the reveal for a day, or rejects the request. Throws FORBIDDEN, ORDER_NOT_FOUND, SECOND_PERSON. */
export async function secondOnReveal(
  call: StaffCall,
  { orderId, decision, reason }: Parsed<typeof c.staffRevealSecond>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, { id: orderId });
  const request = {
    act: OPEN,
    target: targetOf(order),
    amountFen: order.totalFen,
    reason,
    distId: order.distId,
  } as const;
  await inTransaction(ctx.db, async (trx) => {
    if (decision === 'refuse') return await rejectRequest(trx, call, request);
    await approveRequest(trx, call, request);
    await audit(trx, staff, OPEN, request.target, { reason }, ip);
  });
  return {};
}

/** Requires the seller to submit a checked form again. Throws FORBIDDEN, ORDER_*. */
export async function sealAgain(
  call: StaffCall,
  { orderId, step, reason }: Parsed<typeof c.staffSealAgain>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, { id: orderId });
  if (order.staffId !== staff.id) throw new AppError('ORDER_NOT_ASSIGNED');
  await askForNewVersion(ctx, orderId, { step, staffId: staff.id, reason }, (trx) =>
    audit(trx, staff, 'order.sealAgain', targetOf(order), { step, reason }, ip),
  );
  return {};
}
