/** Actions of finance in a walk, without a browser and a second factor. */
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { refundTopup } from '#subjects/payments/server/service.ts';

/** The database's own refusal of what an account does not have. */
const isBalanceLow = (error: unknown): boolean => /^(23514|YS)/.test(String((error as { code?: unknown }).code));

/**
 * Sends a part of some arrived top-up back to its source; now and then twice concurrently, and often more than there is. `chance` gives numbers
 * from 0 up to 1. Returns how each attempt ended; throws what is no refusal.
 */
export async function refundSomeTopup(ctx: Context, chance: () => number): Promise<('done' | 'refused')[]> {
  const { rows } = await sql<{ id: number; fen: number }>`
    select id, amount_fen as fen from payment where status = 1 and purpose = 'topup' order by md5(id::text || ${String(chance())}) limit 1`.execute(
    ctx.db,
  );
  const payment = rows[0];
  if (!payment) return [];
  const amountFen = Math.max(1, Math.floor(payment.fen * chance()));
  const input = { paymentId: payment.id, amountFen, reason: '用户申请退回' };
  const ends = await Promise.allSettled(
    Array.from({ length: chance() < 0.3 ? 2 : 1 }, () => inTransaction(ctx.db, (trx) => refundTopup(ctx, trx, input))),
  );
  return ends.map((end) => {
    if (end.status === 'fulfilled') return 'done';
    const reason: unknown = end.reason;
    if (reason instanceof AppError || isBalanceLow(reason)) return 'refused';
    throw reason;
  });
}
