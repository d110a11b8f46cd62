import type { staffOrderBulk } from '#subjects/orders/contract/staff-orders.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { staffCan } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { AppError } from '#server/kernel/errors.ts';
import { remindSeller, transferOrder } from '#subjects/chat/server/service.ts';
import { termsForSystem } from '#subjects/orders/server/service.ts';
import { inBulk } from '#server/staff/bulk.ts';

/**
 * Assigns orders to a colleague, or reminds their sellers; each by the rules for a single order. Throws FORBIDDEN,
 * BAD_INPUT.
 */
export async function applyToOrders(
  call: StaffCall,
  { orderSns, act: action, staffId }: Parsed<typeof staffOrderBulk>,
): Promise<HandlerResult<typeof staffOrderBulk>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'order.act');
  if (action === 'assign' && staffId === undefined)
    throw new AppError('BAD_INPUT', { text: '请选择接手的客服', field: 'staffId' });
  const isAdmin = staffCan(staff, 'chat.supervise');
  return await inBulk(orderSns, async (sn) => {
    const order = await termsForSystem(ctx.db, { sn }, staff.distId);
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    if (action === 'remind') {
      if (order.staffId !== staff.id && !isAdmin)
        throw new AppError('ORDER_NOT_ASSIGNED', { text: '只有负责本单的客服可以催' });
      await remindSeller(ctx, staff, order.id, ip);
    } else if (staffId !== undefined) await transferOrder(ctx, order.id, staffId, { ...staff, isAdmin, ip });
  });
}
