import { type RawBuilder, sql } from 'kysely';
import type { staffServiceList, staffServiceWeeks } from '#subjects/services/contract/staff-services.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { BOOSTING, COMPANION_PLAY, orderTypeName, SERVICE_TYPES } from '#subjects/orders/rules/order-types.ts';
import { type ServiceState, serviceStateName } from '#subjects/services/rules/service.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { refundSum } from '#subjects/ledger/server/service.ts';
import { modeName } from '../terms.ts';
import { type ServiceMode } from '../queries.ts';
import { amounting, type Batch, during, NEVER, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { auditUserSearch, userIdsFor } from '#subjects/accounts/server/service.ts';

type Input = Parsed<typeof staffServiceList>;
type Item = HandlerResult<typeof staffServiceList>['list'][number];

interface Row {
  id: number;
  sort_key: string;
  sn: string;
  type_id: number;
  game_name: string;
  title: string;
  mode: ServiceMode;
  state: ServiceState;
  late: boolean;
  disputed: boolean;
  cancel_asked: boolean;
  banned: boolean;
  done_percent: number;
  played: number | null;
  minutes: number;
  buyer_id: number;
  buyer_name: string;
  seller_id: number;
  provider_name: string;
  total_fen: number;
  advance_fen: number;
  refund_fen: number;
  income_fen: number;
  deposits_fen: number;
  dist_name: string;
  created_at: Date;
  accepted_at: Date | null;
  due_at: Date | null;
  finished_at: Date | null;
}

const SORTS = {
  createTime: { by: sql`o.created_at`, kind: 'time' },
  dueTime: { by: sql`coalesce(s.due_at, ${NEVER})`, kind: 'time' },
  totalPrice: { by: sql`o.total_fen`, kind: 'number' },
} as const;

const LATE = sql`s.state in ('working', 'paused') and s.type_id = ${BOOSTING} and s.due_at < coalesce(s.paused_at, s.stopped_at, now())`;
const ASKED = sql`exists (select from service_cancel k where k.order_id = s.order_id and k.status = 'asked')`;
const FROM = sql`service_order s join orders o on o.id = s.order_id`;
/** SQL: the platform's revenue from an order, in fen. */
const INCOME = sql`coalesce(sum(case when code in ('sale_commission', 'service_fee') then amount_fen when code = 'ruling_fee_back' then -amount_fen else 0 end), 0)::bigint`;

function filterOf(call: StaffRead, input: Input): RawBuilder<unknown> {
  const parts = [sql`o.paid_at is not null ${ownSite(call.staff, sql`o.dist_id`)}`];
  if (input.typeId !== undefined) parts.push(sql`s.type_id = any(${input.typeId.map(Number)}::smallint[])`);
  if (input.state !== undefined) parts.push(sql`s.state = any(${input.state}::text[])`);
  if (input.createTime !== undefined) parts.push(during(sql`o.created_at`, input.createTime));
  if (input.totalPrice !== undefined) parts.push(amounting(sql`o.total_fen`, input.totalPrice));
  if (input.newerThan !== undefined) parts.push(sql`o.created_at > ${input.newerThan}`);
  if (input.late === true) parts.push(LATE);
  if (input.disputed === true) parts.push(sql`o.disputed`);
  if (input.cancelAsked === true) parts.push(ASKED);
  if (input.banned === true) parts.push(sql`s.ban_reported_at is not null`);
  if (input.keyWord !== undefined) {
    const person = userIdsFor(call, input.keyWord);
    parts.push(
      person
        ? sql`(o.buyer_id in (${person}) or o.seller_id in (${person}))`
        : sql`(o.sn = ${input.keyWord} or o.goods_sn = ${input.keyWord.toUpperCase()})`,
    );
  }
  return sql.join(parts, sql` and `);
}

function itemOf(row: Row): Item {
  const isPlay = row.type_id === COMPANION_PLAY;
  return {
    orderSn: row.sn,
    typeId: row.type_id,
    typeName: orderTypeName(row.type_id),
    gameName: row.game_name,
    title: row.title,
    modeName: modeName(row.mode, row.type_id),
    state: row.state,
    stateName: serviceStateName(row.state, row.type_id),
    late: row.late,
    disputed: row.disputed,
    cancelAsked: row.cancel_asked,
    banned: row.banned,
    donePercent: isPlay ? null : row.done_percent,
    playedMinutes: isPlay ? row.played : null,
    orderedMinutes: isPlay ? row.minutes : null,
    buyerId: String(row.buyer_id),
    buyerName: row.buyer_name,
    providerId: String(row.seller_id),
    providerName: row.provider_name,
    totalPrice: row.total_fen,
    advance: row.advance_fen,
    refunded: row.refund_fen,
    income: row.income_fen,
    deposits: row.deposits_fen,
    distName: row.dist_name,
    createTime: row.created_at,
    acceptTime: row.accepted_at,
    dueTime: row.due_at,
    finishTime: row.finished_at,
  };
}

/**
 * Orders of boosting and companion play for staff; staff of a distributor see only its orders. A search for a user is audited. Throws
 * FORBIDDEN.
 */
export async function listServices(
  call: StaffRead,
  input: Input,
  batch?: Batch,
): Promise<HandlerResult<typeof staffServiceList>> {
  requirePermission(call.staff, 'order.read');
  const { db } = call.ctx;
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`o.id`, batch);
  const { rows } = await sql<Row>`
    select o.id, ${page.key} as sort_key, o.sn, s.type_id, coalesce(o.snapshot->>'gameName', '') as game_name, coalesce(o.snapshot->>'title', '') as title,
      s.mode, s.state, coalesce(${LATE}, false) as late, o.disputed, ${ASKED} as cancel_asked, s.ban_reported_at is not null as banned,
      (select coalesce(sum(case when m.state in ('accepted', 'submitted') then m.share_fen else m.share_fen * m.progress_percent / 100 end) * 100 / nullif(sum(m.share_fen), 0), 0)::int
        from service_milestone m where m.order_id = o.id) as done_percent,
      s.played_minutes as played, s.minutes, o.buyer_id, b.nick_name as buyer_name, o.seller_id, coalesce(p.name, '') as provider_name,
      o.total_fen, o.advance_fen,
      (select ${sql.raw(refundSum)} from ledger_transfer where order_id = o.id) as refund_fen,
      (select ${INCOME} from ledger_transfer where order_id = o.id) as income_fen,
      s.safety_fen + s.efficiency_fen as deposits_fen, d.name as dist_name, o.created_at, s.accepted_at, s.due_at, s.finished_at
    from ${FROM} join app_user b on b.id = o.buyer_id join distributor d on d.id = o.dist_id left join provider p on p.id = s.provider_id
    where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const result = page.cut(rows);
  await auditUserSearch(
    call,
    'order',
    input.keyWord,
    result.rows.map((row) => row.sn),
  );
  const totals = await loadTotals(db, sql`${FROM} where ${filter}`, { fen: sql`o.total_fen`, batch });
  return { list: result.rows.map(itemOf), ...totals, next: result.next, now: new Date() };
}

interface WeekRow {
  start: string;
  orders: number;
  paid: number;
  done: number;
  onTime: number;
  disputes: number;
  income: number;
  refunds: number;
}

/**
 * Orders of services by the week of their payment, in China's time: their number, their outcomes, the revenue and the
 * refunds, in fen. Completed companion play counts as on time. Throws FORBIDDEN.
 */
export async function serviceWeeks(
  { ctx, staff }: StaffCall,
  { typeId }: Parsed<typeof staffServiceWeeks>,
): Promise<HandlerResult<typeof staffServiceWeeks>> {
  requirePermission(staff, 'order.read');
  const types = typeId === undefined ? SERVICE_TYPES : [Number(typeId)];
  const { rows } = await sql<WeekRow>`
    with first as (select date_trunc('week', now() at time zone 'Asia/Shanghai') - interval '7 weeks' as week),
      paid as (select date_trunc('week', o.paid_at at time zone 'Asia/Shanghai') as week, o.total_fen, s.state,
          s.state = 'done' and (s.type_id = ${COMPANION_PLAY} or coalesce(s.finished_at <= s.due_at, true)) as on_time,
          exists (select from dispute d where d.order_id = o.id) as disputed,
          (select ${sql.raw(refundSum)} from ledger_transfer where order_id = o.id) as refund,
          (select ${INCOME} from ledger_transfer where order_id = o.id) as income
        from ${FROM} where s.type_id = any(${types}::smallint[]) and o.paid_at >= (select week from first) at time zone 'Asia/Shanghai'
          ${ownSite(staff, sql`o.dist_id`)})
    select to_char(w.week, 'YYYY-MM-DD') as start, count(p.week)::int as orders, coalesce(sum(p.total_fen), 0)::bigint as paid,
      count(*) filter (where p.state = 'done')::int as done, count(*) filter (where p.on_time)::int as "onTime",
      count(*) filter (where p.disputed)::int as disputes, coalesce(sum(p.income), 0)::bigint as income, coalesce(sum(p.refund), 0)::bigint as refunds
    from (select generate_series(f.week, f.week + interval '7 weeks', interval '7 days') as week from first f) w left join paid p on p.week = w.week
    group by w.week order by w.week desc`.execute(ctx.db);
  return { weeks: rows };
}
