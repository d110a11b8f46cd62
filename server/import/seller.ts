import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import { UserStatus, AuthStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Seller } from './store.ts';

/** Setting `new_seller`: before this number of sales a seller may have at most `count` goods, each at most `maxFen`. */
export type NewSellerRule = SettingValue<'new_seller'>;

/** Reads the rule from the database, for callers without the settings in memory. */
export async function newSellerRule(db: Trx): Promise<NewSellerRule> {
  const { rows } = await sql<{ value: NewSellerRule }>`
    select setting_now('new_seller') as value`.execute(db);
  const value = rows[0]?.value;
  if (!value) throw new Error('setting new_seller is missing');
  return value;
}

/** The seller whose goods are imported. Throws BAD_INPUT for a user who may not sell. */
export async function sellerForImport(
  db: Trx,
  phoneHash: Buffer,
  rule: { sales: number; count: number; maxFen: number },
): Promise<Seller & { nickName: string }> {
  const { rows } = await sql<{
    id: number;
    dist_id: number;
    nick_name: string;
    status: number;
    proven: number;
    adult: boolean;
    listed: number;
  }>`
    select u.id, u.dist_id, u.nick_name, u.status, unrelated_sales(u.id, ${rule.sales}) as proven,
      exists (select from real_name r where r.user_id = u.id and r.status = ${sql.lit(AuthStatus.Verified)} and r.birth_date <= (now() at time zone 'Asia/Shanghai')::date - interval '18 years') as adult,
      seller_offers(u.id) as listed
    from app_user u where u.phone_hash = ${phoneHash}`.execute(db);
  const user = rows[0];
  if (!user || user.status === UserStatus.Closed) throw new AppError('BAD_INPUT', { text: '没有使用这个手机号的卖家' });
  if (user.status === UserStatus.Restricted) throw new AppError('USER_BANNED');
  if (!user.adult) throw new AppError('REAL_NAME_REQUIRED', { text: '该卖家没有完成实名认证，不能发布商品' });
  const isNew = user.proven < rule.sales;
  return {
    id: user.id,
    distId: user.dist_id,
    nickName: user.nick_name,
    limits: isNew ? { left: Math.max(0, rule.count - user.listed), maxFen: rule.maxFen } : null,
  };
}
