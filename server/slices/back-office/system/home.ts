import { type RawBuilder, sql } from 'kysely';
import type { staffHome } from '#contract/backstage-home.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { type StaffPermission, staffCan } from '#contract/rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { countOf } from '../paging.ts';
import { ORDERS_IN_PROGRESS } from '#server/order-states.ts';

type Home = HandlerResult<typeof staffHome>;

/** Start of today in China's time zone. */
const TODAY = sql`(date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai')`;
const DAYS = 7;

interface Todo {
  key: string;
  name: string;
  to: string;
  permission: StaffPermission;
  from: RawBuilder<unknown>;
  /** The column of the distributor; null for platform staff only. */
  dist: RawBuilder<unknown> | null;
}

/** Pending work for content staff. */
const CONTENT_TODOS: readonly Todo[] = [
  {
    key: 'adverts',
    name: '待复核广告',
    to: '/backstage/adverts?status=0',
    permission: 'content.write',
    from: sql`advert a where a.status = 0`,
    dist: sql`a.dist_id`,
  },
  {
    key: 'business',
    name: '合作申请',
    to: '/backstage/business?status=new',
    permission: 'content.write',
    from: sql`cooperation_request r where r.status = 'new'`,
    dist: sql`r.dist_id`,
  },
];

/** Pending disputes and claims. */
const cases: readonly Todo[] = [
  {
    key: 'disputes',
    name: '处理中的申诉',
    to: '/backstage/disputes',
    permission: 'dispute.read',
    from: sql`dispute d where d.status in ('open', 'answering', 'evidence', 'appealed')`,
    dist: sql`d.dist_id`,
  },
  {
    key: 'claims',
    name: '处理中的理赔',
    to: '/backstage/claims',
    permission: 'claim.read',
    from: sql`guarantee_claim c where c.status in ('checking', 'chasing', 'escalated')`,
    dist: sql`c.dist_id`,
  },
];

/** Pending work on orders. */
function orderTodos(staffId: number): Todo[] {
  return [
    {
      key: 'mine',
      name: '我负责的进行中订单',
      to: '/backstage/orders?scope=mine',
      permission: 'order.act',
      from: sql`orders o where o.status in ${ORDERS_IN_PROGRESS} and o.staff_id = ${staffId}`,
      dist: sql`o.dist_id`,
    },
    {
      key: 'late',
      name: '超时未发货',
      to: '/backstage/orders?scope=late',
      permission: 'order.read',
      from: sql`orders o where o.status = 1 and o.ship_by < now()`,
      dist: sql`o.dist_id`,
    },
    {
      key: 'cancel',
      name: '买家申请取消',
      to: '/backstage/orders?scope=cancel',
      permission: 'order.read',
      from: sql`orders o where o.status = 1 and o.cancel_asked_at is not null`,
      dist: sql`o.dist_id`,
    },
    {
      key: 'stopped',
      name: '等必做步骤，自动确认已停止',
      to: '/backstage/orders?scope=stopped',
      permission: 'order.read',
      from: sql`orders o where o.status = 2 and o.confirm_stopped_at is not null`,
      dist: sql`o.dist_id`,
    },
    {
      key: 'refunds',
      name: '退款、代发货与密封待复核',
      to: '/backstage/orders?scope=second',
      permission: 'order.act',
      from: sql`approval a where a.act in ('order.close', 'order.ship', 'order.open') and a.status = 'waiting' and a.expires_at > now()`,
      dist: sql`a.dist_id`,
    },
  ];
}

function todosFor(staffId: number): readonly Todo[] {
  return [
    {
      key: 'goods',
      name: '待审核商品',
      to: '/backstage/goods',
      permission: 'goods.read',
      from: sql`goods g where g.status = 1`,
      dist: sql`g.dist_id`,
    },
    {
      key: 'withdrawals',
      name: '待审核提现',
      to: '/backstage/withdrawals',
      permission: 'withdrawal.read',
      from: sql`withdrawal w where w.status = 0`,
      dist: sql`w.dist_id`,
    },
    ...orderTodos(staffId),
    ...cases,
    {
      key: 'holds',
      name: '解冻待复核',
      to: '/backstage/holds',
      permission: 'hold.release',
      from: sql`approval a where a.act = 'hold.release' and a.status = 'waiting' and a.expires_at > now()`,
      dist: null,
    },
    {
      key: 'topups',
      name: '充值退回待复核',
      to: '/backstage/topups',
      permission: 'topup.refund',
      from: sql`approval a where a.act = 'topup.refund' and a.status = 'waiting' and a.expires_at > now()`,
      dist: null,
    },
    {
      key: 'setup',
      name: '首次设置未完成',
      to: '/backstage/setup',
      permission: 'setup.run',
      from: sql`setup_state u where u.admin_id is not null and u.finished_at is null`,
      dist: null,
    },
    ...CONTENT_TODOS,
    {
      key: 'audit',
      name: '操作记录校验不符',
      to: '/backstage/audit',
      permission: 'audit.read',
      from: sql`(select c.breaks from audit_check c where c.ended_at is not null order by c.day desc limit 1) c
        cross join jsonb_array_elements(c.breaks) b`,
      dist: null,
    },
  ];
}

async function todos(call: StaffCall): Promise<Home['todos']> {
  const { staff, ctx } = call;
  const open = todosFor(staff.id).filter(
    ({ permission, dist }) => staffCan(staff, permission) && (staff.distId === null || dist !== null),
  );
  return await Promise.all(
    open.map(async ({ key, name, to, from, dist }) => {
      const mine = staff.distId === null || dist === null ? sql`` : sql`and ${dist} = ${staff.distId}`;
      const { total, more } = await countOf(ctx.db, sql`${from} ${mine}`);
      return { key, name, to, count: total, more };
    }),
  );
}

interface TodayRow {
  placed: number;
  paid: number;
  done: number;
  paid_fen: number;
  done_fen: number;
  users: number;
  goods: number;
}

async function today(call: StaffCall): Promise<NonNullable<Home['today']>> {
  const { distId } = call.staff;
  const of = (column: RawBuilder<unknown>) => (distId === null ? sql`` : sql`and ${column} = ${distId}`);
  const { rows } = await sql<TodayRow>`
    select (select count(*)::int from orders o where o.created_at >= ${TODAY} ${of(sql`o.dist_id`)}) as placed,
      count(*) filter (where o.paid_at >= ${TODAY})::int as paid, count(*) filter (where o.completed_at >= ${TODAY})::int as done,
      coalesce(sum(o.total_fen) filter (where o.paid_at >= ${TODAY}), 0)::bigint as paid_fen,
      coalesce(sum(o.total_fen) filter (where o.completed_at >= ${TODAY}), 0)::bigint as done_fen,
      (select count(*)::int from app_user u where u.created_at >= ${TODAY} ${of(sql`u.dist_id`)}) as users,
      (select count(*)::int from goods g where g.created_at >= ${TODAY} and g.status <> 0 ${of(sql`g.dist_id`)}) as goods
    from orders o where (o.paid_at >= ${TODAY} or o.completed_at >= ${TODAY}) ${of(sql`o.dist_id`)}`.execute(
    call.ctx.db,
  );
  const r = rows[0] ?? { placed: 0, paid: 0, done: 0, paid_fen: 0, done_fen: 0, users: 0, goods: 0 };
  return {
    ordersPlaced: r.placed,
    ordersPaid: r.paid,
    ordersDone: r.done,
    paid: r.paid_fen,
    done: r.done_fen,
    newUsers: r.users,
    newGoods: r.goods,
  };
}

async function week(call: StaffCall): Promise<Home['days']> {
  const { distId } = call.staff;
  const { rows } = await sql<{ day: string; orders: number; fen: number }>`
    select to_char(d.day, 'MM-DD') as day, count(o.id)::int as orders, coalesce(sum(o.total_fen), 0)::bigint as fen
    from generate_series((now() at time zone 'Asia/Shanghai')::date - ${DAYS - 1}::int, (now() at time zone 'Asia/Shanghai')::date, interval '1 day') as d(day)
      left join orders o on o.paid_at >= d.day::timestamp at time zone 'Asia/Shanghai' and o.paid_at < (d.day + interval '1 day')::timestamp at time zone 'Asia/Shanghai'
        ${distId === null ? sql`` : sql`and o.dist_id = ${distId}`}
    group by d.day order by d.day`.execute(call.ctx.db);
  return rows.map(({ day, orders, fen }) => ({ day, orders, paid: fen }));
}

/** The first page of the back office. Throws FORBIDDEN for an operator without a distributor. */
export async function homeOf(call: StaffCall): Promise<Home> {
  const { staff } = call;
  if (staff.role === 'operator' && staff.distId === null) throw new AppError('FORBIDDEN');
  const seesTrade = staffCan(staff, 'order.read');
  return {
    todos: await todos(call),
    today: seesTrade ? await today(call) : null,
    days: seesTrade ? await week(call) : [],
    time: new Date(),
  };
}
