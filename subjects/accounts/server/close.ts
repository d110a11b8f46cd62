import { UserStatus, AuthStatus } from '#contract/rules/statuses.ts';
import { GOODS_ACTIVE } from '#server/states/state-lists.ts';
import { WantStatus } from '#subjects/offers/rules/want.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { type RawBuilder, sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { closeAccount, closeAccountCheck } from '#subjects/accounts/contract/email-and-closing.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { clearSessionCookies } from '#server/access/session.ts';
import { emit, schedule } from '#server/jobs/effect-writer.ts';
import { randomToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { account, loadBalances } from '#subjects/ledger/server/service.ts';
import { encryptPhone } from './phone/phones.ts';
import { requireStepUp } from './step-up.ts';
import { announceEnded, endSessions } from './sessions.ts';
import { ORDERS_OPEN } from '#server/states/order-states.ts';

/** Delay before the personal data of a closed account is erased; until then customer service can still answer questions. */
const ERASE_DAYS = 7;
export const ERASE_TIMER = 'account.erase';

type Condition = HandlerResult<typeof closeAccountCheck>['conditions'][number];

/**
 * Whether a buyer of an inspected account may still report a wrong reading, for which its seller would owe money (decision 293). One hour
 * longer than the buyer's deadline, so that the seller still exists for a claim made at the last moment.
 */
const wrongOpen = (
  sellerId: number,
): RawBuilder<boolean> => sql`exists (select from orders o join goods g on g.id = o.goods_id
    and g.inspected_at <= o.created_at
  where o.seller_id = ${sellerId} and o.status = ${sql.lit(OrderStatus.Completed)} and not exists (select from inspection_claim k where k.order_id = o.id)
    and not exists (select from dispute d where d.order_id = o.id and d.back_fen > 0)
    and o.completed_at + make_interval(days => (setting_now('inspection')->>'wrongDays')::int, hours => 1) > now())`;

/** The conditions for closing an account (domain.md 7: no balance, no open order, no listing). */
async function loadConditions(db: Trx, userId: number): Promise<Condition[]> {
  const [balances, { rows }] = await Promise.all([
    loadBalances(db, userId),
    sql<Record<'orders' | 'goods' | 'wants' | 'disputes' | 'debts' | 'maturing' | 'escrows' | 'readings', boolean>>`
      select
        exists (select from orders where (buyer_id = ${userId} or seller_id = ${userId}) and status in ${ORDERS_OPEN}) as orders,
        exists (select from goods where seller_id = ${userId} and status in ${GOODS_ACTIVE}) as goods,
        exists (select from want where user_id = ${userId} and status = ${sql.lit(WantStatus.Open)}) as wants,
        exists (select from debt where debtor_user = ${userId} and settled_at is null) as debts,
        exists (select from ledger_account where key = ${account.maturing(userId)} and balance > 0) as maturing,
        exists (select from boost_request where buyer_id = ${userId} and status = 'open')
          or exists (select from recycle_request where user_id = ${userId} and status in ('bidding', 'quoted', 'accepted', 'reconfirm'))
          or exists (select from recycle_quote where recycler_id = ${userId} and status = 'open')
          or exists (select from inspection_task t join goods g on g.id = t.goods_id
            where (t.buyer_id = ${userId} or g.seller_id = ${userId}) and t.status in ('waiting', 'queued', 'claimed', 'review')) as escrows,
        exists (select from inspection_claim k join orders o on o.id = k.order_id
            where (o.seller_id = ${userId} or o.buyer_id = ${userId}) and k.status = 'open')
          or ${wrongOpen(userId)} as readings,
        exists (select from dispute d join orders o on o.id = d.order_id
          where d.status <> 'closed' and (o.buyer_id = ${userId} or o.seller_id = ${userId})) as disputes`.execute(db),
  ]);
  const has = rows[0];
  const of = (text: string, met: boolean, url: string | null): Condition => ({ text, met, url });
  return [
    of('可用余额为零', balances.availableFen === 0, '/center/mywallets'),
    of('没有冻结中的款项', balances.frozenFen === 0, '/center/mywallets'),
    of('没有待结算的奖励', has?.maturing === false, '/center/extend/extendMyExtension'),
    of('没有未还清的欠款', has?.debts === false, '/center/mywallets'),
    of('保证金已退回', balances.depositFen === 0, '/center/myself/depositWithdraw'),
    of('没有进行中的订单', has?.orders === false, '/center/buyGoodsOrder'),
    of('没有处理中的申诉', has?.disputes === false, '/center/buyComplaint'),
    of('没有审核中或在售的商品', has?.goods === false, '/center/sellOutGoods'),
    of('没有进行中的代练发单、回收、出价与验号', has?.escrows === false, '/center/sellOutGoods'),
    of('售出的已验号账号已过验号理赔期，没有处理中的验号理赔', has?.readings === false, '/center/sellOutGoods'),
    of('没有进行中的求购（定金随关闭退回）', has?.wants === false, '/center/buyBlackList'),
  ];
}

/** Whether the account can be closed now, and each condition with the page where the user meets it. */
export async function checkClosing(call: UserCall): Promise<HandlerResult<typeof closeAccountCheck>> {
  const conditions = await loadConditions(call.ctx.db, call.user.id);
  return { allowed: conditions.every(({ met }) => met), conditions };
}

/**
 * Closes the account and schedules its erasure, after a step-up (purpose close). The conditions are checked under a lock on the user row,
 * which concurrent orders also take. Throws STEP_UP_REQUIRED, SMS_CODE_WRONG, ACCOUNT_CLOSE_BLOCKED.
 */
export async function closeOwnAccount(
  call: UserCall,
  { smsCode, reason }: Parsed<typeof closeAccount>,
): Promise<{ eraseTime: Date }> {
  const { ctx, user } = call;
  await requireStepUp(call, 'close', { smsCode });
  const { eraseAt } = await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      await sql`select from app_user where id = ${user.id} for update`.execute(trx);
      const open = (await loadConditions(trx, user.id)).find(({ met }) => !met);
      if (open) throw new AppError('ACCOUNT_CLOSE_BLOCKED', { text: `还不满足注销条件：需${open.text}` });
      const { rows } = await sql<{ erase_at: Date }>`
        update app_user set status = ${UserStatus.Closed}, online = false, closed_at = now(), erase_at = now() + make_interval(days => ${ERASE_DAYS})
        where id = ${user.id} and status <> ${UserStatus.Closed} returning erase_at`.execute(trx);
      const at = rows[0]?.erase_at;
      if (!at) throw new AppError('ACCOUNT_CLOSE_BLOCKED', { text: '该账号已注销' });
      await endSessions(trx, user.id);
      await sql`delete from third_party_binding where user_id = ${user.id}`.execute(trx);
      await schedule(trx, ERASE_TIMER, user.id, at, 'keep');
      await emit(trx, 'account.closed', { userId: user.id, reason });
      return { eraseAt: at.toISOString() };
    }),
  );
  announceEnded(ctx, user.id);
  if (call.http) clearSessionCookies(ctx, call.http.reply, false);
  return { eraseTime: new Date(eraseAt) };
}

/**
 * Erases the personal data of a closed account; orders and ledger entries are kept under an anonymous name. The phone number can be
 * registered again. Does nothing when the data was erased before or the account was reopened.
 */
export async function eraseClosed(ctx: Context, userId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const nobody = sha256(randomToken());
    const { rows } = await sql`
      update app_user set phone_hash = ${nobody}, phone_enc = ${encryptPhone(ctx.keys, userId, '')}, phone_mask = '', nick_name = '已注销用户',
        avatar = null, password_hash = null, pay_password_hash = null, email_enc = null, contact_enc = null, contact_mask = '', email_hash = null, auth_status = ${sql.lit(AuthStatus.None)}, erased_at = now()
      where id = ${userId} and status = ${UserStatus.Closed} and erased_at is null and erase_at <= now() returning id`.execute(
      trx,
    );
    if (rows.length === 0) return;
    // A hash of the identity number is kept, so that once-per-person benefits are not granted again to a new account.
    await sql`select erase_person(${userId})`.execute(trx);
  });
}
