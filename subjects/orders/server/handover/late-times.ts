/** The times of a late order (decision 440). */
import { sql } from 'kysely';

/** Both parties are notified a second time this long before the end. */
export const WARN_SECONDS = 86_400;

/** `order.lateSeconds` for versions of the setting without it, which an earlier build wrote. */
export const LATE_SECONDS = 259_200;

/** How long a late order may stay without an action, by the current setting. */
export const lateSeconds = sql<number>`coalesce((setting_now('order')->>'lateSeconds')::int, ${LATE_SECONDS}::int)`;

/** How an order's clocks continue after a dispute: from the start, or with at least a last day. */
export interface Resumed {
  isAnew?: boolean;
  hasLastDay?: boolean;
}
