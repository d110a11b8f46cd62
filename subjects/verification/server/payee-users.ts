import { sql } from 'kysely';
import { isPhone } from '#contract/rules/contacts/phone.ts';
import { isWechatId } from '../rules/account-ids.ts';
import { typedAccountId } from '#contract/rules/texts/typed.ts';
import type { Trx } from '#server/db/client.ts';
import { blindIndex, type Keys } from '#server/kernel/secrets/crypto.ts';
import { isBankCard, type PayeeKind } from './rules.ts';

const EMAIL = /^[\w.+-]{1,48}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

/** Why an account's number cannot be right, as a sentence; undefined when it can. */
export function accountProblem(kind: PayeeKind, account: string): string | undefined {
  if (account.length < 4) return '请输入收款账号';
  if (kind === 'alipay' && !isPhone(account) && !EMAIL.test(account)) return '支付宝账号应为手机号或邮箱';
  if (kind === 'wechat' && !isWechatId(account)) return '微信号格式错误';
  if (kind === 'bank' && !isBankCard(account)) return '银行卡号错误';
  return undefined;
}

/** The users that an account for payouts belongs or belonged to, by its complete number; a text that is not a valid number finds none. */
export async function payeeUsers(
  ctx: { db: Trx; keys: Keys },
  typed: string,
): Promise<{ userId: number; kind: PayeeKind; mask: string; isCurrent: boolean }[]> {
  const account = typedAccountId(typed).toLowerCase();
  const kinds = (['alipay', 'wechat', 'bank'] as const).filter((kind) => accountProblem(kind, account) === undefined);
  if (kinds.length === 0) return [];
  const hashes = kinds.map((kind) => blindIndex(ctx.keys, `payout:${kind}`, account));
  const { rows } = await sql<{ userId: number; kind: PayeeKind; mask: string; isCurrent: boolean }>`
    select user_id as "userId", kind, account_mask as mask, removed_at is null as "isCurrent" from payout_account
    where account_hash = any(${hashes}) order by removed_at is not null, id desc limit 20`.execute(ctx.db);
  return rows;
}
