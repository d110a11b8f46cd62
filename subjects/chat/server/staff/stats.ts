import { ChatGroupStatus, StaffStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { serviceStats } from '#subjects/chat/contract/im-support.ts';
import { serviceQuality } from '../../rules/service-quality.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { requirePermission, staffHolds } from '#server/access/permissions.ts';
import { onlineAmong } from '../queries.ts';

const MAX_RATINGS = 30;

export interface Figures {
  groups: number;
  firstReplySeconds: number | null;
  solveSeconds: number | null;
  solved: number;
  ratings: number;
  score: number | null;
  quality: number | null;
}

/** The figures of a member of staff without groups. */
export const noFigures: Figures = {
  groups: 0,
  firstReplySeconds: null,
  solveSeconds: null,
  solved: 0,
  ratings: 0,
  score: null,
  quality: null,
};

/** Midnight in China's time zone. */
const MIDNIGHT = sql`date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`;

/**
 * Figures of members of staff: groups assigned in the period, medians in seconds, solved cases (marked as solved, or closed while
 * assigned), ratings. The period is `days` back from now, or today in China's time zone. Staff without groups are absent.
 */
export async function loadFigures(
  db: Trx,
  input: { staffIds: readonly number[]; days: number | 'today' },
): Promise<Map<number, Figures>> {
  const since = input.days === 'today' ? MIDNIGHT : sql`now() - make_interval(days => ${input.days})`;
  const { rows } = await sql<Omit<Figures, 'quality'> & { staffId: number }>`
    with work as (
      select a.staff_id, count(distinct a.group_id)::int as groups,
        percentile_cont(0.5) within group (order by extract(epoch from a.first_reply_at - a.from_at))::int as reply,
        percentile_cont(0.5) within group (order by extract(epoch from coalesce(a.solved_at, case when g.status = ${sql.lit(ChatGroupStatus.Closed)} then a.to_at end) - a.from_at))::int as solve,
        count(distinct a.group_id) filter (where a.solved_at is not null or (g.status = ${sql.lit(ChatGroupStatus.Closed)} and a.to_at is not null))::int as solved
      from chat_assignment a join chat_group g on g.id = a.group_id
      where a.staff_id = any(${[...input.staffIds]}::bigint[]) and a.from_at >= ${since} group by a.staff_id),
    said as (
      select staff_id, count(*)::int as ratings, round(avg(score), 2)::float as score from service_satisfaction
      where staff_id = any(${[...input.staffIds]}::bigint[]) and created_at >= ${since} group by staff_id)
    select coalesce(w.staff_id, r.staff_id) as "staffId", coalesce(w.groups, 0) as groups, w.reply as "firstReplySeconds", w.solve as "solveSeconds",
      coalesce(w.solved, 0) as solved, coalesce(r.ratings, 0) as ratings, r.score
    from work w full join said r on r.staff_id = w.staff_id`.execute(db);
  return new Map(
    rows.map(({ staffId, ...figures }) => [Number(staffId), { ...figures, quality: serviceQuality(figures) }]),
  );
}

/** Figures of all customer service over `days`, and the newest ratings; for administrators. Throws FORBIDDEN. */
export async function statsFor(
  ctx: Context,
  staff: SessionStaff,
  days: number,
): Promise<HandlerResult<typeof serviceStats>> {
  requirePermission(staff, 'chat.supervise');
  const mine = staff.distId === null ? sql`true` : sql`s.dist_id = ${staff.distId}`;
  const { rows } = await sql<{
    staffId: number;
    name: string;
    imUid: string;
    onDuty: boolean;
    maxChats: number;
    load: number;
  }>`
    select s.id as "staffId", s.name, s.im_uid as "imUid", s.on_duty as "onDuty", s.max_chats as "maxChats",
      (select count(*) from chat_member m where m.member = s.im_uid and m.is_current and m.left_at is null)::int as load
    from staff s where s.status = ${sql.lit(StaffStatus.Active)} and ${staffHolds(sql`s`, 'chat.serve')} and ${mine} order by ${staffHolds(sql`s`, 'chat.supervise')}, s.id limit 200`.execute(
    ctx.db,
  );
  const staffIds = rows.map((row) => Number(row.staffId));
  const figures = await loadFigures(ctx.db, { staffIds, days });
  const online = await onlineAmong(
    ctx.db,
    rows.map((row) => row.imUid),
  );
  return {
    list: rows.map(({ imUid, ...row }) => ({
      ...row,
      online: online.has(imUid),
      ...(figures.get(Number(row.staffId)) ?? noFigures),
    })),
    ratings: await newestRatings(ctx, staffIds, days),
  };
}

async function newestRatings(ctx: Context, staffIds: readonly number[], days: number) {
  const { rows } = await sql<{
    orderSn: string | null;
    groupId: string;
    staffName: string;
    score: number;
    solved: boolean | null;
    tags: string[];
    content: string;
    time: Date;
  }>`
    select o.sn as "orderSn", r.group_id::text as "groupId", s.name as "staffName", r.score, r.solved, r.tags, r.content, r.created_at as time
    from service_satisfaction r join staff s on s.id = r.staff_id left join orders o on o.id = r.order_id
    where r.staff_id = any(${[...staffIds]}::bigint[]) and r.created_at > now() - make_interval(days => ${days})
    order by r.created_at desc limit ${MAX_RATINGS}`.execute(ctx.db);
  return rows;
}
