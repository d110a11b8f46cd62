import { type RawBuilder, sql } from 'kysely';
import { maskContacts } from '#contract/rules/contacts/contacts.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/reviews/contract/review.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { ANSWER_DAYS, type ReviewLevel, reviewLevelOf, reviewLevels, reviewLevelScores } from '../rules/review.ts';
import { sellerLevelName } from '#subjects/seller-levels/rules/standing.ts';
import type { Trx } from '#server/db/client.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { goodRate, type UserBrief, userBriefs } from '#subjects/accounts/server/service.ts';
import { termsForParty } from '#subjects/orders/server/service.ts';
import { type Exclusion, exclusionNotes, maskedBuyer } from './rules.ts';

const PAGE_SIZE = 20;
const COUNTED = 1000;
const DAY_MS = 86_400_000;

type Public = HandlerResult<typeof c.sellerReviews>;

interface PublicRow {
  id: number;
  score: number;
  tags: string[];
  content: string;
  buyer: string;
  gameName: string | null;
  typeId: number;
  at: Date;
  answer: string | null;
  answeredAt: Date | null;
}

/** Condition of the public reviews of a seller on this site; its first part must match the predicate of the partial index order_review_public. */
function publicOf(call: Call, sellerId: number, goodsSn: string | undefined): RawBuilder<unknown> {
  const { games } = call.dist;
  const parts = [
    sql`r.target_id = ${sellerId} and r.belong = 1 and r.excluded is null and r.hidden_at is null`,
    ...(games ? [sql`r.game_id = any(${[...games]}::int[])`] : []),
    ...(goodsSn === undefined ? [] : [sql`r.goods_id = (select id from goods where sn = ${goodsSn.toUpperCase()})`]),
  ];
  return sql.join(parts, sql` and `);
}

const publicView = (r: PublicRow): Public['list'][number] => ({
  reviewId: r.id,
  score: r.score,
  level: reviewLevelOf(r.score),
  tags: r.tags,
  content: maskContacts(r.content).text,
  buyer: maskedBuyer(r.buyer),
  gameName: r.gameName ?? '',
  goodsTypeId: r.typeId,
  goodsTypeName: orderTypeName(r.typeId),
  time: r.at,
  answer: r.answer === null || !r.answeredAt ? null : { content: maskContacts(r.answer).text, time: r.answeredAt },
});

const sellerView = (s: UserBrief): Public['seller'] => ({
  sellerId: String(s.id),
  nickName: s.nickName,
  avatar: s.avatar,
  level: s.sellerLevel,
  levelName: sellerLevelName(s.sellerLevel),
  online: s.online,
  lastSeenTime: s.lastSeenAt,
  soldNum: s.soldCount,
  joinTime: s.createdAt,
});

type Counted = Record<ReviewLevel, number> & { typeId: number; all: number };

/** How many of each level, by kind of goods. */
async function loadCounts(call: Call, where: RawBuilder<unknown>): Promise<Counted[]> {
  const of = (level: ReviewLevel): RawBuilder<number> =>
    sql`(count(*) filter (where r.score between ${reviewLevelScores[level][0]} and ${reviewLevelScores[level][1]}))::int`;
  const { rows } = await sql<Counted>`
    select r.type_id as "typeId", count(*)::int as "all", ${of('good')} as good, ${of('fair')} as fair, ${of('bad')} as bad
    from order_review r where ${where} group by r.type_id order by count(*) desc, r.type_id`.execute(call.ctx.db);
  return rows;
}

const sum = (rows: readonly Counted[], key: ReviewLevel | 'all'): number => rows.reduce((n, row) => n + row[key], 0);

/**
 * Buyers' reviews of a seller (subjects/reviews/contract/review.ts). Sellers are public on every site; reviews of games that the site does not show are left out.
 * Throws NOT_FOUND for an unknown user.
 */
export async function publicReviews(call: Call, input: Parsed<typeof c.sellerReviews>): Promise<Public> {
  const { db } = call.ctx;
  const size = input.pageSize ?? PAGE_SIZE;
  const from = decodeId(input.cursor);
  const base = publicOf(call, input.sellerId, input.goodsSn);
  const [least, most] = input.level ? reviewLevelScores[input.level] : [1, 5];
  const filters = [
    base,
    ...(input.goodsTypeId === undefined ? [] : [sql`r.type_id = ${input.goodsTypeId}`]),
    ...(input.level ? [sql`r.score between ${least} and ${most}`] : []),
  ];
  const [briefs, byType, list] = await Promise.all([
    userBriefs(db, [input.sellerId]),
    loadCounts(call, base),
    sql<PublicRow>`
      select r.id, r.score, r.tags, r.content, u.nick_name as buyer, g.name as "gameName", r.type_id as "typeId", r.created_at as at,
        case when r.answer_hidden_at is null then r.answer end as answer, r.answered_at as "answeredAt"
      from order_review r join app_user u on u.id = r.user_id left join game g on g.id = r.game_id
      where ${sql.join(filters, sql` and `)} ${from === undefined ? sql`` : sql`and (r.created_at, r.id) < (select f.created_at, f.id from order_review f where f.id = ${from})`}
      order by r.created_at desc, r.id desc limit ${size + 1} offset ${from === undefined ? ((input.pages ?? 1) - 1) * size : 0}`.execute(
      db,
    ),
  ]);
  const seller = briefs.get(input.sellerId);
  if (!seller) throw errorOf('NOT_FOUND', 'seller');
  const chosen = input.goodsTypeId === undefined ? byType : byType.filter((row) => row.typeId === input.goodsTypeId);
  const total = sum(chosen, input.level ?? 'all');
  const page = list.rows.slice(0, size);
  const last = page.at(-1);
  return {
    seller: sellerView(seller),
    goodRate: goodRate(sum(byType, 'good'), sum(byType, 'all')),
    counts: { all: sum(byType, 'all'), ...levelCounts(byType) },
    kinds: byType.map((row) => ({
      goodsTypeId: row.typeId,
      name: orderTypeName(row.typeId),
      count: row.all,
      goodRate: goodRate(row.good, row.all),
    })),
    list: page.map(publicView),
    total: Math.min(total, COUNTED),
    totalCapped: total > COUNTED,
    next: list.rows.length > size && last ? encodeCursor([last.id]) : null,
  };
}

const levelCounts = (rows: readonly Counted[]): Record<ReviewLevel, number> => {
  const [good, fair, bad] = reviewLevels.map((level) => sum(rows, level));
  return { good: good ?? 0, fair: fair ?? 0, bad: bad ?? 0 };
};

interface OwnRow {
  id: number;
  belong: number;
  userId: number;
  targetId: number;
  score: number;
  tags: string[];
  content: string;
  at: Date;
  answer: string | null;
  answeredAt: Date | null;
  excluded: Exclusion | null;
  hiddenReason: string | null;
  answerHiddenReason: string | null;
  reported: ('review' | 'answer')[];
}

/** Why others do not read all of it; a buyer's review is public, a seller's is only for the two. */
function noteOf(r: OwnRow): string | null {
  if (r.hiddenReason !== null) return `评价已被平台隐藏：${r.hiddenReason}`;
  if (r.answerHiddenReason !== null) return `回复已被平台隐藏：${r.answerHiddenReason}`;
  if (r.belong === 0) return '仅双方可见';
  return r.excluded === null ? null : exclusionNotes[r.excluded];
}

function ownView(r: OwnRow, userId: number): HandlerResult<typeof c.orderReviews>['list'][number] {
  const answerBy = new Date(r.at.getTime() + ANSWER_DAYS * DAY_MS);
  const isMine = r.userId === userId;
  // A hidden part is readable only by its author.
  const isHidden = r.hiddenReason !== null;
  const isReplyVisible = r.answerHiddenReason === null || r.targetId === userId;
  return {
    reviewId: r.id,
    by: r.belong === 1 ? 'buyer' : 'seller',
    isMine,
    score: r.score,
    tags: r.tags,
    content: isHidden && !isMine ? '' : maskContacts(r.content).text,
    time: r.at,
    answer:
      r.answer === null || !r.answeredAt || !isReplyVisible
        ? null
        : { content: maskContacts(r.answer).text, time: r.answeredAt },
    canAnswer: !isMine && !isHidden && r.answeredAt === null && answerBy.getTime() > Date.now(),
    answerByTime: answerBy,
    canReport: !isMine && !isHidden && !r.reported.includes('review'),
    canReportAnswer:
      isMine && !isHidden && r.answeredAt !== null && r.answerHiddenReason === null && !r.reported.includes('answer'),
    note: noteOf(r),
  };
}

/** Whether an order came to something that can be judged: it was completed, or minutes of companion play were paid. */
export async function mayBeRated(db: Trx, orderId: number): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select order_may_be_rated(${orderId}) as may`.execute(db);
  return rows[0]?.may === true;
}

/** Both sides' reviews of an order for one of them, the buyer's first. Throws ORDER_NOT_FOUND for others. */
export async function reviewsOfOrder(
  { ctx, user }: UserCall,
  { orderSn }: Parsed<typeof c.orderReviews>,
): Promise<HandlerResult<typeof c.orderReviews>> {
  const order = await termsForParty(ctx.db, { sn: orderSn }, user.id);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  const { rows } = await sql<OwnRow>`
    select r.id, r.belong, r.user_id as "userId", r.target_id as "targetId", r.score, r.tags, r.content, r.created_at as at, r.answer,
      r.answered_at as "answeredAt", r.excluded, r.hidden_reason as "hiddenReason", r.answer_hidden_reason as "answerHiddenReason",
      coalesce((select jsonb_agg(p.part) from review_report p where p.review_id = r.id and p.user_id = ${user.id}), '[]') as reported
    from order_review r where r.order_id = ${order.id} order by r.belong desc`.execute(ctx.db);
  const isRated = rows.some((r) => r.userId === user.id);
  return {
    canRate: !isRated && (await mayBeRated(ctx.db, order.id)),
    list: rows.map((r) => ownView(r, user.id)),
  };
}
