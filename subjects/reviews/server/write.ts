import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import type { orderEval } from '#subjects/reviews/contract/order-review.ts';
import type * as c from '#subjects/reviews/contract/review.ts';
import { ANSWER_DAYS, REPORTS_PER_DAY } from '../rules/review.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { termsForParty } from '#subjects/orders/server/service.ts';
import { mayBeRated } from './reads.ts';
import { type Exclusion, validTags } from './rules.ts';
import { addToScore } from './score.ts';

/** Publishes a notice about a review to one user, in the same transaction. */
async function publishNotice(
  trx: Trx,
  details: { userId: number; ref: string; distId: number; orderSn: string; what: string; text: string },
): Promise<void> {
  const { userId, ref, distId, orderSn, what, text } = details;
  const notice = { kind: 'order.review', userId, ref, distId, values: { what, text, orderSn } };
  await emit(trx, 'notice', notice);
}

/**
 * Rates the other side of a completed order, once each (the key of the table). The buyer's review counts into the seller's score immediately,
 * unless the trade was undone, was private or was between linked accounts. Contact data is cut. Throws ORDER_NOT_FOUND, ORDER_STATE,
 * ORDER_RATED, BAD_INPUT when the text was nothing but contact data.
 */
export async function rateOrder(call: UserCall, input: Parsed<typeof orderEval>): Promise<void> {
  const { ctx, user } = call;
  const order = await termsForParty(ctx.db, { sn: input.orderSn }, user.id);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  if (!(await mayBeRated(ctx.db, order.id))) throw errorOf('ORDER_STATE', 'reviewTooEarly');
  const party = order.buyerId === user.id ? 'buyer' : 'seller';
  const targetId = party === 'buyer' ? order.sellerId : order.buyerId;
  const content = publishable(ctx.blockedWords, '评价内容', input.content, 'content');
  await inTransaction(ctx.db, async (trx) => {
    // A ruling takes the same lock, so it either is seen here or sees the review.
    await sql`select from orders where id = ${order.id} for share`.execute(trx);
    const { rows } = await sql<{ id: number; excluded: Exclusion | null }>`
      insert into order_review (order_id, belong, user_id, target_id, score, tags, content, dist_id, type_id, game_id, goods_id, excluded)
      select o.id, ${party === 'buyer' ? 1 : 0}, ${user.id}, ${targetId}, ${input.score}, ${validTags(party, input.tags)}::text[], ${content},
        o.dist_id, o.type_id, o.game_id, o.goods_id, review_exclusion(o.id)
      from orders o where o.id = ${order.id} and order_may_be_rated(o.id) returning id, excluded`.execute(trx);
    const created = rows[0];
    if (!created) throw errorOf('ORDER_STATE', 'reviewTooEarly');
    if (created.excluded === 'undone') throw errorOf('ORDER_STATE', 'reviewOfUndone');
    if (party === 'buyer' && created.excluded === null) await addToScore(trx, targetId, input.score, 1);
    await publishNotice(trx, {
      userId: targetId,
      ref: `review:${created.id}`,
      distId: order.distId,
      orderSn: order.sn,
      what: `${party === 'buyer' ? '买家' : '卖家'}评价了您`,
      text: `订单 ${order.sn}：${input.score} 星。${ANSWER_DAYS} 天内可以回复一次。`,
    });
  });
}

interface Answerable {
  id: number;
  orderSn: string;
  distId: number;
  authorId: number;
  party: string;
}

/**
 * Replies to a review of the caller, once, within 30 days. Throws REVIEW_NOT_FOUND (also for a review of others), REVIEW_ANSWERED,
 * REVIEW_ANSWER_OVER, BAD_INPUT.
 */
export async function replyToReview(call: UserCall, input: Parsed<typeof c.replyReview>): Promise<void> {
  const { ctx, user } = call;
  const content = publishable(ctx.blockedWords, '回复内容', input.content, 'content');
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<Answerable>`
      update order_review r set answer = ${content}, answered_at = now() from orders o
      where o.id = r.order_id and r.id = ${input.reviewId} and r.target_id = ${user.id} and r.answered_at is null and r.hidden_at is null
        and r.created_at > now() - make_interval(days => ${ANSWER_DAYS})
      returning r.id, o.sn as "orderSn", o.dist_id as "distId", r.user_id as "authorId", case r.belong when 1 then '卖家' else '买家' end as party`.execute(
      trx,
    );
    const done = rows[0];
    if (!done) throw await replyError(trx, user.id, input.reviewId);
    await publishNotice(trx, {
      userId: done.authorId,
      ref: `answer:${done.id}`,
      distId: done.distId,
      orderSn: done.orderSn,
      what: `${done.party}回复了您的评价`,
      text: `订单 ${done.orderSn} 的评价有了回复，可在订单页查看。`,
    });
  });
}

async function replyError(trx: Trx, userId: number, reviewId: number): Promise<AppError> {
  const { rows } = await sql<{ answered: boolean; hidden: boolean }>`
    select answered_at is not null as answered, hidden_at is not null as hidden from order_review where id = ${reviewId} and target_id = ${userId}`.execute(
    trx,
  );
  const r = rows[0];
  if (!r || r.hidden) return new AppError('REVIEW_NOT_FOUND');
  return new AppError(r.answered ? 'REVIEW_ANSWERED' : 'REVIEW_ANSWER_OVER');
}

interface Reportable {
  id: number;
  distId: number;
  writerId: number;
}

/**
 * Reports a review that one can read, or the answer to it. A report and a decision take turns at the review's row, so none waits on a part
 * that is hidden. Throws REVIEW_NOT_FOUND, REVIEW_OWN, REVIEW_REPORTED, REVIEW_REPORTS after ten in a day.
 */
export async function reportReview(call: UserCall, input: Parsed<typeof c.reportReview>): Promise<void> {
  const { ctx, user } = call;
  const { reviewId, part } = input;
  await inTransaction(ctx.db, async (trx) => {
    // Serialises the reports of one user, so that the limit holds.
    await sql`select from app_user where id = ${user.id} for no key update`.execute(trx);
    const { rows } = await sql<Reportable>`
      select id, dist_id as "distId", case ${part} when 'review' then user_id else target_id end as "writerId" from order_review
      where id = ${reviewId} and hidden_at is null and (${part} = 'review' or (answered_at is not null and answer_hidden_at is null))
        and ((belong = 1 and excluded is null) or ${user.id} in (user_id, target_id)) for update`.execute(trx);
    const review = rows[0];
    if (!review) throw new AppError('REVIEW_NOT_FOUND');
    if (review.writerId === user.id) throw new AppError('REVIEW_OWN');
    const counted = await sql<{ n: number }>`
      select count(*)::int as n from review_report where user_id = ${user.id} and created_at > now() - interval '24 hours'`.execute(
      trx,
    );
    if ((counted.rows[0]?.n ?? 0) >= REPORTS_PER_DAY) throw new AppError('REVIEW_REPORTS', { retryAfterSeconds: 3600 });
    const created = await sql`
      insert into review_report (review_id, dist_id, part, user_id, reason, note)
      values (${reviewId}, ${review.distId}, ${part}, ${user.id}, ${input.reason}, ${input.note ?? ''}) on conflict do nothing returning id`.execute(
      trx,
    );
    if (created.rows.length === 0) throw new AppError('REVIEW_REPORTED');
  });
}
