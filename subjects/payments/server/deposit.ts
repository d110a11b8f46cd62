import { PaymentStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import type { Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { type DepositRole, missingTo, payDeposit } from '#subjects/deposits/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { createPayment, earlierPayment } from './service.ts';

/** Pays the amount missing to a deposit level from the balance. Throws REAL_NAME_*, PAY_PASSWORD_*, DEPOSIT_*, BALANCE_LOW. */
async function fromBalance(call: UserCall, input: Parsed<typeof depositPay>): Promise<number> {
  const { ctx, user, dist, idem } = call;
  const { fen } = await orEarlier(ctx.db, idem, async () => {
    await requireStepUp(call, 'pay', { payPassword: input.payPassword });
    return await inTransaction(ctx.db, (trx) =>
      idempotent(trx, idem, async () => {
        const ref = `balance:${crypto.randomUUID()}`;
        return { fen: await payDeposit(trx, { userId: user.id, distId: dist.id }, input, ref) };
      }),
    );
  });
  return fen;
}

/**
 * Pays the amount missing to a deposit level: immediately from the balance, or by a channel, whose money is credited to the balance and then
 * moved to the deposit. Throws REAL_NAME_*, PAY_*, DEPOSIT_*, BALANCE_LOW.
 */
export async function payForDeposit(call: UserCall, input: Parsed<typeof depositPay>) {
  await requireAdult(call.ctx.db, call.user.id);
  if (input.payWay === 'balance')
    return { status: PaymentStatus.Paid, amount: await fromBalance(call, input), payment: null };
  // Checked first: the missing amount may have been paid since, perhaps by this payment.
  const earlier = await earlierPayment(call);
  if (earlier)
    return {
      status: earlier.status === PaymentStatus.Paid ? PaymentStatus.Paid : PaymentStatus.Pending,
      amount: earlier.amount_fen,
      payment: earlier,
    };
  const { fen, level } = await missingTo(call.ctx.db, call.user.id, input);
  const payment = await createPayment(call, {
    ...input,
    deposit: { role: input.role, level: input.level, fen, name: level.name },
  });
  return { status: PaymentStatus.Pending, amount: fen, payment };
}

/**
 * Moves a paid deposit payment from the balance to the deposit. When the level was reached meanwhile or the money was spent, it stays in
 * the balance, where the bill lists it.
 */
export async function settleDeposit(ctx: Context, paymentId: number): Promise<void> {
  const { rows } = await sql<{
    user_id: number;
    dist_id: number;
    fen: number;
    role: DepositRole | null;
    level: number | null;
  }>`
    select user_id, dist_id, amount_fen as fen, deposit_role as role, deposit_level as level from payment
    where id = ${paymentId} and purpose = 'deposit' and status = ${sql.lit(PaymentStatus.Paid)}`.execute(ctx.db);
  const p = rows[0];
  if (!p) return;
  const { role, level } = p;
  if (role === null || level === null) throw new Error(`deposit payment ${paymentId} has no role or level`);
  try {
    await inTransaction(ctx.db, (trx) =>
      payDeposit(trx, { userId: p.user_id, distId: p.dist_id }, { role, level }, `payment:${paymentId}`, p.fen),
    );
  } catch (error) {
    const appError = asAppError(error);
    if (!(appError instanceof AppError) || appError.error === 'BUSY') throw error;
    ctx.log.info({ paymentId, error: appError.error }, 'the money of a deposit payment stays in the balance');
  }
}
