import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite } from '#server/access/permissions.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { statusName } from '#subjects/disputes/server/service.ts';

/** The dispute of an order that is not closed. */
export async function loadOpenDispute(db: Trx, orderId: number) {
  type Open = { id: number; sn: string; status: Parameters<typeof statusName>[0]; staffId: number | null };
  const { rows } = await sql<Open>`
    select id, sn, status, staff_id as "staffId" from dispute where order_id = ${orderId} and status <> 'closed' order by id desc limit 1`.execute(
    db,
  );
  return rows[0];
}

/** The order of boosting for staff of its site. Throws ORDER_NOT_FOUND. */
export async function idFor({ ctx, staff }: StaffCall, orderSn: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o join service_order s on s.order_id = o.id and s.type_id = ${BOOSTING} where o.sn = ${orderSn} ${ownSite(staff, sql`o.dist_id`)}`.execute(
    ctx.db,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new AppError('ORDER_NOT_FOUND');
  return id;
}
