import { sql } from 'kysely';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ORDERS_OPEN } from '#server/states/order-states.ts';
import { changeSaleState } from './edit.ts';

/** The running order that holds a listing of the caller; undefined when none does. */
async function holdingOrder({ ctx, user }: UserCall, sn: string) {
  const { rows } = await sql<{ sn: string; isPaid: boolean }>`
    select o.sn, o.paid_at is not null as "isPaid" from orders o join goods g on g.id = o.goods_id
    where g.sn = ${sn} and g.seller_id = ${user.id} and o.status in ${ORDERS_OPEN} order by o.id desc limit 1`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Takes a listing off sale because it was sold somewhere else. It is removed from lists and search immediately. An
 * order takes precedence: when buyers have ordered its whole stock, this is refused with a message that says what to
 * do. Idempotent. Throws GOODS_NOT_FOUND, GOODS_HELD, GOODS_STATE.
 */
export async function soldElsewhere(call: UserCall, sn: string): Promise<{ goodsSn: string; status: number }> {
  try {
    return await changeSaleState(call, sn, 'pull', { detail: { soldElsewhere: true } });
  } catch (error) {
    if (!(error instanceof AppError) || error.error !== 'GOODS_STATE') throw error;
    const order = await holdingOrder(call, sn);
    if (!order) throw error;
    const text = order.isPaid
      ? `买家已经付款（订单 ${order.sn}），不能下架。请立即在订单里联系买家协商取消，货款会全额退回；逾期不发货会按平台规则处理`
      : `买家已经下单、还没付款（订单 ${order.sn}），现在不能下架。请联系买家取消；未付款的订单到期会自动取消，之后再标记一次`;
    throw new AppError('GOODS_HELD', { text, cause: error });
  }
}
