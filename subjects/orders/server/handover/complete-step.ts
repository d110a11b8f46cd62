import { sql } from 'kysely';
import { isInProgress, OrderStatus } from '../../rules/order-status.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ownPictures, staffPictures } from '#subjects/media/server/service.ts';
import { CHECK_LOGIN } from './access.ts';
import { eraseExchange, isExchange, requireExchanged } from './exchange.ts';
import { requireCheckedAccount, requireCredential } from './credentials.ts';
import { currentStep, ensureHandover, type HandoverRow, handoverRows } from './handover.ts';
import { applyTransition } from '../apply-transition.ts';
import { addProcess } from '../process.ts';
import { openHandover, termsForSystem } from '../queries.ts';
import { startLateClocks } from './late.ts';
import type { OrderTerms } from '../rules.ts';
import { requireNewestOpened } from './reseal.ts';
import { blockingRelease, startConfirm } from './steps-gate.ts';

/** The actor of a step: a party, or a member of staff, who gives a reason for a step of the seller's. */
export type StepActor =
  | { role: 'buyer' | 'seller'; userId: number }
  | { role: 'staff'; staffId: number; reason?: string | undefined; mayActForSeller: boolean };

const actorOf = (who: StepActor): string => (who.role === 'staff' ? `staff:${who.staffId}` : `user:${who.userId}`);

/** Throws ORDER_FORBIDDEN for a step of another actor, BAD_INPUT for missing evidence. */
function requireActor(row: HandoverRow, who: StepActor, pictures: number): void {
  const isOthers = row.actor !== who.role;
  if (isOthers && who.role !== 'staff') throw new AppError('ORDER_FORBIDDEN', { text: '这一步由对方或客服操作' });
  // Only the buyer can confirm a receipt.
  if (isOthers && row.actor === 'buyer')
    throw new AppError('ORDER_FORBIDDEN', { text: '买家的步骤只能由买家本人完成' });
  if (isOthers && who.role === 'staff' && !who.mayActForSeller)
    throw new AppError('ORDER_FORBIDDEN', {
      text: '订单金额超过复核额度，卖家的步骤只能由卖家本人完成；卖家失联请两人复核关闭或走申诉裁决',
    });
  if (isOthers && who.role === 'staff' && !who.reason)
    throw new AppError('BAD_INPUT', { text: '代卖家完成这一步须填写原因', field: 'reason' });
  if ((row.evidence || isOthers) && pictures === 0)
    throw new AppError('BAD_INPUT', { text: '请上传这一步的截图凭证', field: 'pictures' });
}

/**
 * Whether a finished step delivered something to the buyer in the game: in a trade without sealed credentials of the
 * seller, a seller's step that is proved by a picture or is the seller's last one before shipping.
 */
export function isDelivery(rows: readonly HandoverRow[], row: HandoverRow): boolean {
  if (row.actor !== 'seller' || !row.beforeShip || rows.some((r) => r.actor === 'seller' && r.secret)) return false;
  const last = rows.findLast((r) => r.actor === 'seller' && r.beforeShip);
  return row.evidence || last?.step === row.step;
}

/**
 * Marks the current step done. Steps go in their order; evidence must be pictures uploaded by the actor, also for
 * staff. A seller's or staff's step marks the order as touched, a delivery as delivered: from then on the buyer cannot
 * cancel alone. The last missing step starts the auto-confirm clock again. `also` runs in the same transaction, once
 * the step was marked. Throws ORDER_STATE, ORDER_FORBIDDEN, BAD_INPUT, PICTURE_BROKEN.
 */
export async function completeStep(
  ctx: Context,
  order: OrderTerms,
  who: StepActor,
  input: { step: number; pictures: readonly string[] },
  also?: (trx: Trx) => Promise<void>,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => await completeStepIn(ctx, trx, order, who, input, also));
}

/** The same in the caller's transaction, which locks the order here. */
export async function completeStepIn(
  ctx: Context,
  trx: Trx,
  order: OrderTerms,
  who: StepActor,
  input: { step: number; pictures: readonly string[] },
  also?: (trx: Trx) => Promise<void>,
): Promise<void> {
  // Shipping and completing read the steps under the same lock.
  const { rows: held } = await sql<{ status: number }>`
    select status from orders where id = ${order.id} for update`.execute(trx);
  const status = held[0]?.status ?? -1;
  await ensureHandover(ctx, trx, order.id);
  const rows = await handoverRows(trx, order.id);
  const now = currentStep(rows, status);
  const row = rows.find((r) => r.step === input.step);
  if (row && row.doneAt !== null) return;
  if (!row || !now) throw new AppError('ORDER_STATE');
  // A service's own steps follow from its milestones.
  if (order.isService && row.actor !== 'buyer') throw new AppError('ORDER_SERVICE_ACT');
  if (row.step !== now.step) throw new AppError('ORDER_STATE', { text: `请先完成「${now.title}」` });
  requireActor(row, who, input.pictures.length);
  // Staff cannot complete a step with a sealed form before the form was submitted.
  if (who.role === 'staff') await requireCredential(trx, order.id, row.step);
  else if (isExchange(row)) await requireExchanged(trx, order.id, row);
  if (row.key === CHECK_LOGIN) {
    await requireNewestOpened(trx, order.id, row.step);
    await requireCheckedAccount(ctx, trx, order.id, row.step);
  }
  await markDone(trx, { id: order.id, status }, row, who, input.pictures);
  if (who.role !== 'buyer')
    await sql`update orders set touched_at = coalesce(touched_at, now()),
        delivered_at = coalesce(delivered_at, case when ${isDelivery(rows, row)} then now() end) where id = ${order.id}`.execute(
      trx,
    );
  // The next actor gets the full time.
  if (status === OrderStatus.Paid) await startLateClocks(trx, [order.id]);
  if (status === OrderStatus.Shipped && row.required && row.actor !== 'buyer') {
    const missing = blockingRelease(await openHandover(trx, order.id, false));
    if (missing.length === 0) await startConfirm(trx, order.id);
  }
  if (isExchange(row)) await eraseExchange(trx, order.id, row.step);
  await also?.(trx);
  await shipWhenDone(ctx, trx, { id: order.id, status });
}

/**
 * Ships a paid order once no required step before the shipping is open: the steps are the delivery, so no separate
 * confirmation is needed. Does nothing for services and recycled accounts, which have their own actions, and in a
 * dispute.
 */
async function shipWhenDone(ctx: Context, trx: Trx, at: { id: number; status: number }): Promise<void> {
  if (at.status !== OrderStatus.Paid) return;
  const order = await termsForSystem(trx, { id: at.id });
  if (!order || order.isService || order.isRecycledAccount || order.disputed) return;
  if ((await openHandover(trx, at.id, true)).length > 0) return;
  await applyTransition(ctx, trx, { name: 'ship', order, role: 'timer', actor: 'system' });
}

/**
 * After a dispute is closed, ships an order whose last step before the shipping was done during the dispute.
 * Idempotent.
 */
export async function shipAfterCase(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ status: number }>`
      select status from orders where id = ${orderId}
        and exists (select from order_handover where order_id = ${orderId} and required and before_ship) for update`.execute(
      trx,
    );
    if (rows[0]) await shipWhenDone(ctx, trx, { id: orderId, status: rows[0].status });
  });
}

/** Skips an optional step. Only the buyer may, at any time while the order is open. Throws ORDER_STATE, ORDER_FORBIDDEN, ORDER_DISPUTED. */
export async function skipStep(ctx: Context, order: OrderTerms, userId: number, step: number): Promise<void> {
  if (order.buyerId !== userId)
    throw new AppError('ORDER_FORBIDDEN', { text: '只有买家能跳过选做的步骤，可以在交易群里和买家商量' });
  await inTransaction(ctx.db, async (trx) => {
    const { rows: held } = await sql<{ status: number; disputed: boolean }>`
      select status, disputed from orders where id = ${order.id} for update`.execute(trx);
    const { status = -1, disputed = false } = held[0] ?? {};
    if (disputed) throw new AppError('ORDER_DISPUTED', { text: '订单在申诉中，结案后再操作' });
    if (!isInProgress(status)) throw new AppError('ORDER_STATE');
    await ensureHandover(ctx, trx, order.id);
    const row = (await handoverRows(trx, order.id)).find((r) => r.step === step);
    if (!row || row.required) throw errorOf('ORDER_STATE', 'stepRequired');
    if (row.doneAt !== null) return;
    await sql`update order_handover set skipped = true, done_by = ${`user:${userId}`}, done_at = now()
      where order_id = ${order.id} and step = ${step} and done_at is null`.execute(trx);
    if (isExchange(row)) await eraseExchange(trx, order.id, step);
    await addProcess(
      trx,
      { id: order.id, status },
      `买家不需要第 ${step} 步「${row.title}」，已跳过`,
      `user:${userId}`,
    );
    await emit(trx, 'order.handover', { orderId: order.id, step, title: row.title, isSkipped: true });
  });
}

async function markDone(
  trx: Trx,
  order: { id: number; status: number },
  row: HandoverRow,
  who: StepActor,
  keys: readonly string[],
): Promise<void> {
  const proofs =
    who.role === 'staff'
      ? await staffPictures(trx, who.staffId, 'evidence', keys)
      : await ownPictures(trx, who.userId, 'evidence', keys);
  const pictures = JSON.stringify(proofs.map(({ key }) => ({ key })));
  const note = who.role === 'staff' && row.actor !== 'staff' ? (who.reason ?? null) : null;
  await sql`
    update order_handover set done_by = ${actorOf(who)}, done_at = now(), pictures = ${pictures}::jsonb, note = ${note}
    where order_id = ${order.id} and step = ${row.step} and done_at is null`.execute(trx);
  const done = note === null ? '已完成' : `由平台客服代卖家完成：${note}`;
  await sql`insert into order_process (order_id, order_status, explain, actor) values (${order.id}, ${order.status}, ${`第 ${row.step} 步「${row.title}」${done}`}, ${actorOf(who)})`.execute(
    trx,
  );
  await emit(trx, 'order.handover', { orderId: order.id, step: row.step, title: row.title });
}
