import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { type PayoutKind, payoutArrivals, payoutKindNames } from '../../rules/payout-methods.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { earlierResult, idempotent } from '#server/db/idempotent.ts';
import type { UserCall } from '#server/access/call.ts';
import { payoutMethod } from '#server/payout-methods.ts';
import { AppError } from '#server/kernel/errors.ts';
import { channelNo } from '#server/kernel/ids.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { account, openHold, requireNoDebt, openDebtFen, post } from '#subjects/ledger/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { setTimer } from '../lease.ts';
import { requireNoPayoutWait } from './payout-wait.ts';
import { checkPayee, endWithdrawal, isLarge } from './payout.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';

/** Runs at the end of the decision's transaction and writes the audit entry of the back office. An error rolls the decision back. */
export type AlsoWithdrawal = (trx: Trx, w: WithdrawalRow) => Promise<void>;

interface WithdrawalReceipt {
  withdrawSn: string;
  status: number;
  amountFen: number;
}

/**
 * Requests a withdrawal: the money is frozen in the same transaction. The payee is the account bound to the verified name. Throws DEBT_OPEN,
 * REAL_NAME_REQUIRED, PAY_AMOUNT, PAYOUT_WAIT, PAYEE_REQUIRED, PAYEE_NAME, PAY_CHANNEL_CLOSED, SMS_REQUIRED, SMS_CODE_WRONG, WITHDRAW_LIMIT,
 * BALANCE_LOW, PAY_PASSWORD_*.
 */
export async function requestWithdrawal(
  call: UserCall,
  request: {
    amountFen: number;
    accountType: PayoutKind;
    payPassword?: string | undefined;
    smsCode?: string | undefined;
    reqId?: string | undefined;
  },
): Promise<WithdrawalReceipt> {
  const { ctx, user } = call;
  const setting = ctx.dir.setting('withdraw');
  // reqId is the specification's request number; an idempotency key in the header takes precedence.
  const idem =
    call.idem ??
    (request.reqId
      ? {
          scope: `u:${user.id}`,
          endpoint: 'cashAdvance',
          key: request.reqId,
          hash: `${request.amountFen}:${request.accountType}`,
        }
      : undefined);
  const earlier = await earlierResult<WithdrawalReceipt>(ctx.db, idem);
  if (earlier) return earlier;
  await requireAdult(ctx.db, user.id);
  await requireStepUp(call, 'pay', { payPassword: request.payPassword });
  if (request.amountFen < setting.minFen)
    throw new AppError('PAY_AMOUNT', { text: `提现金额不能低于 ${yuanLabel(setting.minFen)} 元`, field: 'amount' });
  if (!payoutMethod(ctx, request.accountType))
    throw new AppError('PAY_CHANNEL_CLOSED', { text: '暂不支持提现到该类账户，请换一种', field: 'accountType' });
  await requireNoPayoutWait(ctx.db, user.id);
  const isCoded = await checkPayee(call, request);
  return await inTransaction(ctx.db, (trx) =>
    idempotent<WithdrawalReceipt>(trx, idem, async () => {
      // The lock on the user's row keeps the day's count and sum stable.
      await sql`select 1 from app_user where id = ${user.id} for update`.execute(trx);
      await requireNoDebt(trx, user.id);
      await requireNoPayoutWait(trx, user.id);
      // Other withdrawals may have been requested since the check above.
      if (!isCoded && (await isLarge(ctx, trx, user.id, request.amountFen))) throw new AppError('SMS_REQUIRED');
      const { rows: payees } = await sql<{ id: number }>`
        select id from payout_account where user_id = ${user.id} and kind = ${request.accountType} and removed_at is null and usable_from <= now()`.execute(
        trx,
      );
      const payee = payees[0];
      if (!payee) throw new AppError('PAYEE_REQUIRED');
      const { rows: today } = await sql<{ n: number; fen: number }>`
        select count(*) as n, coalesce(sum(amount_fen), 0)::bigint as fen from withdrawal
        where user_id = ${user.id} and status <> ${sql.lit(WithdrawalStatus.Returned)} and created_at >= date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`.execute(
        trx,
      );
      if ((today[0]?.n ?? 0) >= setting.dayCount || (today[0]?.fen ?? 0) + request.amountFen > setting.dayMaxFen)
        throw new AppError('WITHDRAW_LIMIT');
      return await freeze(trx, call, request.amountFen, payee.id, setting.feeFen);
    }),
  );
}

async function freeze(
  trx: Trx,
  call: UserCall,
  amountFen: number,
  payeeId: number,
  feeFen: number,
): Promise<WithdrawalReceipt> {
  const { user, dist } = call;
  const sn = channelNo('W', new Date());
  const { rows } = await sql<{ id: number }>`
    insert into withdrawal (sn, dist_id, user_id, payout_account_id, amount_fen, fee_fen) values (${sn}, ${dist.id}, ${user.id}, ${payeeId}, ${amountFen}, ${feeFen}) returning id`.execute(
    trx,
  );
  await post(trx, [
    {
      code: 'withdraw_ask',
      ref: `withdrawal:${rows[0]?.id}`,
      debit: account.available(user.id),
      credit: account.frozen(user.id),
      fen: amountFen,
      dist: dist.id,
    },
  ]);
  const reason = `提现 ${sn} 处理中，打款成功或退回后结束`;
  await openHold(trx, { userId: user.id, amountFen, code: 'withdrawal', reason, ref: sn });
  return { withdrawSn: sn, status: WithdrawalStatus.Pending, amountFen };
}

/** SQL: the owner's other withdrawals approved within a day of withdrawal `w`, in fen, so that a split withdrawal counts as one. */
export const withinDayFen = `(select coalesce(sum(x.amount_fen), 0)::bigint from withdrawal x
  where x.user_id = w.user_id and x.id <> w.id and x.status in (${WithdrawalStatus.Paying}, ${WithdrawalStatus.Paid}) and x.decided_at > now() - interval '1 day')`;

/**
 * Approves a withdrawal: its channel number is stored before the channel is called by the job. When the amount, together with what was
 * approved within a day, exceeds the limit, a second person must approve as well. The withdrawal of a user with an open debt must be
 * rejected instead, which pays the debt (decision 140). Throws NOT_FOUND, WITHDRAW_STATE, DEBT_OPEN, SECOND_PERSON.
 */
export async function approveWithdrawal(
  ctx: Context,
  staff: { id: number; distId: number | null },
  sn: string,
  also?: AlsoWithdrawal,
): Promise<{ status: number; needsSecond: boolean }> {
  const setting = ctx.dir.setting('withdraw');
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } =
      await sql<WithdrawalRow>`select * from withdrawal where sn = ${sn} ${staff.distId === null ? sql`` : sql`and dist_id = ${staff.distId}`} for update`.execute(
        trx,
      );
    const w = rows[0];
    if (!w) throw new AppError('NOT_FOUND');
    if (w.status !== WithdrawalStatus.Pending) throw new AppError('WITHDRAW_STATE');
    // The lock on the owner's row keeps the day's sum stable.
    await sql`select from app_user where id = ${w.user_id} for no key update`.execute(trx);
    const owedFen = await openDebtFen(trx, w.user_id);
    if (owedFen > 0)
      throw new AppError('DEBT_OPEN', {
        text: `提现人还有 ${yuanLabel(owedFen)} 元欠款未还清，请退回这笔提现：退回的金额先用于还款`,
      });
    const day = await sql<{
      fen: number;
    }>`select ${sql.raw(withinDayFen)} as fen from withdrawal w where w.id = ${w.id}`.execute(trx);
    if (w.approved_by !== null || w.amount_fen + (day.rows[0]?.fen ?? 0) > setting.secondPersonFen) {
      if (w.approved_by === null) {
        await sql`update withdrawal set approved_by = ${staff.id} where id = ${w.id}`.execute(trx);
        await also?.(trx, { ...w, approved_by: staff.id });
        return { status: WithdrawalStatus.Pending, needsSecond: true };
      }
      if (w.approved_by === staff.id) throw new AppError('SECOND_PERSON');
      await sql`update withdrawal set second_by = ${staff.id} where id = ${w.id}`.execute(trx);
    }
    const { rows: payee } = await sql<{
      kind: PayoutKind;
    }>`select kind from payout_account where id = ${w.payout_account_id}`.execute(trx);
    const kind = payee[0]?.kind;
    const method = kind && payoutMethod(ctx, kind);
    if (!method) throw new AppError('PAY_CHANNEL_CLOSED', { text: '暂不支持提现到这类账户，请更换收款账户' });
    const channelNumber = channelNo('T', new Date());
    await sql`update withdrawal set status = ${sql.lit(WithdrawalStatus.Paying)}, approved_by = coalesce(approved_by, ${staff.id}), decided_at = now(), channel = ${method.name}, channel_no = ${channelNumber} where id = ${w.id}`.execute(
      trx,
    );
    // Withdrawals that finance pays by list wait for the export.
    if (method.channel) await setTimer(trx, 'withdraw.pay', w.id, 0);
    await also?.(trx, { ...w, status: WithdrawalStatus.Paying });
    return { status: WithdrawalStatus.Paying, needsSecond: false };
  });
}

/** Rejects a pending withdrawal: the money returns to the balance. Throws WITHDRAW_STATE. */
export async function rejectWithdrawal(
  ctx: Context,
  staff: { id: number; distId: number | null },
  sn: string,
  note: string,
  also?: AlsoWithdrawal,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<WithdrawalRow>`
      update withdrawal set status = ${sql.lit(WithdrawalStatus.Returned)}, note = ${note}, decided_at = now(), approved_by = ${staff.id}
      where sn = ${sn} and status = ${sql.lit(WithdrawalStatus.Pending)} ${staff.distId === null ? sql`` : sql`and dist_id = ${staff.distId}`} returning *`.execute(
      trx,
    );
    const w = rows[0];
    if (!w) throw new AppError('WITHDRAW_STATE');
    await endWithdrawal(trx, w, false, note);
    await also?.(trx, w);
  });
}

export interface WithdrawalView {
  sn: string;
  amountFen: number;
  feeFen: number;
  kind: PayoutKind;
  accountMask: string;
  status: number;
  note: string | null;
  createdAt: Date;
  paidAt: Date | null;
  channel: string | null;
  isAccepting: boolean;
  id: number;
}

/** Name of a withdrawal's state, with a separate name while the payee must accept. */
export const stateNameOf = (w: Pick<WithdrawalView, 'status' | 'isAccepting'>): string =>
  w.isAccepting ? '待您确认收款' : (withdrawStatusNames[w.status as 0] ?? '');

/** The payout method and arrival time of a withdrawal in progress, as text; null for an ended one. */
export function arrivalOf(ctx: Context, w: WithdrawalView): string | null {
  if (w.status !== WithdrawalStatus.Pending && w.status !== WithdrawalStatus.Paying) return null;
  return payoutArrivals[w.channel ?? payoutMethod(ctx, w.kind)?.name ?? ''] ?? null;
}

export const kindNameOf = (kind: PayoutKind): string => payoutKindNames[kind];

export const withdrawStatusNames = ['审核中', '打款中', '已到账', '已退回'] as const;

/** A user's withdrawals, newest first. */
export async function loadWithdrawals(
  db: Trx,
  userId: number,
  limit: number,
  beforeId: number | undefined,
): Promise<WithdrawalView[]> {
  const { rows } = await sql<WithdrawalView>`
    select w.id, w.sn, w.amount_fen as "amountFen", w.fee_fen as "feeFen", p.kind, p.account_mask as "accountMask", w.status, w.note, w.created_at as "createdAt", w.paid_at as "paidAt",
      w.channel, w.accept_token is not null as "isAccepting"
    from withdrawal w join payout_account p on p.id = w.payout_account_id
    where w.user_id = ${userId} ${beforeId === undefined ? sql`` : sql`and w.id < ${beforeId}`} order by w.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}
