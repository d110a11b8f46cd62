import { GoodsStatus, AuthStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { emitted } from '#server/jobs/effect-writer.ts';

/** A user as the user's own pages show it. */
export interface OwnRow {
  id: number;
  nick_name: string;
  avatar: string | null;
  union_num: string;
  invite_code: string;
  auth_status: number;
  phone_mask: string;
  contact_mask: string;
  has_password: boolean;
  has_pay: boolean;
  has_email: boolean;
  is_quick_shop: boolean;
  is_booster: boolean;
  is_accompanyer: boolean;
  online: boolean;
  seller_level: number;
  paid_total_fen: number;
  created_at: Date;
  stale: boolean;
  name_mask: string | null;
  birth: string | null;
  selling: number;
  following: number;
  ali: string | null;
  wx: string | null;
  bank: string | null;
  unread: number;
}

/** Unread messages are counted in at most this many groups, the newest ones. */
const UNREAD_GROUPS = 50;

/** All data of one user except money, in one statement, because every page of a signed-in visitor needs it. */
export async function ownRow(db: Trx, userId: number): Promise<OwnRow | undefined> {
  const payee = (kind: string) =>
    sql`(select account_mask from payout_account p where p.user_id = u.id and p.kind = ${kind} and p.removed_at is null)`;
  const { rows } = await sql<OwnRow>`
    select u.id, u.nick_name, u.avatar, u.union_num, u.invite_code, u.auth_status, u.phone_mask, u.contact_mask, u.password_hash is not null as has_password,
      u.pay_password_hash is not null as has_pay, u.email_hash is not null as has_email, u.is_quick_shop, u.is_booster, u.is_accompanyer,
      u.online, u.seller_level, u.paid_total_fen, u.created_at, u.last_seen_at < now() - interval '5 minutes' as stale,
      r.name_mask, r.birth_date::text as birth,
      (select count(*) from goods g where g.seller_id = u.id and g.status = ${sql.lit(GoodsStatus.OnSale)}) as selling,
      (select count(*) from goods_follow f where f.user_id = u.id) as following,
      ${payee('alipay')} as ali, ${payee('wechat')} as wx, ${payee('bank')} as bank,
      (select coalesce(sum(greatest(g.last_seq - m.read_seq, 0)), 0)::bigint
        from (select group_id, read_seq from chat_member where member = u.id::text and left_at is null and not muted
          order by group_id desc limit ${UNREAD_GROUPS}) m join chat_group g on g.id = m.group_id) as unread
    from app_user u left join real_name r on r.user_id = u.id and r.status = ${sql.lit(AuthStatus.Verified)} where u.id = ${userId}`.execute(
    db,
  );
  return rows[0];
}

/** After this absence the offers of a user may have been taken down; coin shops are first, after three days (domain.md 4). */
const AWAY = sql.raw(`interval '3 days'`);

/**
 * Records that a user is present; callers do so only when the last record is minutes old. Publishes account.back {userId} when the user
 * returns after AWAY.
 */
export async function touch(db: Trx, userId: number): Promise<void> {
  await sql`
    with before as (select id, last_seen_at from app_user where id = ${userId} for no key update),
      noted as (update app_user u set last_seen_at = now() from before b where u.id = b.id)
    ${emitted('account.back', { userId: sql`id` }, sql`from before where last_seen_at < now() - ${AWAY}`)}`.execute(db);
}

/** How many users a user invited, and the rewards in fen. */
export async function invitations(
  db: Trx,
  userId: number,
): Promise<{ code: string; invited: number; rewardFen: number }> {
  const { rows } = await sql<{ code: string; invited: number; reward: number }>`
    select u.invite_code as code, (select count(*) from app_user i where i.inviter_id = u.id) as invited,
      (select coalesce(sum(e.delta), 0)::bigint from ledger_entry e join ledger_transfer t on t.id = e.transfer_id
        where e.account = 'user:' || u.id || ':maturing' and t.code <> 'invite_reward_mature') as reward
    from app_user u where u.id = ${userId}`.execute(db);
  const row = rows[0];
  return { code: row?.code ?? '', invited: row?.invited ?? 0, rewardFen: row?.reward ?? 0 };
}
