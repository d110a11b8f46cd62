import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { account } from '#subjects/ledger/server/service.ts';
import { termsForSystem } from './queries.ts';
import { applyTransition } from './apply-transition.ts';

/**
 * Pays an order with the money of the open order that it comes from. In the transaction that placed it. Throws ORDER_NOT_FOUND.
 */
export async function payByRequest(ctx: Context, trx: Trx, orderId: number, requestId: number): Promise<void> {
  const order = await termsForSystem(trx, { id: orderId });
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  const paid = {
    code: 'boost_ask_pay' as const,
    ref: `order:${orderId}`,
    debit: account.boostRequest(requestId),
    credit: account.escrow(orderId),
    fen: order.totalFen,
    dist: order.distId,
    order: orderId,
  };
  const actor = `boost:${requestId}`;
  await applyTransition(ctx, trx, { name: 'payChannel', order, role: 'payment', actor, extra: [paid] });
}

/** Pays an order that its buyer has agreed to out of the buyer's balance. In the transaction that placed it. Throws BALANCE_LOW. */
export async function payPlaced(ctx: Context, trx: Trx, orderId: number): Promise<void> {
  const order = await termsForSystem(trx, { id: orderId });
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  await applyTransition(ctx, trx, { name: 'payBalance', order, role: 'buyer', actor: `user:${order.buyerId}` });
}
