import { sql } from 'kysely';
import { orderStatusName, isEnded, RECYCLED_ACCOUNT } from '#contract/rules/order-status.ts';
import { CODE_SECONDS, exchangeActor, type ExchangeState } from '#contract/rules/exchange.ts';
import { type DueText, orderHeadline, type OrderReader } from '#contract/rules/order-text.ts';

/** The input of `dueOf`, as `dueColumns` reads it. */
export interface DueRow {
  status: number | null;
  tradedTypeId: number | null;
  cancelAsked: boolean;
  cutAsked: boolean;
  disputed: boolean;
  steps: number;
  step: { step: number; key: string; title: string; actor: string; exchange?: ExchangeState | null } | null;
}

/** The columns of `DueRow` without the status, for an order under the alias `o`. */
export const dueColumns = sql`
  coalesce(nullif((o.snapshot->>'handoverType')::int, 0), o.type_id) as "tradedTypeId",
  coalesce(o.status = 1 and o.cancel_asked_at is not null, false) as "cancelAsked",
  coalesce(o.status = 1 and (o.snapshot->>'handoverType')::int = ${sql.lit(RECYCLED_ACCOUNT)}
    and exists (select from recycle_request q where q.order_id = o.id and q.status = 'reconfirm'), false) as "cutAsked", coalesce(o.disputed, false) as disputed,
  (select count(*) from order_handover h where h.order_id = o.id)::int as steps,
  (select jsonb_build_object('step', h.step, 'key', h.key, 'title', h.title, 'actor', h.actor, 'exchange',
      case when h.exchange is not null then jsonb_build_object('operator', h.actor, 'hasTarget', e.target_at is not null,
        'isTargetRefused', e.target_refused_at is not null, 'isStarted', e.started_at is not null,
        'code', case when e.code_opened_at is not null then 'read' when e.code_at is null then 'none'
          when e.code_at < now() - make_interval(secs => ${CODE_SECONDS}) then 'expired' else 'sealed' end) end)
    from order_handover h left join order_exchange e on e.order_id = h.order_id and e.step = h.step
    where h.order_id = o.id and h.done_at is null and (o.status = 2 or (o.status = 1 and h.before_ship)) order by h.step limit 1) as step`;

/**
 * The due action of a group's order, in the texts of the order page, and the progress of the hand-over; null for a group without an order.
 * `reader`: whether the caller is responsible for the order or only observes.
 */
export function dueOf(row: DueRow, reader: OrderReader): (DueText & { step: number | null; steps: number }) | null {
  if (row.status === null || row.tradedTypeId === null) return null;
  const done = { key: '', title: '', actor: '', state: 'done' as const };
  const exchange = row.step?.exchange;
  const current = row.step && {
    ...row.step,
    ...(exchange && { actor: exchangeActor(exchange) }),
    state: 'current' as const,
  };
  const order = {
    status: row.status,
    statusName: orderStatusName(row.status, row.tradedTypeId),
    tradedTypeId: row.tradedTypeId,
    cancelAsked: row.cancelAsked,
    cutAsked: row.cutAsked,
    disputed: row.disputed && !isEnded(row.status),
    handover: current ? [current] : row.steps > 0 ? [done] : [],
  };
  return { ...orderHeadline(order, reader), step: row.step?.step ?? null, steps: row.steps };
}
