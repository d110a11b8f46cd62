import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import type { ChannelOutcome } from '#server/ports/pay.ts';
import { account, post, type Transfer } from '#subjects/ledger/server/service.ts';
import { PAYOUT_CHECK, setTimer } from '../lease.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';
import { matchAgain } from '../reconcile.ts';

const RETRY_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** Schedules the next check of a paid withdrawal, if any remains. Payouts by the sandbox or by the bank's list cannot be queried. */
export async function planRecheck(
  ctx: Context,
  db: Db | Trx,
  w: { id: number; channel: string | null },
): Promise<void> {
  if (w.channel === null || w.channel === 'sandbox' || !ctx.pay.has(w.channel)) return;
  const { recheckDays } = ctx.dir.setting('payout');
  const { rows } = await sql<{ age: number | null }>`
    select extract(epoch from now() - paid_at)::float8 as age from withdrawal where id = ${w.id} and status = ${sql.lit(WithdrawalStatus.Paid)}`.execute(
    db,
  );
  const age = rows[0]?.age ?? null;
  if (age === null) return;
  const next = recheckDays.map((days) => days * DAY_SECONDS).find((seconds) => seconds > age + 1);
  if (next !== undefined) await setTimer(db, PAYOUT_CHECK, w.id, next - age);
}

/**
 * Queries the channel about a withdrawal that was paid: one that the payee's side returned is booked back, any other is checked again on
 * the next day of the setting. An unknown outcome changes nothing and is queried again within the hour.
 */
export async function recheckWithdrawal(ctx: Context, id: number): Promise<void> {
  const { rows } =
    await sql<WithdrawalRow>`select * from withdrawal where id = ${id} and status = ${sql.lit(WithdrawalStatus.Paid)}`.execute(
      ctx.db,
    );
  const w = rows[0];
  const channel = ctx.pay.get(w?.channel ?? '');
  if (!w || !channel) return;
  let outcome: ChannelOutcome | undefined;
  try {
    outcome = await channel.payoutState({ no: w.channel_no ?? '' });
  } catch (error) {
    if (!(error instanceof UnknownResult)) throw error;
  }
  if (outcome?.state === 'failed') {
    await inTransaction(ctx.db, (trx) => bookReturnedPayout(trx, id, { code: outcome.reason ?? '', note: RETURNED }));
    // The channel's statement may list the return before it is booked.
    await matchAgain(ctx, channel.name);
  } else if (outcome?.state === 'done') await planRecheck(ctx, ctx.db, w);
  else await setTimer(ctx.db, PAYOUT_CHECK, id, RETRY_SECONDS);
}

const RETURNED = '打款后被收款方退回，金额已退回余额，请核对收款账户后重新提交';

/** Books a returned payout, once: the channel's money and our fee go to the balance. Returns whether it was paid until now. */
export async function bookReturnedPayout(
  trx: Trx,
  id: number,
  { code, note }: { code: string; note: string },
): Promise<boolean> {
  const { rows } = await sql<WithdrawalRow>`
    update withdrawal set status = ${sql.lit(WithdrawalStatus.Returned)}, bounced_at = now(), channel_reason = ${code}, note = ${note}
    where id = ${id} and status = ${sql.lit(WithdrawalStatus.Paid)} returning *`.execute(trx);
  const w = rows[0];
  if (!w) return false;
  const same = { ref: `withdrawal:${w.id}`, credit: account.available(w.user_id), dist: w.dist_id };
  const lines: Transfer[] = [
    {
      ...same,
      code: 'withdraw_bounce',
      debit: account.clearing(w.channel ?? '', w.id),
      fen: w.amount_fen - w.fee_fen,
    },
    { ...same, code: 'withdraw_fee_back', debit: account.platform('fee', w.id), fen: w.fee_fen },
  ];
  await post(
    trx,
    lines.filter(({ fen }) => fen > 0),
  );
  await emit(trx, 'withdraw.back', { withdrawalId: w.id, userId: w.user_id });
  return true;
}
