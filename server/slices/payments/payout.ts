import { sql } from 'kysely';
import { fen } from '#contract/wire.ts';
import type { UserCall } from '#server/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { decrypt } from '#server/kernel/crypto.ts';
import { AppError, UnknownResult } from '#server/kernel/errors.ts';
import type { ChannelOutcome, PayChannel } from '#server/ports/pay.ts';
import { spendOwnSmsCode } from '#server/slices/accounts/service.ts';
import { account, post, type Transfer } from '#server/slices/ledger/service.ts';
import { realNameOf } from '#server/slices/verification/service.ts';
import { planRecheck } from './bounce.ts';
import { whyNoPayee } from './payout-wait.ts';
import { releaseLease, setTimer, takeLease } from './lease.ts';

export interface WithdrawalRow {
  id: number;
  sn: string;
  dist_id: number;
  user_id: number;
  payout_account_id: number;
  amount_fen: number;
  fee_fen: number;
  status: number;
  approved_by: number | null;
  channel: string | null;
  channel_no: string | null;
}

const UNDER_WAY = 1;
const ASK_SECONDS = 20;
const AGAIN_SECONDS = 60;

/** The channel that pays out to a kind of account: a real one where there is one, else the sandbox. */
export function payoutChannel(ctx: Context, kind: string): PayChannel | undefined {
  const able = [...ctx.pay.values()].filter((c) => c.payoutKinds.includes(kind));
  return able.find((c) => c.name !== 'sandbox') ?? able[0];
}

interface Payee {
  id: number;
  name_enc: Buffer;
  /** Nothing was paid to it yet, and it is not the first that this user bound. */
  fresh: boolean;
}

/**
 * Whether a withdrawal may go to the bound account: it bears the verified name, and a large sum or a changed payee comes with a
 * code that went to the owner's phone. Returns whether a code came. Throws PAYEE_REQUIRED, PAYOUT_WAIT, PAYEE_NAME, SMS_REQUIRED, SMS_CODE_WRONG.
 */
export async function checkPayee(
  { ctx, user, dist }: UserCall,
  wish: { amountFen: number; accountType: string; smsCode?: string | undefined },
): Promise<boolean> {
  const { rows } = await sql<Payee>`
    select p.id, p.name_enc, exists (select from payout_account q where q.user_id = p.user_id and q.id < p.id)
        and not exists (select from withdrawal w where w.payout_account_id = p.id and w.status = 2) as fresh
    from payout_account p where p.user_id = ${user.id} and p.kind = ${wish.accountType} and p.removed_at is null and p.usable_from <= now()`.execute(
    ctx.db,
  );
  const payee = rows[0];
  if (!payee) throw await whyNoPayee(ctx.db, user.id, wish.accountType);
  if (decrypt(ctx.keys, `payout_account.name_enc:${user.id}`, payee.name_enc) !== (await realNameOf(ctx, user.id)))
    throw new AppError('PAYEE_NAME');
  if (!payee.fresh && !(await isLarge(ctx, ctx.db, user.id, wish.amountFen))) return false;
  if (wish.smsCode === undefined) throw new AppError('SMS_REQUIRED');
  await spendOwnSmsCode(ctx, user.id, { purpose: 'payout', code: wish.smsCode, distId: dist.id });
  return true;
}

/** Whether a withdrawal is large, with what its owner has asked for within a day: no large sum leaves in small parts. */
export async function isLarge(ctx: Context, db: Trx, userId: number, amountFen: number): Promise<boolean> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(amount_fen), 0)::bigint as fen from withdrawal
    where user_id = ${userId} and status <> 3 and created_at > now() - interval '1 day'`.execute(db);
  return (rows[0]?.fen ?? 0) + amountFen >= ctx.dir.setting<{ smsFen: number }>('payout').smsFen;
}

/** Ends a withdrawal whose status has just been changed: the money leaves by its channel, or returns to the balance. */
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
  await sql`update hold set released_at = now(), release_note = ${note} where code = 'withdrawal' and ref = ${w.sn} and released_at is null`.execute(
    trx,
  );
  await sql`insert into outbox (topic, payload) values (${paid ? 'withdraw.paid' : 'withdraw.back'}, ${JSON.stringify({ withdrawalId: w.id, userId: w.user_id })}::jsonb)`.execute(
    trx,
  );
}

type Payout = WithdrawalRow & { account_enc: Buffer; name_enc: Buffer };

/** Asks the channel: where it stands when it was asked before, and sends it when the channel has not heard of it. */
async function askChannel(ctx: Context, channel: PayChannel, w: Payout, again: boolean): Promise<ChannelOutcome> {
  const no = w.channel_no ?? '';
  const stands = again ? await channel.payoutState({ no }) : undefined;
  return (
    stands ??
    (await channel.payout({
      no,
      amountFen: fen(w.amount_fen - w.fee_fen),
      account: decrypt(ctx.keys, `payout_account.account_enc:${w.user_id}`, w.account_enc),
      name: decrypt(ctx.keys, `payout_account.name_enc:${w.user_id}`, w.name_enc),
      remark: '提现',
    }))
  );
}

/**
 * The job of an approved withdrawal: asks its channel under the row's own number and settles by the answer. An unknown answer is
 * asked about again under the same number and at the same channel, never under another.
 */
export async function payWithdrawal(ctx: Context, id: number): Promise<void> {
  const lease = await takeLease(ctx.db, 'withdrawal', id, UNDER_WAY);
  if (!lease) {
    const { rows } = await sql`select 1 from withdrawal where id = ${id} and status = ${UNDER_WAY}`.execute(ctx.db);
    if (rows.length > 0) await setTimer(ctx.db, 'withdraw.pay', id, AGAIN_SECONDS);
    return;
  }
  const { rows } = await sql<Payout>`
    select w.*, p.account_enc, p.name_enc from withdrawal w join payout_account p on p.id = w.payout_account_id where w.id = ${id}`.execute(
    ctx.db,
  );
  const w = rows[0];
  const channel = ctx.pay.get(w?.channel ?? '');
  let verdict: ChannelOutcome = { state: 'pending', reason: '渠道未开通' };
  try {
    if (w && channel) verdict = await askChannel(ctx, channel, w, lease.again);
  } catch (error) {
    if (!(error instanceof UnknownResult)) throw error;
    ctx.log.warn({ withdrawal: w?.sn, error: error.message }, 'what became of a withdrawal is not known; asked again');
    verdict = { state: 'pending', reason: '渠道没有响应' };
  }
  await releaseLease(ctx.db, 'withdrawal', id, verdict.reason);
  if (verdict.state === 'pending')
    await setTimer(ctx.db, 'withdraw.pay', id, lease.again ? AGAIN_SECONDS : ASK_SECONDS);
  else await inTransaction(ctx.db, (trx) => settlePayout(ctx, trx, id, verdict.state === 'done'));
}

async function settlePayout(ctx: Context, trx: Trx, id: number, paid: boolean): Promise<void> {
  const { rows } = await sql<WithdrawalRow>`
    update withdrawal set status = ${paid ? 2 : 3}, paid_at = ${paid ? sql`now()` : sql`null`}, leased_until = null,
      note = ${paid ? null : '打款失败，金额已退回余额，请核对收款账户后重新提交'}
    where id = ${id} and status = ${UNDER_WAY} returning *`.execute(trx);
  const row = rows[0];
  if (!row) return;
  await endWithdrawal(trx, row, paid, paid ? '已打款' : '打款失败，已退回');
  if (paid) await planRecheck(ctx, trx, row);
}
