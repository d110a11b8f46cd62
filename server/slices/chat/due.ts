import { sql } from 'kysely';
import { orderStatusName, isEnded } from '#contract/rules/order-status.ts';
import { type DueText, orderHeadline, type OrderReader } from '#contract/rules/order-text.ts';

/** What the words about an order's due act need, as `dueColumns` reads it. */
export interface DueRow {
  status: number | null;
  tradedTypeId: number | null;
  cancelAsked: boolean;
  disputed: boolean;
  steps: number;
  step: { step: number; key: string; title: string; actor: string } | null;
}

/** The columns of `DueRow` without the status, of an order under the name `o`. */
export const dueColumns = sql`
  coalesce(nullif((o.snapshot->>'handoverType')::int, 0), o.type_id) as "tradedTypeId",
  coalesce(o.status = 1 and o.cancel_asked_at is not null, false) as "cancelAsked", coalesce(o.disputed, false) as disputed,
  (select count(*) from order_handover h where h.order_id = o.id)::int as steps,
  (select jsonb_build_object('step', h.step, 'key', h.key, 'title', h.title, 'actor', h.actor) from order_handover h
    where h.order_id = o.id and h.done_at is null and (o.status = 2 or (o.status = 1 and h.before_ship)) order by h.step limit 1) as step`;

/**
 * What is due in a group's order in the words of the order page, and how far its hand-over is; null for a group without an order.
 * `reader`: whether the caller looks after the order or only looks on.
 */
export function dueOf(row: DueRow, reader: OrderReader): (DueText & { step: number | null; steps: number }) | null {
  if (row.status === null || row.tradedTypeId === null) return null;
  const done = { key: '', title: '', actor: '', state: 'done' as const };
  const current = row.step && { ...row.step, state: 'current' as const };
  const order = {
    status: row.status,
    statusName: orderStatusName(row.status),
    tradedTypeId: row.tradedTypeId,
    cancelAsked: row.cancelAsked,
    disputed: row.disputed && !isEnded(row.status),
    handover: current ? [current] : row.steps > 0 ? [done] : [],
  };
  return { ...orderHeadline(order, reader), step: row.step?.step ?? null, steps: row.steps };
}
