import { sql } from 'kysely';
import { endedReason, orderGroups } from '#subjects/orders/rules/order-status.ts';
import { SERVICE_TYPES } from '#subjects/orders/rules/order-types.ts';
import { AppError } from '#server/kernel/errors.ts';

/**
 * Groups of order states as SQL lists (domain.md 2), for `status in ${...}`, of the groups in subjects/orders/rules/order-status.ts.
 * tests/unit/money/order-states.test.ts compares their texts with the results for single states.
 */
export const ORDERS_OPEN = sql.raw(`(${orderGroups.open.join(', ')})`);
/** Paid and neither completed nor cancelled: the money is in escrow. */
export const ORDERS_IN_PROGRESS = sql.raw(`(${orderGroups.inProgress.join(', ')})`);
/** Paid and not cancelled. */
export const ORDERS_PAID_FOR = sql.raw(`(${orderGroups.paidFor.join(', ')})`);
/** Not cancelled. */
export const ORDERS_VALID = sql.raw(`(${orderGroups.valid.join(', ')})`);
/** Completed or cancelled. */
export const ORDERS_ENDED = sql.raw(`(${orderGroups.ended.join(', ')})`);
export const ORDERS_CANCELLED = sql.raw(`(${orderGroups.cancelled.join(', ')})`);
/** The types of services, for `type_id in ${...}`. */
export const SERVICES = sql.raw(`(${SERVICE_TYPES.join(', ')})`);

/** ORDER_STATE for an order in this state; the message says why if the order has ended. */
export function orderStateError(status: number): AppError {
  const text = endedReason(status);
  return new AppError('ORDER_STATE', text === undefined ? {} : { text });
}
