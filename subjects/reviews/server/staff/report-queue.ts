import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/reviews/contract/staff-reviews.ts';
import { reviewPartNames, type ReviewPart, type ReviewReportReason, reviewReportReasons } from '../../rules/review.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addToScore } from '../score.ts';

const PAGE_SIZE = 20;
const COUNTED = 1000;
const REPORTS_PER_REVIEW = 20;

interface QueueRow {
  firstId: number;
  reviewId: number;
  part: ReviewPart;
  orderSn: string;
  score: number;
  tags: string[];
  content: string;
  answer: string | null;
  author: string;
  authorUnion: string;
  target: string;
  at: Date;
  reports: { reason: ReviewReportReason; note: string; reporter: string; isTarget: boolean; at: string }[];
  decision: string | null;
  decider: string | null;
  decidedAt: Date | null;
}

/** Reported parts, of one distributor or of all (null): waiting ones oldest first, decided ones newest first. */
export async function reportQueue(
  ctx: Context,
  q: Parsed<typeof c.staffReviewReports> & { distId: number | null },
): Promise<HandlerResult<typeof c.staffReviewReports>> {
  const size = q.pageSize ?? PAGE_SIZE;
  const from = decodeId(q.cursor);
  const isPending = q.status === 'waiting';
  const own = q.distId === null ? sql`` : sql`and p.dist_id = ${q.distId}`;
  const ofOrder =
    q.orderSn === undefined
      ? sql``
      : sql`and p.review_id in (select r.id from order_review r join orders o on o.id = r.order_id where o.sn = ${q.orderSn})`;
  const grouped = sql`select min(p.id) as first_id, p.review_id, p.part, max(p.decided_at) as decided_at from review_report p
    where p.status = ${q.status} ${own} ${ofOrder} group by p.review_id, p.part`;
  const behind = from === undefined ? sql`` : isPending ? sql`where first_id > ${from}` : sql`where first_id < ${from}`;
  const { rows } = await sql<QueueRow>`
    select k.first_id as "firstId", r.id as "reviewId", k.part, o.sn as "orderSn", r.score, r.tags, r.content, r.answer,
      a.nick_name as author, a.union_num as "authorUnion", t.nick_name as target, r.created_at as at, d.decision, d.decider, d.decided_at as "decidedAt",
      (select coalesce(jsonb_agg(jsonb_build_object('reason', x.reason, 'note', x.note, 'reporter', x.reporter, 'isTarget', x.is_target, 'at', x.created_at) order by x.id), '[]')
        from (select p.id, p.reason, p.note, u.nick_name as reporter, p.user_id in (r.user_id, r.target_id) as is_target, p.created_at
          from review_report p join app_user u on u.id = p.user_id
          where p.review_id = r.id and p.part = k.part and p.status = ${q.status} order by p.id limit ${REPORTS_PER_REVIEW}) x) as reports
    from (select * from (${grouped}) g ${behind} order by first_id ${sql.raw(isPending ? 'asc' : 'desc')} limit ${size + 1}) k
      join order_review r on r.id = k.review_id join orders o on o.id = r.order_id
      join app_user a on a.id = case k.part when 'review' then r.user_id else r.target_id end
      join app_user t on t.id = case k.part when 'review' then r.target_id else r.user_id end
      left join lateral (select p.decision, s.name as decider, p.decided_at from review_report p left join staff s on s.id = p.decided_by
        where p.review_id = r.id and p.part = k.part and p.status = ${q.status} order by p.decided_at desc nulls last limit 1) d on true
    order by k.first_id ${sql.raw(isPending ? 'asc' : 'desc')}`.execute(ctx.db);
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from (select from (${grouped}) g limit ${COUNTED + 1}) c`.execute(ctx.db);
  const total = counted.rows[0]?.n ?? 0;
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    list: page.map(queueView),
    total: Math.min(total, COUNTED),
    totalCapped: total > COUNTED,
    next: rows.length > size && last ? encodeCursor([last.firstId]) : null,
  };
}

function queueView({
  at,
  reports,
  decidedAt,
  ...r
}: QueueRow): HandlerResult<typeof c.staffReviewReports>['list'][number] {
  return {
    ...r,
    partName: reviewPartNames[r.part],
    time: at,
    decideTime: decidedAt,
    reports: reports.map(({ reason, at: reportedAt, ...report }) => ({
      ...report,
      reasonName: reviewReportReasons[reason],
      time: new Date(reportedAt),
    })),
  };
}

/** A decision of staff, with what is recorded in the same transaction. */
export interface ReviewDecision {
  staffId: number;
  /** The site whose reviews may be decided; null = all sites. */
  distId: number | null;
  also: (trx: Trx, detail: Record<string, unknown>) => Promise<void>;
}

interface Decided {
  authorId: number;
  sellerId: number;
  score: number;
  belong: number;
  excluded: string | null;
  isHidden: boolean;
  orderSn: string;
  distId: number;
}

/**
 * Keeps or hides a reported part under the review's lock; every report that waits on it is decided with it, author and reporters are notified.
 * A hidden review leaves the score. Throws REVIEW_NOT_FOUND, REVIEW_STATE when no report waits.
 */
export async function decideReports(
  ctx: Context,
  by: ReviewDecision,
  { reviewId, part, act: action, reason }: Parsed<typeof c.decideReviewReport>,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<Decided>`
      select case ${part} when 'review' then r.user_id else r.target_id end as "authorId", case r.belong when 1 then r.target_id else r.user_id end as "sellerId",
        r.score, r.belong, r.excluded, r.hidden_at is not null as "isHidden", o.sn as "orderSn", r.dist_id as "distId"
      from order_review r join orders o on o.id = r.order_id
      where r.id = ${reviewId} and (${by.distId}::int is null or r.dist_id = ${by.distId}) for update of r`.execute(
      trx,
    );
    const review = rows[0];
    if (!review) throw new AppError('REVIEW_NOT_FOUND');
    const reporters = await sql<{ id: number; userId: number }>`
      update review_report set status = ${action === 'hide' ? 'hidden' : 'kept'}, decided_at = now(), decided_by = ${by.staffId}, decision = ${reason}
      where review_id = ${reviewId} and part = ${part} and status = 'waiting' returning id, user_id as "userId"`.execute(
      trx,
    );
    if (reporters.rows.length === 0) throw new AppError('REVIEW_STATE');
    if (action === 'hide') await hide(trx, reviewId, part, reason, review);
    await notifyParties(trx, { review, part, act: action, reason, reviewId, reporters: reporters.rows });
    await by.also(trx, { part, reason, orderSn: review.orderSn, reports: reporters.rows.length });
  });
}

async function hide(trx: Trx, reviewId: number, part: ReviewPart, reason: string, review: Decided): Promise<void> {
  if (part === 'answer') {
    await sql`update order_review set answer_hidden_at = now(), answer_hidden_reason = ${reason} where id = ${reviewId}`.execute(
      trx,
    );
    return;
  }
  await sql`update order_review set hidden_at = now(), hidden_reason = ${reason} where id = ${reviewId}`.execute(trx);
  if (review.belong === 1 && review.excluded === null && !review.isHidden)
    await addToScore(trx, review.sellerId, review.score, -1);
}

interface DecisionNotice {
  review: Decided;
  reviewId: number;
  part: ReviewPart;
  act: 'keep' | 'hide';
  reason: string;
  reporters: readonly { id: number; userId: number }[];
}

async function notifyParties(
  trx: Trx,
  { review, reviewId, part, act: action, reason, reporters }: DecisionNotice,
): Promise<void> {
  const name = reviewPartNames[part];
  const result = action === 'hide' ? '已隐藏' : '予以保留';
  const { distId, orderSn } = review;
  const ref = `${reviewId}:${part}:${reporters[0]?.id ?? 0}`;
  const author = {
    kind: 'order.review',
    userId: review.authorId,
    ref: `decided:${ref}`,
    distId,
    values: {
      what: `您的${name}被举报，${result}`,
      text: `订单 ${orderSn} 的${name}经核查${result}：${reason}。`,
      orderSn,
    },
  };
  const reporter = {
    kind: 'service.report',
    userIds: reporters.map(({ userId }) => userId),
    ref,
    distId,
    values: {
      what: `举报已处理，${name}${result}`,
      text: `您举报的${name}经核查${result}：${reason}。`,
      sellerId: review.sellerId,
    },
  };
  for (const notice of [author, reporter]) await emit(trx, 'notice', notice);
}
