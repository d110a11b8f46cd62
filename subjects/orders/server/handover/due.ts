import { sql } from 'kysely';
import { orderStatusName, isCancelled, OrderStatus } from '../../rules/order-status.ts';
import { BOOSTING, COMPANION_PLAY, RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import { type ExchangeState, stepActor } from '../../rules/exchange.ts';
import { EARLY_MS } from '#subjects/services/rules/companion-slots.ts';
import type { DueText, OrderReader } from '../../rules/order-party.ts';
import { orderHeadline, type OrderTextInput, type TakeOver } from '../../rules/order-text.ts';
import { type ServiceDueInput, type ServiceDueKind, serviceDueKind } from '#subjects/services/rules/service-due.ts';
import type { Db } from '#server/db/client.ts';
import { exchangeColumn } from './exchange-column.ts';

/** The input of `dueOf`, as selected by `dueColumns`. */
export interface DueRow {
  status: number | null;
  tradedTypeId: number | null;
  cancelAsked: boolean;
  cutAsked: boolean;
  takeOver: TakeOver | null;
  disputed: boolean;
  steps: number;
  step: { step: number; key: string; title: string; actor: string; exchange?: ExchangeState | null } | null;
  /** For boosting and companion play only. */
  service: ServiceDueInput | null;
}

/** SQL for the service of an order under the alias `o`, for its headline; null for an order of goods. */
const serviceColumn = sql`
  (select jsonb_build_object('typeId', v.type_id, 'state', v.state, 'disputed', o.disputed,
      'cancelBy', (select case c.asked_by when 0 then 'buyer' else 'seller' end from service_cancel c where c.order_id = v.order_id and c.status = 'asked'),
      'isLate', v.type_id = ${sql.lit(BOOSTING)} and v.state in ('working', 'paused') and coalesce(v.due_at <= coalesce(v.paused_at, v.stopped_at, now()), false)
        and (v.late_told_at is not null or v.form->>'parent' is null)
        and not exists (select from service_milestone m where m.order_id = v.order_id and m.state = 'submitted'),
      'submittedSeq', (select min(m.seq) from service_milestone m where m.order_id = v.order_id and m.state = 'submitted'),
      'isTogether', v.type_id = ${sql.lit(COMPANION_PLAY)} or (v.mode <> 'account' and v.form->>'parent' is null),
      'buyerStarted', v.buyer_start_at is not null, 'sellerStarted', v.seller_start_at is not null, 'startsAt', v.starts_at,
      'isNear', coalesce(v.starts_at <= now() + make_interval(secs => ${sql.lit(EARLY_MS / 1000)}), true), 'prolongs', v.prolongs_id is not null,
      'endBy', case v.end_by when 0 then 'buyer' when 1 then 'seller' end)
    from service_order v where v.order_id = o.id)`;
/**
 * Who has paid for the inspected account of an order under the alias `o` and still has to take it over; a ruling ends that. The platform's
 * purchase has a separate clock, which never pays.
 */
export const takeOverColumn = sql`
  case when o.status = ${sql.lit(OrderStatus.Completed)} and (o.snapshot->>'handoverType')::int = ${sql.lit(RECYCLED_ACCOUNT)}
    and exists (select from hold k where k.code = 'sale_protection' and k.ref = o.id::text and k.released_at is null)
    and not exists (select from dispute u where u.order_id = o.id and u.outcome = 'ruled')
    then case when exists (select from timer c where c.kind = 'recycle.takeOver' and c.ref = o.id::text) then 'platform' else 'recycler' end end`;
/** The columns of `DueRow` without the status, for an order under the alias `o`. */
export const dueColumns = sql`
  coalesce(nullif((o.snapshot->>'handoverType')::int, 0), o.type_id) as "tradedTypeId",
  coalesce(o.status = ${sql.lit(OrderStatus.Paid)} and o.cancel_asked_at is not null, false) as "cancelAsked",
  coalesce(o.status = ${sql.lit(OrderStatus.Paid)} and (o.snapshot->>'handoverType')::int = ${sql.lit(RECYCLED_ACCOUNT)}
    and exists (select from recycle_request q where q.order_id = o.id and q.status = 'reconfirm'), false) as "cutAsked", ${takeOverColumn} as "takeOver", coalesce(o.disputed, false) as disputed,
  (select count(*) from order_handover h where h.order_id = o.id)::int as steps,
  (select jsonb_build_object('step', h.step, 'key', h.key, 'title', h.title, 'actor', h.actor, 'exchange', ${exchangeColumn})
    from order_handover h
    where h.order_id = o.id and h.done_at is null and (o.status = ${sql.lit(OrderStatus.Shipped)} or (o.status = ${sql.lit(OrderStatus.Paid)} and h.before_ship)) order by h.step limit 1) as step,
  ${serviceColumn} as service`;

/** The service of an order for its headline; null for an order of goods. */
export async function loadServiceDue(db: Db, orderId: number): Promise<ServiceDueInput | null> {
  const { rows } = await sql<{ service: ServiceDueInput | null }>`
    select ${serviceColumn} as service from orders o where o.id = ${orderId}`.execute(db);
  return rows[0]?.service ?? null;
}

/** The due action of an order with loaded details; `kind` only for a service. */
export const orderDue = (order: OrderTextInput, reader: OrderReader): DueText & { kind: ServiceDueKind | null } => ({
  ...orderHeadline(order, reader),
  kind: order.service ? serviceDueKind(order.service) : null,
});

/**
 * The due action of a group's order, in the texts of the order page, and the progress of the hand-over; null for a group without an order.
 * `reader`: whether the caller is responsible for the order or only observes.
 */
export function dueOf(row: DueRow, reader: OrderReader): (DueText & { step: number | null; steps: number }) | null {
  if (row.status === null || row.tradedTypeId === null) return null;
  const done = { key: '', title: '', actor: '', state: 'done' as const };
  const current = row.step && { ...row.step, actor: stepActor(row.step), state: 'current' as const };
  const order = {
    status: row.status,
    statusName: orderStatusName(row.status, row.tradedTypeId),
    tradedTypeId: row.tradedTypeId,
    cancelAsked: row.cancelAsked,
    cutAsked: row.cutAsked,
    takeOver: row.takeOver,
    disputed: row.disputed && !isCancelled(row.status),
    handover: current ? [current] : row.steps > 0 ? [done] : [],
    service: row.service,
  };
  return { ...orderHeadline(order, reader), step: row.step?.step ?? null, steps: row.steps };
}
