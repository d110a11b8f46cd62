import { type RawBuilder, sql } from 'kysely';
import type * as c from '#subjects/services/contract/staff-boosting.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { isInProgress } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import {
  cancelReasonNames,
  type CancelReason,
  cancelReasons,
  cancelSplit,
  type ServiceState,
  serviceStateName,
} from '../../rules/service.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ORDERS_IN_PROGRESS } from '#server/states/order-states.ts';
import { statusName } from '#subjects/disputes/server/service.ts';
import { imageUrl } from '#subjects/media/server/service.ts';
import { escrowFen, type OrderTerms, termsForSystem } from '#subjects/orders/server/service.ts';
import { providerById } from '#subjects/providers/server/service.ts';
import { isLate } from '../cancel.ts';
import { lateView } from '../late.ts';
import { loadClocks, type MilestoneRow, loadMilestones, loadService } from '../queries.ts';
import { modeName } from '../terms.ts';
import { type DepositDecision, DEPOSITS } from '../boosting/deposits.ts';
import { idFor, loadOpenDispute } from '../boosting/find.ts';

type List = HandlerResult<typeof c.staffBoostingList>;
type Info = HandlerResult<typeof c.staffBoostingInfo>;

const RUNNING = sql`s.state in ('waiting', 'working', 'paused', 'checking')`;
const LATE = sql`s.state in ('working', 'paused') and s.due_at <= coalesce(s.paused_at, s.stopped_at, now())`;
const ASKED = sql`exists (select from service_cancel k where k.order_id = s.order_id and k.status = 'asked')`;

const SUBMITTED = sql`exists (select from service_milestone m where m.order_id = s.order_id and m.state = 'submitted')`;

/** The condition of each scope of the list. */
const SCOPES: Readonly<Record<Parsed<typeof c.staffBoostingList>['scope'], RawBuilder<unknown>>> = {
  all: sql`true`,
  open: RUNNING,
  late: LATE,
  disputed: sql`o.disputed`,
  cancel: ASKED,
  ban: sql`s.ban_reported_at is not null`,
  ended: sql`s.state in ('done', 'ended')`,
};

const FROM = sql`service_order s join orders o on o.id = s.order_id join app_user b on b.id = o.buyer_id left join provider p on p.id = s.provider_id`;

async function loadFigures(
  db: Trx,
  site: RawBuilder<unknown>,
  requestSite: RawBuilder<unknown>,
): Promise<List['figures']> {
  type Row = Record<'running' | 'held' | 'deposits' | 'done' | 'onTime' | 'bans' | 'requests' | 'requestsHeld', number>;
  const { rows } = await sql<Row>`
    select count(*) filter (where ${RUNNING})::int as running,
      coalesce(sum(o.total_fen + o.discount_fen - o.advance_fen) filter (where o.status in ${ORDERS_IN_PROGRESS}), 0)::bigint as held,
      coalesce(sum(s.safety_fen + s.efficiency_fen) filter (where ${RUNNING}), 0)::bigint as deposits,
      count(*) filter (where s.state = 'done' and s.finished_at > now() - interval '30 days')::int as done,
      count(*) filter (where s.state = 'done' and s.finished_at > now() - interval '30 days' and s.finished_at <= s.due_at)::int as "onTime",
      count(*) filter (where s.ban_reported_at > now() - interval '30 days')::int as bans,
      (select count(*)::int from boost_request r where r.status = 'open' ${requestSite}) as requests,
      (select coalesce(sum(r.total_fen), 0)::bigint from boost_request r where r.status = 'open' ${requestSite}) as "requestsHeld"
    from service_order s join orders o on o.id = s.order_id where s.type_id = ${BOOSTING} ${site}`.execute(db);
  const f = rows[0];
  return {
    requests: f?.requests ?? 0,
    requestsHeld: f?.requestsHeld ?? 0,
    running: f?.running ?? 0,
    held: f?.held ?? 0,
    deposits: f?.deposits ?? 0,
    done30: f?.done ?? 0,
    onTimePercent: f && f.done > 0 ? Math.round((f.onTime / f.done) * 1000) / 10 : null,
    bans30: f?.bans ?? 0,
  };
}

async function loadCounts(db: Trx, site: RawBuilder<unknown>): Promise<Record<string, number>> {
  const { rows } = await sql<{ late: number; disputed: number; cancel: number; ban: number; open: number }>`
    select count(*) filter (where ${LATE})::int as late, count(*) filter (where o.disputed)::int as disputed, count(*) filter (where ${ASKED})::int as cancel,
      count(*) filter (where s.ban_reported_at is not null)::int as ban, count(*) filter (where ${RUNNING})::int as open
    from service_order s join orders o on o.id = s.order_id where s.type_id = ${BOOSTING} ${site}`.execute(db);
  return { ...rows[0] };
}

interface Row {
  orderSn: string;
  title: string;
  gameName: string;
  buyerName: string;
  boosterName: string;
  state: ServiceState;
  disputed: boolean;
  isLate: boolean;
  banned: boolean;
  cancelAsked: boolean;
  fromRequest: boolean;
  donePercent: number;
  price: number;
  paid: number;
  dueTime: Date | null;
  accountTime: Date | null;
  lateTime: Date | null;
  createTime: Date;
}

/** When a timer of an order is due, if the condition holds. */
const clockAt = (job: 'service.account' | 'service.late', where: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select t.due_at from timer t where t.kind = ${job} and t.ref = s.order_id::text and ${where})`;

/** Boosting orders for staff, by scope, with the figures above the list. Throws FORBIDDEN. */
export async function boostingOrders(
  { ctx, staff }: StaffCall,
  input: Parsed<typeof c.staffBoostingList>,
): Promise<List> {
  requirePermission(staff, 'order.read');
  const site = ownSite(staff, sql`o.dist_id`);
  const limit = input.pageSize ?? 20;
  const offset = ((input.pages ?? 1) - 1) * limit;
  const word = `%${(input.keyWord ?? '').replaceAll(/[%_\\]/g, '')}%`;
  const { rows } = await sql<Row>`
    select o.sn as "orderSn", coalesce(o.snapshot->>'title', '') as title, coalesce(o.snapshot->>'gameName', '') as "gameName", b.nick_name as "buyerName",
      coalesce(p.name, '') as "boosterName", s.state, o.disputed, coalesce(${LATE}, false) as "isLate", s.ban_reported_at is not null as banned, ${ASKED} as "cancelAsked",
      exists (select from boost_request r where r.order_id = o.id) as "fromRequest",
      (select coalesce(sum(case when m.state in ('accepted', 'submitted') then m.share_fen else m.share_fen * m.progress_percent / 100 end) * 100 / nullif(sum(m.share_fen), 0), 0)::int
        from service_milestone m where m.order_id = o.id) as "donePercent",
      o.goods_fen as price, o.advance_fen as paid, s.due_at as "dueTime", ${clockAt('service.account', sql`s.state = 'waiting'`)} as "accountTime",
      ${clockAt('service.late', sql`s.late_told_at is not null and coalesce(${LATE}, false) and not o.disputed and not ${ASKED} and not ${SUBMITTED}`)} as "lateTime", o.created_at as "createTime"
    from ${FROM} where s.type_id = ${BOOSTING} and o.paid_at is not null and ${SCOPES[input.scope]} ${site}
      and (${input.keyWord ?? ''} = '' or o.sn like ${word} or p.name like ${word} or o.snapshot->>'title' like ${word})
    order by o.id desc limit ${limit + 1} offset ${offset}`.execute(ctx.db);
  return {
    figures: await loadFigures(ctx.db, site, ownSite(staff, sql`r.dist_id`)),
    counts: await loadCounts(ctx.db, site),
    list: rows.slice(0, limit).map((r) => ({ ...r, stateName: serviceStateName(r.state, BOOSTING) })),
    total: offset + Math.min(rows.length, limit),
    totalCapped: rows.length > limit,
    next: null,
  };
}

interface More {
  title: string;
  buyerName: string;
  pausedSeconds: number;
  ruledDispute: number | null;
  ruledSafety: boolean;
  ruledEfficiency: boolean;
}

const sideName = (toBuyer: boolean): 'buyer' | 'booster' => (toBuyer ? 'buyer' : 'booster');

async function loadMore(db: Trx, orderId: number): Promise<More> {
  const { rows } = await sql<More>`
    select coalesce(o.snapshot->>'title', '') as title, b.nick_name as "buyerName", s.paused_seconds as "pausedSeconds",
      s.ruled_dispute_id as "ruledDispute", s.ruled_safety_to_buyer as "ruledSafety", s.ruled_efficiency_to_buyer as "ruledEfficiency"
    from service_order s join orders o on o.id = s.order_id join app_user b on b.id = o.buyer_id where s.order_id = ${orderId}`.execute(
    db,
  );
  const row = rows[0];
  if (!row) throw new AppError('ORDER_NOT_FOUND');
  return row;
}

/** The decision on the deposits that a second person has to approve; null when there is none. */
async function depositDraft(db: Trx, staffId: number, disputeSn: string): Promise<Info['deposits']['draft']> {
  type Row = {
    by: string;
    requestedBy: number;
    reason: string;
    payload: Pick<DepositDecision, 'safety' | 'efficiency'>;
  };
  const { rows } = await sql<Row>`
    select f.name as by, a.asked_by as "requestedBy", a.reason, a.payload from approval a join staff f on f.id = a.asked_by
    where a.act = ${DEPOSITS} and a.target = ${`dispute:${disputeSn}`} and a.status = 'waiting' and a.expires_at > now()`.execute(
    db,
  );
  const draft = rows[0];
  if (!draft) return null;
  const { safety, efficiency } = draft.payload;
  return { by: draft.by, isMine: draft.requestedBy === staffId, safety, efficiency, reason: draft.reason };
}

const EVENT_NAMES: Readonly<Record<string, string>> = { progress: '进度', exception: '异常' };
const CANCEL_NAMES: Readonly<Record<string, string>> = {
  asked: '等待答复',
  agreed: '已同意',
  declined: '未同意',
  withdrawn: '已撤回',
  arbitration: '超时未答复，已转客服裁决',
};
const MAX_EVENTS = 50;

async function loadHistory(db: Trx, orderId: number): Promise<Pick<Info, 'events' | 'cancels'>> {
  const events = await sql<{ actor: string; kind: string; text: string; time: Date; buyerId: number }>`
    select e.actor, e.kind, e.text, e.created_at as time, o.buyer_id as "buyerId" from service_progress e join orders o on o.id = e.order_id
    where e.order_id = ${orderId} order by e.id desc limit ${MAX_EVENTS}`.execute(db);
  const cancels = await sql<{ requestedBy: number; reason: CancelReason; status: string; time: Date }>`
    select asked_by as "requestedBy", reason, status, created_at as time from service_cancel where order_id = ${orderId} order by id desc limit ${MAX_EVENTS}`.execute(
    db,
  );
  return {
    events: events.rows.map((e) => ({
      who: e.actor === `user:${e.buyerId}` ? '买家' : e.actor.startsWith('user:') ? '打手' : '系统',
      kind: EVENT_NAMES[e.kind] ?? e.kind,
      text: e.text,
      time: e.time,
    })),
    cancels: cancels.rows.map((k) => ({
      by: k.requestedBy === 0 ? '买家' : '打手',
      reason: cancelReasonNames[k.reason],
      status: CANCEL_NAMES[k.status] ?? k.status,
      time: k.time,
    })),
  };
}

const stageOf = (m: MilestoneRow): Info['milestones'][number] => ({
  seq: m.seq,
  title: m.title,
  amount: m.shareFen,
  state: m.state,
  progressPercent: m.progressPercent,
  refusedNum: m.refusedCount,
  note: m.note,
  pictures: m.pictures.map(({ key }) => ({ url: imageUrl(key), thumb: imageUrl(key, 320) })),
});

/** The split of a cancellation for each reason, as shown to the parties. */
const splitsOf = (order: OrderTerms, milestones: readonly MilestoneRow[]): Info['splits'] =>
  cancelReasons.map((reason) => {
    const s = cancelSplit(order, milestones, reason);
    return {
      reason,
      reasonName: cancelReasonNames[reason],
      buyer: s.buyerFen,
      paid: s.paidFen,
      provider: s.providerFen,
      fee: s.feeFen,
      back: s.backFen,
      efficiencyToBuyer: s.efficiencyToBuyer,
    };
  });

/** One boosting order for staff, with the splits used by a ruling. Throws FORBIDDEN, ORDER_NOT_FOUND. */
export async function boostingOrder(call: StaffCall, { orderSn }: Parsed<typeof c.staffBoostingInfo>): Promise<Info> {
  const { ctx, staff } = call;
  requirePermission(staff, 'order.read');
  const { db } = ctx;
  const orderId = await idFor(call, orderSn);
  const [order, service] = [await termsForSystem(db, { id: orderId }), await loadService(db, orderId)];
  if (!order || !service) throw new AppError('ORDER_NOT_FOUND');
  const [milestones, more, history, dispute, provider, clocks] = [
    await loadMilestones(db, orderId),
    await loadMore(db, orderId),
    await loadHistory(db, orderId),
    await loadOpenDispute(db, orderId),
    await providerById(db, service.providerId),
    await loadClocks(db, orderId),
  ];
  const isOpen = isInProgress(order.status) && service.acceptedAt !== null;
  return {
    orderId,
    orderSn,
    title: more.title,
    state: service.state,
    stateName: serviceStateName(service.state, BOOSTING),
    mode: service.mode,
    modeName: modeName(service.mode, BOOSTING),
    area: service.form.area ?? '',
    note: service.form.note ?? '',
    buyerName: more.buyerName,
    boosterName: provider?.name ?? '',
    price: order.goodsFen,
    held: isInProgress(order.status) ? escrowFen(order) : 0,
    paid: order.advanceFen,
    acceptTime: service.acceptedAt,
    dueTime: service.dueAt,
    isLate: isOpen && isLate({ service }),
    accountTime: service.state === 'waiting' ? (clocks['service.account'] ?? null) : null,
    late: history.cancels.some(({ status }) => status === CANCEL_NAMES.asked)
      ? null
      : lateView(ctx, { order, service }, milestones, clocks['service.late']),
    pausedMinutes: Math.round(more.pausedSeconds / 60),
    milestones: milestones.map(stageOf),
    splits: isOpen ? splitsOf(order, milestones) : [],
    ...history,
    ban: service.banReportedAt && { by: service.banReportedBy === 0 ? 'buyer' : 'seller', time: service.banReportedAt },
    dispute: dispute ? { disputeSn: dispute.sn, statusName: statusName(dispute.status) } : null,
    deposits: {
      safety: service.safetyFen,
      efficiency: service.efficiencyFen,
      decided:
        dispute && more.ruledDispute === dispute.id
          ? { safety: sideName(more.ruledSafety), efficiency: sideName(more.ruledEfficiency) }
          : null,
      draft: dispute ? await depositDraft(db, staff.id, dispute.sn) : null,
    },
    canDecide: isOpen && dispute !== undefined && dispute.status !== 'ruled' && staffCan(staff, 'dispute.rule'),
  };
}
