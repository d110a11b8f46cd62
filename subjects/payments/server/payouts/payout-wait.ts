import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { withdrawTerms } from '#subjects/payments/contract/pay.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { payoutArrivals, payoutKindNames, payoutKinds } from '../../rules/payout-methods.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { boundPayees, payoutMethod } from '#server/payout-methods.ts';
import { loadPayoutWait } from '#subjects/accounts/server/service.ts';

const REASONS = {
  phone: '您刚更换过手机号',
  payPassword: '您刚通过短信重置过支付密码',
} as const;

const waitText = (reason: string, until: Date): string =>
  `${reason}，为防止资金被盗，24 小时内暂不能提现，${fullTime(until.getTime())} 起可以提现`;

/** Rejects a withdrawal within 24 hours of a change of phone or a reset of the pay password (domain.md 3). Throws PAYOUT_WAIT. */
export async function requireNoPayoutWait(db: Trx, userId: number): Promise<void> {
  const wait = await loadPayoutWait(db, userId);
  if (wait) throw new AppError('PAYOUT_WAIT', { text: waitText(REASONS[wait.reason], wait.until) });
}

/** The error for a kind of account that cannot receive payouts: changed within 24 hours (PAYOUT_WAIT), or none is bound (PAYEE_REQUIRED). */
export async function payeeError(db: Trx, userId: number, kind: string): Promise<AppError> {
  const { rows } = await sql<{ until: Date }>`
    select usable_from as until from payout_account
    where user_id = ${userId} and kind = ${kind} and removed_at is null and usable_from > now()`.execute(db);
  const until = rows[0]?.until;
  return until
    ? new AppError('PAYOUT_WAIT', { text: waitText('您刚更换过收款账户', until) })
    : new AppError('PAYEE_REQUIRED');
}

interface PayeeRow {
  kind: string;
  mask: string;
  usable_from: Date;
  changed: boolean;
}

/** Fee, limits, waiting period and payees of the caller's withdrawals. */
export async function describeTerms({ ctx, user }: UserCall): Promise<HandlerResult<typeof withdrawTerms>> {
  const [wait, day, payees] = await Promise.all([
    loadPayoutWait(ctx.db, user.id),
    sql<{ fen: number }>`
      select coalesce(sum(amount_fen), 0)::bigint as fen from withdrawal
      where user_id = ${user.id} and status <> ${sql.lit(WithdrawalStatus.Returned)} and created_at > now() - interval '1 day'`.execute(
      ctx.db,
    ),
    sql<PayeeRow>`
      select p.kind, p.account_mask as mask, p.usable_from, exists (select from payout_account q where q.user_id = p.user_id and q.id < p.id)
        and not exists (select from withdrawal w where w.payout_account_id = p.id and w.status = ${sql.lit(WithdrawalStatus.Paid)}) as changed
      from payout_account p where p.user_id = ${user.id} and p.removed_at is null order by p.id`.execute(ctx.db),
  ]);
  const smsFen = ctx.dir.setting('payout').smsFen;
  return {
    fee: ctx.dir.setting('withdraw').feeFen,
    ways: payoutKinds.map((kind) => {
      const method = payoutMethod(ctx, kind);
      return {
        accountType: kind,
        name: payoutKindNames[kind],
        isOpen: method !== undefined,
        arrival: payoutArrivals[method?.name ?? ''] ?? '',
        isBoundAccount: kind === 'wechat' && boundPayees(ctx) !== undefined,
      };
    }),
    wait: wait ? { until: wait.until, reason: REASONS[wait.reason] } : null,
    smsFrom: Math.max(0, smsFen - (day.rows[0]?.fen ?? 0)),
    payees: payees.rows.map((p) => ({
      accountType: p.kind,
      accountMask: p.mask,
      isChanged: p.changed,
      usableFrom: p.usable_from.getTime() > Date.now() ? p.usable_from : null,
    })),
  };
}
