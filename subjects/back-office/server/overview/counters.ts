import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { ChatGroupStatus, WithdrawalStatus, PublicationStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { staffCounters } from '#subjects/back-office/contract/overview.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { serviceLevels } from '#subjects/chat/rules/service-levels.ts';
import { type StaffPermission, staffCan } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requireSite } from '#server/access/permissions.ts';
import { PAYOUT_SINCE } from '#server/access/pending-transfers.ts';
import { PAYOUT_OVERDUE, REFUND_OVERDUE } from '#subjects/payments/server/service.ts';
import type { SecondPersonAction } from '#server/staff/approvals.ts';
import { CLAIM_TODO, DISPUTE_TODO } from '#subjects/disputes/server/service.ts';
import { FOR_STAFF } from '#subjects/inspections/server/service.ts';

type Queue = HandlerResult<typeof staffCounters>['queues'][number];

/** Queues are counted up to here. */
const COUNTED = 1000;

/**
 * A queue: its permission, its page, and the SQL of its pending rows. The permission is the one that its actions
 * require: staff who may only read cannot reduce the count, so they do not see it.
 */
interface Spec {
  key: string;
  name: string;
  /** Its page, filtered to the pending rows; without the filter it is the menu entry. */
  to: string;
  permission: StaffPermission;
  limitText: string;
  /** SQL: the pending rows as `from`, with the start and the deadline of each. */
  from: RawBuilder<unknown>;
  since: RawBuilder<unknown>;
  until: RawBuilder<unknown>;
  /** The column of the distributor; null: platform staff only. */
  dist: RawBuilder<unknown> | null;
}

/** A queue whose cases have no deadline: each may be pending as long as its service level allows. */
function levelled(level: keyof typeof serviceLevels, spec: Omit<Spec, 'limitText' | 'until'>): Spec {
  const { seconds, text } = serviceLevels[level];
  return { ...spec, limitText: text, until: sql`${spec.since} + make_interval(secs => ${seconds})` };
}

/** Actions pending for a second person, with the permission to decide and the page for the decision. */
interface SecondAction {
  actions: readonly SecondPersonAction[];
  name: string;
  permission: StaffPermission;
  to: string;
}

const SECOND_ACTIONS: readonly SecondAction[] = [
  {
    actions: ['order.close', 'order.ship', 'order.open'],
    name: '订单',
    permission: 'order.act',
    to: '/backstage/orders?second=1',
  },
  { actions: ['recycle.taken'], name: '回收', permission: 'order.act', to: '/backstage/recycling' },
  { actions: ['dispute.rule'], name: '申诉', permission: 'dispute.rule', to: '/backstage/disputes?second=1' },
  { actions: ['boosting.deposits'], name: '代练', permission: 'dispute.rule', to: '/backstage/boosting' },
  { actions: ['claim.pay'], name: '理赔', permission: 'claim.decide', to: '/backstage/claims?second=1' },
  { actions: ['hold.release'], name: '冻结款', permission: 'hold.release', to: '/backstage/holds?second=1' },
  { actions: ['topup.refund'], name: '充值退回', permission: 'topup.refund', to: '/backstage/topups?second=1' },
  // The panel above the list shows them.
  { actions: ['refund.close'], name: '退款核销', permission: 'topup.refund', to: '/backstage/topups' },
  {
    actions: ['inspection.open', 'inspection.repay'],
    name: '验号',
    permission: 'inspection.act',
    to: '/backstage/inspections',
  },
  { actions: ['inspection.wrong'], name: '验号理赔', permission: 'inspection.pay', to: '/backstage/inspections' },
  { actions: ['setting.change'], name: '交易设置', permission: 'setting.write', to: '/backstage/settings' },
  { actions: ['brand.terms'], name: '品牌费率', permission: 'brand.terms', to: '/backstage/brands' },
  { actions: ['staff.recover'], name: '员工', permission: 'staff.manage', to: '/backstage/staff' },
];

/**
 * The kinds of colleagues' requests that the caller can decide, most urgent first. Each is a separate queue, so that
 * the menu shows its count at the page for the decision. When nothing is pending, one kind under a general name; none
 * for a caller without such permissions.
 */
async function loadSecondActions({ ctx, staff }: StaffCall): Promise<readonly SecondAction[]> {
  const kinds = SECOND_ACTIONS.filter(({ permission }) => staffCan(staff, permission));
  const actions = kinds.flatMap((kind) => kind.actions);
  const { rows } = await sql<{ act: SecondPersonAction }>`
    select a.act from approval a where a.status = 'waiting' and a.expires_at > now() and a.act = any(${actions}) and a.asked_by <> ${staff.id}
      and (${staff.distId}::int is null or a.dist_id = ${staff.distId}) group by a.act order by min(a.expires_at)`.execute(
    ctx.db,
  );
  const waiting = new Set(rows.flatMap(({ act: action }) => kinds.filter((kind) => kind.actions.includes(action))));
  if (waiting.size > 0) return [...waiting];
  return kinds.slice(0, 1).map((kind) => ({ ...kind, actions, name: '' }));
}

function tradeQueues({ staff }: StaffCall): Spec[] {
  return [
    levelled('goods', {
      key: 'goods',
      name: '商品审核',
      to: '/backstage/goods',
      permission: 'goods.review',
      from: sql`goods g where g.status = ${sql.lit(ChatGroupStatus.Open)}`,
      since: sql`g.updated_at`,
      dist: sql`g.dist_id`,
    }),
    levelled('chat', {
      key: 'chat',
      name: '客服待回复',
      to: '/backstage/chat',
      permission: 'chat.serve',
      from: sql`(select q.since, q.dist_id from service_queue q
        union all select m.created_at, g.dist_id from chat_member c join chat_group g on g.id = c.group_id and g.status = ${sql.lit(ChatGroupStatus.Open)}
          join chat_message m on m.group_id = g.id and m.seq = g.last_seq
          where c.member = ${staff.imUid} and c.is_current and c.left_at is null and g.last_seq > c.read_seq) g where true`,
      since: sql`g.since`,
      dist: sql`g.dist_id`,
    }),
    {
      key: 'late',
      name: '超时未发货',
      to: '/backstage/orders?late=1',
      permission: 'order.act',
      limitText: '卖家的发货时限',
      from: sql`orders o where o.status = ${sql.lit(OrderStatus.Paid)} and o.ship_by < now()`,
      since: sql`coalesce(o.paid_at, o.created_at)`,
      until: sql`o.ship_by`,
      dist: sql`o.dist_id`,
    },
    levelled('cancel', {
      key: 'cancel',
      name: '买家申请取消',
      to: '/backstage/orders?cancelAsked=1',
      permission: 'order.act',
      from: sql`orders o where o.status = ${sql.lit(OrderStatus.Paid)} and o.cancel_asked_at is not null`,
      since: sql`o.cancel_asked_at`,
      dist: sql`o.dist_id`,
    }),
  ];
}

function caseQueues({ staff }: StaffCall): Spec[] {
  return [
    {
      key: 'disputes',
      name: '申诉',
      to: '/backstage/disputes?sort=deadline&todo=1',
      permission: 'dispute.rule',
      limitText: '按申诉进度',
      from: sql`dispute d where ${DISPUTE_TODO}`,
      since: sql`d.opened_at`,
      until: sql`case d.status when 'open' then d.first_look_by when 'answering' then d.answer_by else d.rule_by end`,
      dist: sql`d.dist_id`,
    },
    {
      key: 'claims',
      name: '理赔',
      to: '/backstage/claims?sort=deadline&todo=1',
      permission: 'claim.decide',
      limitText: '按理赔进度',
      from: sql`guarantee_claim c where ${CLAIM_TODO}`,
      since: sql`c.opened_at`,
      until: sql`case c.status when 'checking' then c.first_look_by when 'chasing' then c.deadline_at else c.decide_by end`,
      dist: sql`c.dist_id`,
    },
    levelled('withdrawal', {
      key: 'withdrawals',
      name: '提现审核',
      to: '/backstage/withdrawals?todo=1&sort=createTime',
      permission: 'withdrawal.decide',
      from: sql`withdrawal w where w.status = ${sql.lit(WithdrawalStatus.Pending)} and w.approved_by is distinct from ${staff.id}`,
      since: sql`w.created_at`,
      dist: sql`w.dist_id`,
    }),
    levelled('pending', {
      key: 'pendingTransfers',
      name: '退款打款超时',
      to: '/backstage/topups',
      permission: 'topup.refund',
      from: sql`(select r.created_at as since from refund r where ${REFUND_OVERDUE}
        union all select ${PAYOUT_SINCE} from withdrawal w where ${PAYOUT_OVERDUE}) t where true`,
      since: sql`t.since`,
      dist: null,
    }),
    levelled('provider', {
      key: 'providers',
      name: '入驻审核',
      to: '/backstage/providers?waiting=1',
      permission: 'provider.review',
      from: sql`provider p where (p.status = 'reviewing' or p.pending is not null)`,
      since: sql`p.updated_at`,
      dist: sql`p.dist_id`,
    }),
    {
      key: 'inspections',
      name: '验号',
      to: '/backstage/inspections',
      permission: 'inspection.act',
      limitText: '按验号时限',
      from: sql`inspection_task t where t.status in ${FOR_STAFF}`,
      since: sql`t.created_at`,
      until: sql`t.due_at`,
      dist: sql`t.dist_id`,
    },
  ];
}

/** Colleagues' requests that the caller can decide. */
const secondQueues = ({ staff }: StaffCall, actions: readonly SecondAction[]): Spec[] =>
  actions.map(({ actions, name, permission, to }, i) => ({
    key: i === 0 ? 'second' : `second:${actions[0]}`,
    name: name === '' ? '待第二人复核' : `待复核：${name}`,
    to,
    permission,
    limitText: '3 天',
    from: sql`approval a where a.status = 'waiting' and a.expires_at > now() and a.act = any(${actions}) and a.asked_by <> ${staff.id}`,
    since: sql`a.created_at`,
    until: sql`a.expires_at`,
    dist: sql`a.dist_id`,
  }));

function trustQueues(): Spec[] {
  return [
    levelled('trust', {
      key: 'black',
      name: '黑号举报',
      to: '/backstage/trust',
      permission: 'trust.decide',
      from: sql`black_entry b where b.status = 'reviewing'`,
      since: sql`b.created_at`,
      dist: sql`b.dist_id`,
    }),
    levelled('report', {
      key: 'goodsReports',
      name: '商品举报',
      to: '/backstage/goodsReports',
      permission: 'review.decide',
      from: sql`goods_report r where r.status = 'waiting'`,
      since: sql`r.created_at`,
      dist: sql`r.dist_id`,
    }),
    levelled('report', {
      key: 'reviewReports',
      name: '评价举报',
      to: '/backstage/reviews',
      permission: 'review.decide',
      from: sql`review_report r where r.status = 'waiting'`,
      since: sql`r.created_at`,
      dist: sql`r.dist_id`,
    }),
  ];
}

/** Pending work on content and system records; an advert is pending for everyone except its author. */
function keeperQueues({ staff }: StaffCall): Spec[] {
  return [
    levelled('content', {
      key: 'adverts',
      name: '待复核广告',
      to: '/backstage/adverts?status=0',
      permission: 'content.write',
      from: sql`advert a where a.status = ${sql.lit(PublicationStatus.Draft)} and a.created_by is distinct from ${staff.id}`,
      since: sql`a.starts_at`,
      dist: sql`a.dist_id`,
    }),
    levelled('content', {
      key: 'business',
      name: '合作申请',
      to: '/backstage/business?status=new',
      permission: 'content.write',
      from: sql`cooperation_request r where r.status = 'new'`,
      since: sql`r.created_at`,
      dist: sql`r.dist_id`,
    }),
    levelled('audit', {
      key: 'audit',
      name: '操作记录校验不符',
      to: '/backstage/audit',
      permission: 'audit.read',
      from: sql`(select c.breaks, c.ended_at from audit_check c where c.ended_at is not null order by c.day desc limit 1) c
        cross join jsonb_array_elements(c.breaks) b where true`,
      since: sql`c.ended_at`,
      dist: null,
    }),
  ];
}

interface CountRow {
  n: number;
  over: number;
  soon: number;
  next_at: Date | null;
  next_limit: number | null;
}

async function counted(call: StaffCall, spec: Spec): Promise<Queue> {
  const { key, name, to, limitText, from, since, until, dist } = spec;
  const { distId } = call.staff;
  const mine = distId === null || dist === null ? sql`` : sql`and ${dist} = ${distId}`;
  const { rows } = await sql<CountRow>`
    select count(*)::int as n, count(*) filter (where q.until <= now())::int as over,
      count(*) filter (where q.until > now() and q.until - now() <= (q.until - q.since) / 3)::int as soon, min(q.until) as next_at,
      (array_agg(greatest(extract(epoch from q.until - q.since), 1)::int order by q.until))[1] as next_limit
    from (select ${since} as since, ${until} as until from ${from} ${mine} order by 2 limit ${COUNTED + 1}) q`.execute(
    call.ctx.db,
  );
  const row = rows[0] ?? { n: 0, over: 0, soon: 0, next_at: null, next_limit: null };
  return {
    key,
    name,
    to,
    menu: to.split('?')[0] ?? to,
    limitText,
    count: Math.min(row.n, COUNTED),
    totalCapped: row.n > COUNTED,
    over: row.over,
    soon: row.soon,
    nextTime: row.next_at,
    nextLimit: row.next_limit ?? 1,
  };
}

/** The caller's queues. Throws FORBIDDEN for an operator without a distributor. */
export async function loadCounters(call: StaffCall): Promise<HandlerResult<typeof staffCounters>> {
  const { staff } = call;
  requireSite(staff);
  const second = secondQueues(call, await loadSecondActions(call));
  const specs = [...tradeQueues(call), ...caseQueues(call), ...second, ...trustQueues(), ...keeperQueues(call)].filter(
    ({ permission, dist }) => staffCan(staff, permission) && (staff.distId === null || dist !== null),
  );
  return { queues: await Promise.all(specs.map((spec) => counted(call, spec))), time: new Date() };
}
