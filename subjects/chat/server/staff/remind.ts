import { sql } from 'kysely';
import { sharedHit } from '#server/access/limits.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { inTransaction } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { newUid, transferGroup } from '../groups/groups.ts';
import { ensureGroup } from '../groups/order-groups.ts';
import { publish } from '../transport/bus.ts';
import { remindAbsent, storeSystem } from '../queries.ts';
import { remindCard } from '../rules.ts';
import { sellerNoun } from '#subjects/orders/rules/order-types.ts';
import { serviceReminder } from '#subjects/services/rules/service-due.ts';
import { dueColumns, dueOf, type DueRow } from '#subjects/orders/server/service.ts';

/** A seller is reminded of one order at most once in this time. */
const EVERY_SECONDS = 1800;

interface Row extends DueRow {
  sn: string;
}

/** The group of an order that was paid. Throws ORDER_STATE. */
async function groupFor(ctx: Context, orderId: number): Promise<number> {
  const groupId = await ensureGroup(ctx, orderId);
  if (groupId === undefined) throw errorOf('ORDER_STATE', 'noChatBeforePayment');
  return groupId;
}

/**
 * Reminds the seller in the order's group of their due step, at most once in half an hour; absent members are notified
 * by their channels. Throws ORDER_STATE when it is not the seller's turn, RATE_LIMITED.
 */
export async function remindSeller(
  ctx: Context,
  staff: Pick<SessionStaff, 'id'>,
  orderId: number,
  ip: string,
): Promise<void> {
  const groupId = await groupFor(ctx, orderId);
  const stored = await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<Row>`
      select o.sn, o.status, ${dueColumns} from orders o where o.id = ${orderId} for share of o`.execute(trx);
    const order = rows[0];
    const due = order ? dueOf(order, 'seller') : null;
    if (!order || due?.turn !== 'seller')
      throw new AppError('ORDER_STATE', { text: `现在没有轮到${sellerNoun(order?.tradedTypeId ?? 0)}，不用催` });
    if (!(await sharedHit(trx, `order.remind:${orderId}`, 1, EVERY_SECONDS)))
      throw new AppError('RATE_LIMITED', { text: '半小时内已经催过', retryAfterSeconds: EVERY_SECONDS });
    await audit(trx, staff, 'order.remind', `order:${order.sn}`, {}, ip);
    const uid = newUid();
    return await storeSystem(trx, {
      groupId,
      key: `remind-${uid}`,
      uid,
      card: remindCard((order.service && serviceReminder(order.service)) ?? due.title, order.tradedTypeId ?? 0),
    });
  });
  publish(ctx, { kind: 'msg', groupId, seq: stored.seq, to: stored.members });
  await remindAbsent(ctx.db, groupId, 'system');
}

/**
 * Transfers the group of an order, and the order with it, to a colleague. Throws like `transferGroup`, and ORDER_STATE
 * before the payment.
 */
export async function transferOrder(
  ctx: Context,
  orderId: number,
  to: number,
  by: { id: number; imUid: string; isAdmin: boolean; distId: number | null; ip: string },
): Promise<void> {
  await transferGroup(ctx, await groupFor(ctx, orderId), to, { ...by, note: undefined });
}
