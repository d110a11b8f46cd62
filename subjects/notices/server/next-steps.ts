import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import { BargainStatus } from '#subjects/offers/rules/bargain.ts';
import { UNREAD_MAX } from '#contract/rules/limits.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';
import { AuthStatus, GoodsStatus } from '#contract/rules/statuses.ts';
import { NEXT_STEPS_MAX, type nextSteps } from '#subjects/notices/contract/todo.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { ORDERS_OPEN } from '#server/states/order-states.ts';
import { dueColumns, dueOf, type DueRow } from '#subjects/orders/server/service.ts';
import { campaignsFor } from '#subjects/promotions/server/service.ts';

type Result = HandlerResult<typeof nextSteps>;
type Step = Result['steps'][number];

/** The number of open orders checked per party, newest first. */
const ORDERS_READ = 200;

interface OpenOrder extends DueRow {
  sn: string;
  status: number;
  buys: boolean;
  goods: string;
  dueAt: Date | null;
}

/** The user's open orders with their due action and its deadline. */
async function openOrders(db: Trx, userId: number): Promise<OpenOrder[]> {
  const { rows } = await sql<OpenOrder>`
    select o.sn, o.status, o.buyer_id = ${userId} as buys,
      -- The titles of services and of recycling name the game already.
      case when strpos(o.snapshot->>'title', coalesce(o.snapshot->>'gameName', '')) > 0 then o.snapshot->>'title'
        else concat_ws(' ', nullif(o.snapshot->>'gameName', ''), o.snapshot->>'title') end as goods,
      coalesce(order_turn_due(o.id), t.due_at, w.starts_at) as "dueAt", ${dueColumns}
    from orders o left join timer t on t.kind = 'order.expire' and t.ref = o.id::text left join service_order w on w.order_id = o.id
    where o.id in (
      (select x.id from orders x where x.buyer_id = ${userId} and not x.hidden_buyer and x.status in ${ORDERS_OPEN} order by x.id desc limit ${ORDERS_READ})
      union (select x.id from orders x where x.seller_id = ${userId} and not x.hidden_seller and x.status in ${ORDERS_OPEN} order by x.id desc limit ${ORDERS_READ}))
    order by "dueAt" nulls last, o.id`.execute(db);
  return rows;
}

/** An order as a step when it is this user's turn; null otherwise. */
function orderStep(order: OpenOrder): Step | null {
  const reader = order.buys ? 'buyer' : 'seller';
  const due = dueOf(order, reader);
  if (due?.turn !== reader) return null;
  return {
    kind: 'order',
    count: 1,
    due: order.dueAt,
    since: null,
    order: {
      orderSn: order.sn,
      title: due.title,
      goods: order.goods,
      belong: order.buys ? BUYS : SELLS,
      status: order.status,
    },
  };
}

interface Waiting {
  questions: number;
  asked: Date | null;
  received: number;
  receivedUntil: Date | null;
  made: number;
  madeUntil: Date | null;
  inspections: number;
  inspectedUntil: Date | null;
  authStatus: number;
  hasPay: boolean;
}

/** Pending items other than orders, and missing account settings. For inspections: marks that expire within a day. */
async function loadWaiting(db: Trx, userId: number, validDays: number): Promise<Waiting> {
  const lasts = sql`g.inspected_at + make_interval(days => ${validDays})`;
  const { rows } = await sql<Waiting>`
    select q.questions, q.asked, r.received, r."receivedUntil", m.made, m."madeUntil", i.inspections, i."inspectedUntil",
      u.auth_status as "authStatus", u.pay_password_hash is not null as "hasPay"
    from app_user u
    cross join lateral (select count(*)::int as questions, min(created_at) as asked from goods_question
      where seller_id = u.id and answered_at is null and hidden_at is null) q
    cross join lateral (select count(*)::int as received, min(expires_at) as "receivedUntil" from bargain
      where seller_id = u.id and status = ${BargainStatus.Pending} and expires_at > now()) r
    cross join lateral (select count(*)::int as made, min(expires_at) as "madeUntil" from bargain
      where buyer_id = u.id and status in (${BargainStatus.SellerAgreed}, ${BargainStatus.Countered}, ${BargainStatus.BuyerAgreed}) and expires_at > now()) m
    cross join lateral (select count(*)::int as inspections, min(${lasts}) as "inspectedUntil" from goods g
      where g.seller_id = u.id and g.status = ${GoodsStatus.OnSale} and ${lasts} between now() and now() + interval '1 day') i
    where u.id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`user ${userId} has a session but no app_user row`);
  return row;
}

const step = (kind: Step['kind'], count: number, due: Date | null = null, since: Date | null = null): Step[] =>
  count > 0 ? [{ kind, count: Math.min(count, UNREAD_MAX + 1), due, since, order: null }] : [];

/** Steps with a deadline in order of it, then the others in their given order. */
function inOrder(steps: readonly Step[]): Step[] {
  const at = ({ due }: Step) => (due === null ? Number.POSITIVE_INFINITY : new Date(due).getTime());
  return steps.toSorted((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)));
}

/** The caller's next steps: orders that await the caller, answers that others are waiting for, then missing account settings. */
export async function loadNextSteps({ ctx, dist, user }: UserCall): Promise<Result> {
  const { validDays } = ctx.dir.setting('inspection');
  const [orders, waiting, campaigns] = await Promise.all([
    openOrders(ctx.db, user.id),
    loadWaiting(ctx.db, user.id, validDays),
    campaignsFor(ctx, dist.id, user.id),
  ]);
  const due = orders.flatMap((order) => orderStep(order) ?? []);
  const claimable = campaigns.filter(({ received, left }) => !received && left > 0).length;
  const isUnverified = waiting.authStatus === AuthStatus.None || waiting.authStatus === AuthStatus.Rejected;
  const steps = inOrder([
    ...due,
    ...step('bargainsReceived', waiting.received, waiting.receivedUntil),
    ...step('bargainsMade', waiting.made, waiting.madeUntil),
    ...step('inspections', waiting.inspections, waiting.inspectedUntil),
    ...step('questions', waiting.questions, null, waiting.asked),
    ...step('identity', isUnverified ? 1 : 0),
    ...step('payPassword', waiting.hasPay ? 0 : 1),
    ...step('coupons', claimable),
  ]);
  return { steps: steps.slice(0, NEXT_STEPS_MAX), orders: Math.min(due.length, UNREAD_MAX + 1) };
}
