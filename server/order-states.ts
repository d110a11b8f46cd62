import { sql } from 'kysely';

/**
 * Groups of order states as SQL lists (domain.md 2), for `status in ${...}`. The states of each group are decided in
 * contract/rules/order-status.ts; tests/unit/order-states.test.ts compares them.
 */
export const ORDERS_OPEN = sql.raw('(0, 1, 2)');
/** Paid and neither completed nor cancelled: the money is in escrow. */
export const ORDERS_IN_PROGRESS = sql.raw('(1, 2)');
/** Paid and not cancelled. */
export const ORDERS_PAID_FOR = sql.raw('(1, 2, 3)');
/** Not cancelled. */
export const ORDERS_VALID = sql.raw('(0, 1, 2, 3)');
/** Completed or cancelled. */
export const ORDERS_ENDED = sql.raw('(3, 6, 7, 8, 9)');
export const ORDERS_CANCELLED = sql.raw('(6, 7, 8, 9)');
