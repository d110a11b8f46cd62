import { sql } from 'kysely';
import { inTransaction } from '#server/db/client.ts';
import type { UserCall } from '#server/access/call.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { boundPayees, payoutMethod } from '#server/payout-methods.ts';
import { blindIndex, encrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { accountProblem } from './payee-users.ts';
import { maskPayee, type PayeeKind, sameName } from './rules.ts';
import { loadRealName } from './service.ts';

/** Delay before a changed payee can be paid, so that the owner of a stolen account can react first (reliability.md b.9). */
const WAIT_HOURS = 24;

interface Payee {
  accountType: PayeeKind;
  account?: string | undefined;
  realName: string;
  smsCode?: string | undefined;
}

/**
 * The account's number as it is stored, and masked. For WeChat payouts it is the openid of the WeChat account bound to the caller, not an
 * input. Throws BAD_INPUT.
 */
async function loadAccount(
  { ctx, user }: UserCall,
  kind: PayeeKind,
  typed: string,
): Promise<{ account: string; mask: string }> {
  if (kind === 'wechat' && boundPayees(ctx)) {
    const { rows } = await sql<{ open_id: string }>`
      select open_id from third_party_binding where user_id = ${user.id} and provider = 'wechat'`.execute(ctx.db);
    const openId = rows[0]?.open_id;
    if (openId !== undefined) return { account: openId, mask: '已绑定的微信' };
    throw new AppError('BAD_INPUT', { text: '请先在安全设置里绑定微信，再添加微信收款', field: 'account' });
  }
  const account = typed.replace(/\s+/g, '').toLowerCase();
  const problem = accountProblem(kind, account);
  if (problem !== undefined) throw new AppError('BAD_INPUT', { text: problem, field: 'account' });
  return { account, mask: maskPayee(account) };
}

/**
 * Binds the account that withdrawals go to, one of each kind. Its owner must be the verified person, who confirms it with a step-up (purpose
 * payee). The first one can be used immediately, any other after 24 h; binding the same again changes nothing. Throws PAY_CHANNEL_CLOSED,
 * BAD_INPUT, REAL_NAME_REQUIRED, PAYEE_NAME, STEP_UP_REQUIRED, SMS_CODE_WRONG.
 */
export async function bindPayee(call: UserCall, payee: Payee): Promise<{ accountMask: string; usableFrom: Date }> {
  const { ctx, user } = call;
  const { accountType: kind } = payee;
  if (!payoutMethod(ctx, kind))
    throw new AppError('PAY_CHANNEL_CLOSED', { text: '本站暂不支持提现到这类账户，请换一种', field: 'accountType' });
  const { account, mask } = await loadAccount(call, kind, payee.account ?? '');
  const owner = await loadRealName(ctx, user.id);
  if (owner === undefined) throw new AppError('REAL_NAME_REQUIRED');
  if (!sameName(owner, payee.realName)) throw new AppError('PAYEE_NAME', { field: 'realName' });
  await requireStepUp(call, 'payee', { smsCode: payee.smsCode });
  const index = blindIndex(ctx.keys, `payout:${kind}`, account);
  return await inTransaction(ctx.db, async (trx) => {
    // Two bindings at the same time: the second waits and sees the first.
    await sql`select from app_user where id = ${user.id} for update`.execute(trx);
    const same = await sql<{ mask: string; from: Date }>`
      select account_mask as mask, usable_from as "from" from payout_account
      where user_id = ${user.id} and kind = ${kind} and account_hash = ${index} and removed_at is null`.execute(trx);
    if (same.rows[0]) return { accountMask: same.rows[0].mask, usableFrom: same.rows[0].from };
    await sql`update payout_account set removed_at = now() where user_id = ${user.id} and kind = ${kind} and removed_at is null`.execute(
      trx,
    );
    const { rows } = await sql<{ from: Date }>`
      insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc, usable_from)
      values (${user.id}, ${kind}, ${encrypt(ctx.keys, `payout_account.account_enc:${user.id}`, account)}, ${index}, ${mask},
        ${encrypt(ctx.keys, `payout_account.name_enc:${user.id}`, owner)},
        now() + case when exists (select from payout_account where user_id = ${user.id}) then make_interval(hours => ${WAIT_HOURS}) else interval '0' end)
      returning usable_from as "from"`.execute(trx);
    await emit(trx, 'account.payeeBound', { userId: user.id, kind });
    return { accountMask: mask, usableFrom: rows[0]?.from ?? new Date() };
  });
}
