import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ensureHandover, handoverRows } from './handover.ts';

/** Whether the buyer of a service has submitted the account's sealed form. The caller holds the order's lock. */
export async function accountIsSealed(ctx: Context, trx: Trx, orderId: number): Promise<boolean> {
  await ensureHandover(ctx, trx, orderId);
  const { rows } = await sql`select from sealed_credential where order_id = ${orderId} limit 1`.execute(trx);
  return rows.length > 0;
}

/**
 * Marks the steps before shipping done when a service's last milestone is submitted; its proofs also serve as their
 * evidence. The caller holds the order's lock. Throws ORDER_HANDOVER_OPEN while the account is needed and the buyer has
 * not submitted it.
 */
export async function finishServiceSteps(
  ctx: Context,
  trx: Trx,
  orderId: number,
  done: { actor: string; pictures: readonly { key: string }[]; needsAccount: boolean },
): Promise<void> {
  const sealed = await accountIsSealed(ctx, trx, orderId);
  if (done.needsAccount && !sealed) throw new AppError('ORDER_HANDOVER_OPEN', { text: '买家还没有提交账号资料' });
  const open = (await handoverRows(trx, orderId)).filter((row) => row.beforeShip && row.doneAt === null);
  for (const row of open)
    await sql`update order_handover set done_by = ${done.actor}, done_at = now(),
        pictures = ${JSON.stringify(row.actor === 'seller' ? done.pictures : [])}::jsonb
      where order_id = ${orderId} and step = ${row.step} and done_at is null`.execute(trx);
}

/** Marks a service accepted: the buyer cannot cancel alone any more, and it is due at `until`. The caller holds the order's lock. */
export async function markServiceAccepted(trx: Trx, orderId: number, until: Date): Promise<void> {
  await sql`update orders set touched_at = now(), ship_by = ${until} where id = ${orderId}`.execute(trx);
}

/** Moves the promised time of a service after a pause. The caller holds the order's lock. */
export async function moveServiceDue(trx: Trx, orderId: number, until: Date): Promise<void> {
  await sql`update orders set ship_by = ${until} where id = ${orderId}`.execute(trx);
}

/** Locks or unlocks the sealed forms of an order for its booster during a pause. The caller holds the order's lock. */
export async function lockCredentials(trx: Trx, orderId: number, isShut: boolean): Promise<void> {
  await sql`update orders set shut_at = case when ${isShut} then now() end where id = ${orderId}`.execute(trx);
}

/** Marks that something was done for the buyer. The caller holds the order's lock. */
export async function markServiceDelivered(trx: Trx, orderId: number): Promise<void> {
  await sql`update orders set delivered_at = coalesce(delivered_at, now()) where id = ${orderId}`.execute(trx);
}

/**
 * Pays a part of a service's price, in fen, from escrow to the seller, less its commission; the parts add up to the
 * commission of the whole order. `ref` makes it unique. Returns the amount paid. The caller holds the order's lock.
 * Throws ORDER_STATE.
 */
export async function payServicePart(
  trx: Trx,
  orderId: number,
  part: { goodsFen: number; ref: string },
): Promise<number> {
  const { rows } = await sql<{ fen: number | null }>`
    select order_pay_part(${orderId}, ${part.goodsFen}, ${part.ref}) as fen`.execute(trx);
  return rows[0]?.fen ?? 0;
}
