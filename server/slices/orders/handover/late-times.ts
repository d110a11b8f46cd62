/** The times of a late order (decision 440). */
import { sql } from 'kysely';

/** Both are told again so long before the end. */
export const WARN_SECONDS = 86_400;

/** `order.lateSeconds` where a version of the setting lacks it, as one that an earlier build wrote. */
export const LATE_SECONDS = 259_200;

/** How long somebody may be silent on a late order, by the setting that counts. */
export const lateSeconds = sql<number>`coalesce((setting_now('order')->>'lateSeconds')::int, ${LATE_SECONDS}::int)`;

/** How an order's clocks continue after a dispute: from the start, or with at least a last day. */
export interface Resumed {
  isAnew?: boolean;
  hasLastDay?: boolean;
}
