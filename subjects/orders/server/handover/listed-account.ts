import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type Trx, type Db } from '#server/db/client.ts';
import { isListedAccount, type ListedAccount, maskedAccount } from '#server/kernel/account-identity.ts';
import { AppError } from '#server/kernel/errors.ts';

/** The log-in that a seller submitted belongs to a different account than the one offered. Both names are masked. */
class OtherAccountError extends AppError {
  readonly listed: string;
  readonly sealed: string;

  constructor(listed: string, sealed: string, field?: string) {
    super('SEAL_OTHER_ACCOUNT', {
      text: `账号资料里的账号（${sealed}）与登记的游戏账号（${listed}）不一致。请填写登记的那个账号；登记有误请联系客服关闭订单，更正后重新交易`,
      ...(field !== undefined && { field }),
    });
    this.listed = listed;
    this.sealed = sealed;
  }
}

/**
 * The account of an order, as named in its listing, private deal or recycling request; undefined when none is named.
 */
export async function listedAccount(db: Trx, orderId: number): Promise<ListedAccount | undefined> {
  const { rows } = await sql<ListedAccount>`
    select n.game_id as "gameId", n.fingerprint as print, coalesce(n.account_hint, '***') as hint from (
      select g.game_id, g.fingerprint, g.account_hint from orders o join goods g on g.id = o.goods_id where o.id = ${orderId}
      union all select m.game_id, m.fingerprint, m.account_hint from middleman_deal m where m.order_id = ${orderId}
      union all select r.game_id, r.fingerprint, r.account_hint from recycle_request r where r.order_id = ${orderId}) n
    where n.fingerprint is not null and n.game_id is not null limit 1`.execute(db);
  return rows[0];
}

/** Throws OtherAccountError when a form names a different account than the order. With `isNeeded`, throws BAD_INPUT when it names none. */
export async function requireListedAccount(
  ctx: Context,
  trx: Trx,
  orderId: number,
  form: { account: string | undefined; isNeeded: boolean },
): Promise<void> {
  const listed = await listedAccount(trx, orderId);
  if (!listed) return;
  if (form.account === undefined || form.account === '') {
    if (form.isNeeded) throw new AppError('BAD_INPUT', { text: '请填写账号', field: 'fields.account' });
    return;
  }
  if (!isListedAccount(ctx.keys, listed, form.account))
    throw new OtherAccountError(listed.hint, maskedAccount(form.account), 'fields.account');
}

/** Runs a write that may seal a form. A refusal because the account differs is recorded on the order for both parties and staff. */
export async function recordingOtherAccount<T>(
  db: Db,
  by: { orderId: number; actor: string },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof OtherAccountError) {
      const explain = `卖家填写的账号（${error.sealed}）与登记的游戏账号（${error.listed}）不一致，没有封存`;
      await sql`insert into order_process (order_id, order_status, explain, actor)
        select o.id, o.status, ${explain}, ${by.actor} from orders o where o.id = ${by.orderId}
          and not exists (select from order_process p where p.order_id = o.id and p.explain = ${explain})`.execute(db);
    }
    throw error;
  }
}

/** Returns an order's account for staff: its masked name, and the number of other offers with the same name at another mail domain. */
export async function listedAccountFor(db: Trx, orderId: number): Promise<{ hint: string; near: number } | null> {
  const { rows } = await sql<{ hint: string; near: number }>`
    select coalesce(n.hint, '***') as hint, (select count(*)::int from (
        select fingerprint from goods where account_near = n.near and status <> ${sql.lit(GoodsStatus.Draft)}
        union all select fingerprint from middleman_deal where account_near = n.near
        union all select fingerprint from recycle_request where account_near = n.near) x where x.fingerprint <> n.print) as near
    from (
      select g.fingerprint as print, g.account_near as near, g.account_hint as hint from orders o join goods g on g.id = o.goods_id where o.id = ${orderId}
      union all select fingerprint, account_near, account_hint from middleman_deal where order_id = ${orderId}
      union all select fingerprint, account_near, account_hint from recycle_request where order_id = ${orderId}) n
    where n.print is not null limit 1`.execute(db);
  return rows[0] ?? null;
}
