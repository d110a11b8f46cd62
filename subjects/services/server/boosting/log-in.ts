/** The report of a booster who cannot log in to the buyer's account (decision 442). */
import { sql } from 'kysely';
import type { ServiceState } from '../../rules/service.ts';
import type { Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addProcess } from '#subjects/orders/server/service.ts';
import { type PartyService, notifyParty } from '../actions.ts';

const TITLE = '打手登不上账号';

/**
 * Asks the buyer for other credentials, once for each version that the booster has opened. It stops no clock and moves no money. Until the
 * booster shows progress, a late order goes to customer service instead of ending by rule, whatever the buyer submits. Throws ORDER_STATE.
 */
export async function reportLogIn(trx: Trx, current: PartyService): Promise<ServiceState> {
  const { order, service } = current;
  const { rows } = await sql<{ sealedAt: Date | null; isOpened: boolean; at: number }>`
    select c.at as "sealedAt", extract(epoch from now())::bigint as at,
      exists (select from credential_opening o where o.order_id = ${order.id} and o.party = 'seller' and o.opened_at >= c.at) as "isOpened"
    from (select max(created_at) as at from sealed_credential where order_id = ${order.id} and from_user = ${order.buyerId}) c`.execute(
    trx,
  );
  const now = rows[0];
  if (service.mode !== 'account' || !now?.sealedAt) throw new AppError('ORDER_STATE');
  if (!now.isOpened) throw errorOf('ORDER_STATE', 'logInNotTried');
  if (service.isLogInOpen) throw errorOf('ORDER_STATE', 'logInReported');
  await sql`update service_order set login_failed_at = now() where order_id = ${order.id}`.execute(trx);
  const text = '请核对账号、密码与区服后重新提交。超过约定时间仍没有进展的，转客服裁决';
  await addProcess(trx, order, `${TITLE}，已请买家核对资料`, `user:${order.sellerId}`);
  await notifyParty(trx, current, 'buyer', { kind: 'service.order', ref: `log-in:${now.at}`, title: TITLE, text });
  await emit(trx, 'chat.card', {
    orderId: order.id,
    key: `log-in-${now.at}`,
    card: 'service.logIn',
    title: TITLE,
    content: text,
  });
  return 'working';
}
