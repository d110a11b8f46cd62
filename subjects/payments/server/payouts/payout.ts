import { sql } from 'kysely';
import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { fen } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { decrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError, UnknownResult } from '#server/kernel/errors.ts';
import type { ChannelOutcome, PayChannel } from '#server/ports/pay.ts';
import { spendOwnSmsCode } from '#subjects/accounts/server/service.ts';
import { account, endHold, post, type Transfer } from '#subjects/ledger/server/service.ts';
import { loadRealName } from '#subjects/verification/server/service.ts';
import { failedNote } from './payout-reasons.ts';
import { planRecheck } from './payout-recheck.ts';
import { payeeError } from './payout-wait.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';
import { releaseLease, setTimer, takeLease } from '../lease.ts';

const PAYING = WithdrawalStatus.Paying;
const FIRST_CHECK_SECONDS = 20;
const RETRY_SECONDS = 60;
const ACCEPT_SECONDS = 600;

interface Payee {
  id: number;
  name_enc: Buffer;
  /** Not the first account that this user bound, and nothing has been paid to it yet. */
  isNew: boolean;
}

/**
 * Checks that a withdrawal may go to the bound account: the account must be in the verified name, and a large amount or a new payee
 * requires a code sent to the owner's phone. Returns whether a code was used. Throws PAYEE_REQUIRED, PAYOUT_WAIT, PAYEE_NAME,
 * SMS_REQUIRED, SMS_CODE_WRONG.
 */
export async function checkPayee(
  { ctx, user, dist }: UserCall,
  request: { amountFen: number; accountType: string; smsCode?: string | undefined },
): Promise<boolean> {
  const { rows } = await sql<Payee>`
    select p.id, p.name_enc, exists (select from payout_account q where q.user_id = p.user_id and q.id < p.id)
        and not exists (select from withdrawal w where w.payout_account_id = p.id and w.status = ${sql.lit(WithdrawalStatus.Paid)}) as "isNew"
    from payout_account p where p.user_id = ${user.id} and p.kind = ${request.accountType} and p.removed_at is null and p.usable_from <= now()`.execute(
    ctx.db,
  );
  const payee = rows[0];
  if (!payee) throw await payeeError(ctx.db, user.id, request.accountType);
  if (decrypt(ctx.keys, `payout_account.name_enc:${user.id}`, payee.name_enc) !== (await loadRealName(ctx, user.id)))
    throw new AppError('PAYEE_NAME');
  if (!payee.isNew && !(await isLarge(ctx, ctx.db, user.id, request.amountFen))) return false;
  if (request.smsCode === undefined) throw new AppError('SMS_REQUIRED');
  await spendOwnSmsCode(ctx, user.id, { purpose: 'payout', code: request.smsCode, distId: dist.id });
  return true;
}

/** Whether a withdrawal is large. The owner's withdrawals of the last day are added, so that splitting a large amount does not avoid the check. */
export async function isLarge(ctx: Context, db: Trx, userId: number, amountFen: number): Promise<boolean> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(amount_fen), 0)::bigint as fen from withdrawal
    where user_id = ${userId} and status <> ${sql.lit(WithdrawalStatus.Returned)} and created_at > now() - interval '1 day'`.execute(
    db,
  );
  return (rows[0]?.fen ?? 0) + amountFen >= ctx.dir.setting('payout').smsFen;
}

/** Books the end of a withdrawal whose status has just changed: the money goes to its channel, or returns to the balance. */
export async function endWithdrawal(trx: Trx, w: WithdrawalRow, paid: boolean, note: string): Promise<void> {
  const frozen = account.frozen(w.user_id);
  const same = { ref: `withdrawal:${w.id}`, debit: frozen, dist: w.dist_id };
  const lines: Transfer[] = paid
    ? [
        {
          ...same,
          code: 'withdraw_paid',
          credit: account.clearing(w.channel ?? 'sandbox', w.id),
          fen: w.amount_fen - w.fee_fen,
        },
        { ...same, code: 'withdraw_fee', credit: account.platform('fee', w.id), fen: w.fee_fen },
      ]
    : [{ ...same, code: 'withdraw_back', credit: account.available(w.user_id), fen: w.amount_fen }];
  await post(
    trx,
    lines.filter(({ fen: amount }) => amount > 0),
  );
  await endHold(trx, { code: 'withdrawal', ref: w.sn }, note);
  await emit(trx, paid ? 'withdraw.paid' : 'withdraw.back', { withdrawalId: w.id, userId: w.user_id });
}

type Payout = WithdrawalRow & { account_enc: Buffer; name_enc: Buffer };

/**
 * Sends a payout to the channel. When it was sent before (`again`), the state is queried first and it is sent only if the channel does not
 * know it, or waits for the payee's acceptance and the token for that was lost with its response: the same number returns it once more.
 */
async function queryOrSend(ctx: Context, channel: PayChannel, w: Payout, again: boolean): Promise<ChannelOutcome> {
  const no = w.channel_no ?? '';
  const current = again ? await channel.payoutState({ no }) : undefined;
  const isTokenLost = current?.accept !== undefined && w.accept_token === null;
  if (current && !isTokenLost) return current;
  return await channel.payout({
    no,
    amountFen: fen(w.amount_fen - w.fee_fen),
    account: decrypt(ctx.keys, `payout_account.account_enc:${w.user_id}`, w.account_enc),
    name: decrypt(ctx.keys, `payout_account.name_enc:${w.user_id}`, w.name_enc),
    remark: '提现',
  });
}

/** Stores the token by which the payee accepts, once, and notifies the payee. */
async function askPayee(ctx: Context, w: Payout, token: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql`
      update withdrawal set accept_token = ${token} where id = ${w.id} and status = ${PAYING} and accept_token is null returning id`.execute(
      trx,
    );
    if (rows.length > 0) await emit(trx, 'withdraw.accept', { withdrawalId: w.id, userId: w.user_id });
  });
}

/** A notification's hint: the withdrawal's job queries the channel now. Returns whether the number is ours. */
export async function hurryPayout(db: Trx, channel: string, no: string): Promise<boolean> {
  const { rows } = await sql<{ id: number; status: number }>`
    select id, status from withdrawal where channel = ${channel} and channel_no = ${no}`.execute(db);
  const row = rows[0];
  if (row?.status === PAYING) await setTimer(db, 'withdraw.pay', row.id, 0);
  return row !== undefined;
}

/**
 * The job of an approved withdrawal: sends it to its channel under the row's own number and settles it by the outcome. An unknown outcome
 * is queried again under the same number and at the same channel, never under another.
 */
export async function payWithdrawal(ctx: Context, id: number): Promise<void> {
  const lease = await takeLease(ctx.db, 'withdrawal', id, PAYING);
  if (!lease) {
    const { rows } = await sql`select 1 from withdrawal where id = ${id} and status = ${PAYING}`.execute(ctx.db);
    if (rows.length > 0) await setTimer(ctx.db, 'withdraw.pay', id, RETRY_SECONDS);
    return;
  }
  const { rows } = await sql<Payout>`
    select w.*, p.account_enc, p.name_enc from withdrawal w join payout_account p on p.id = w.payout_account_id where w.id = ${id}`.execute(
    ctx.db,
  );
  const w = rows[0];
  const channel = ctx.pay.get(w?.channel ?? '');
  let outcome: ChannelOutcome = { state: 'pending', reason: '渠道未开通' };
  try {
    if (w && channel) outcome = await queryOrSend(ctx, channel, w, lease.again);
  } catch (error) {
    if (!(error instanceof UnknownResult)) throw error;
    ctx.log.warn(
      { withdrawal: w?.sn, error: error.message },
      'the outcome of a withdrawal is unknown; it is queried again',
    );
    outcome = { state: 'pending', reason: '渠道没有响应' };
  }
  const token = outcome.state === 'pending' ? outcome.accept?.token : undefined;
  // Stored before the lease is released: the next process that takes the lease would otherwise send the payout again to get the token.
  if (w && token !== undefined) await askPayee(ctx, w, token);
  await releaseLease(ctx.db, 'withdrawal', id, outcome.reason);
  if (outcome.state === 'pending') {
    await setTimer(ctx.db, 'withdraw.pay', id, lease.again ? waitSeconds(outcome) : FIRST_CHECK_SECONDS);
  } else await inTransaction(ctx.db, (trx) => settlePayout(ctx, trx, id, outcome));
}

/** A payee has a day to accept, and the channel sends a notification when they do. */
const waitSeconds = ({ accept }: ChannelOutcome): number => (accept ? ACCEPT_SECONDS : RETRY_SECONDS);

async function settlePayout(ctx: Context, trx: Trx, id: number, { state, reason }: ChannelOutcome): Promise<void> {
  const paid = state === 'done';
  const { rows } = await sql<WithdrawalRow>`
    update withdrawal set status = ${paid ? 2 : 3}, paid_at = ${paid ? sql`now()` : sql`null`}, leased_until = null, accept_token = null,
      note = ${paid ? null : failedNote(reason)}
    where id = ${id} and status = ${PAYING} returning *`.execute(trx);
  const row = rows[0];
  if (!row) return;
  await endWithdrawal(trx, row, paid, paid ? '已打款' : '打款失败，已退回');
  if (paid) await planRecheck(ctx, trx, row);
}
