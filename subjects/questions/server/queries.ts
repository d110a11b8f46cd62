import { type RawBuilder, sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/questions/contract/question.ts';
import { maskContacts } from '#contract/rules/contacts/contacts.ts';
import { offerActions, offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { showsGame } from '#subjects/games/server/service.ts';
import { pageUrlOf } from '#subjects/goods/server/service.ts';
import { maskedBuyer } from '#subjects/reviews/server/service.ts';

const PAGE_SIZE = 10;
const COUNTED = 1000;
/** Minimum number of answers for a median. */
const MEDIAN_OF = 5;

/** The listing of a question or a report. */
export interface AskedGoods {
  id: number;
  sn: string;
  title: string;
  distId: number;
  sellerId: number;
  gameId: number;
  typeId: number;
  status: number;
}

/** Listings that were never public: draft, in review, rejected; and removed ones. */
const NOT_PUBLIC = [0, 1, 6, 8];

/** A listing that the caller's site shows; its seller also sees it when it is not public. Throws GOODS_NOT_FOUND for any other. */
export async function askedGoods(call: Call, goodsSn: string, userId: number): Promise<AskedGoods> {
  const { rows } = await sql<AskedGoods>`
    select id, sn, title, dist_id as "distId", seller_id as "sellerId", game_id as "gameId", type_id as "typeId", status
    from goods where sn = ${goodsSn.toUpperCase()}`.execute(call.ctx.db);
  const goods = rows[0];
  if (!goods || !showsGame(call.dist, goods.gameId)) throw new AppError('GOODS_NOT_FOUND');
  if (NOT_PUBLIC.includes(goods.status) && goods.sellerId !== userId) throw new AppError('GOODS_NOT_FOUND');
  return goods;
}

interface QuestionRow {
  id: number;
  content: string;
  asker: string;
  askerId: number;
  at: Date;
  answer: string | null;
  answeredAt: Date | null;
  merged: boolean;
  isPrivate: boolean;
}

type PublicQuestion = HandlerResult<typeof c.goodsQuestions>['list'][number];

const COLUMNS = sql`q.id, q.content, u.nick_name as asker, q.user_id as "askerId", q.created_at as at,
  case when q.answer_hidden_at is null then q.answer end as answer, q.answered_at as "answeredAt", q.merged_at is not null as merged, q.is_private as "isPrivate"`;

function questionView(r: QuestionRow, userId: number): PublicQuestion {
  return {
    questionId: r.id,
    content: maskContacts(r.content).text,
    asker: r.askerId === userId ? '您' : maskedBuyer(r.asker),
    isMine: r.askerId === userId,
    isPrivate: r.isPrivate,
    time: r.at,
    answer:
      r.answer === null || !r.answeredAt
        ? null
        : { content: maskContacts(r.answer).text, time: r.answeredAt, merged: r.merged },
  };
}

/** One question as its asker sees it. */
export async function loadQuestion(db: Trx, id: number, userId: number): Promise<PublicQuestion> {
  const { rows } = await sql<QuestionRow>`
    select ${COLUMNS} from goods_question q join app_user u on u.id = q.user_id where q.id = ${id} and q.user_id = ${userId}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new AppError('QUESTION_NOT_FOUND');
  return questionView(row, userId);
}

/** The seller's median time to an answer in minutes; null below five answers. */
async function medianAnswer(db: Trx, sellerId: number): Promise<number | null> {
  const { rows } = await sql<{ n: number; minutes: number | null }>`
    select count(*)::int as n, ceil(percentile_cont(0.5) within group (order by extract(epoch from answered_at - created_at)) / 60)::int as minutes
    from (select answered_at, created_at from goods_question where seller_id = ${sellerId} and answered_at is not null order by id desc limit 100) a`.execute(
    db,
  );
  const found = rows[0];
  return found && found.n >= MEDIAN_OF && found.minutes !== null ? Math.max(1, found.minutes) : null;
}

/** Questions under a listing (subjects/questions/contract/question.ts). Throws GOODS_NOT_FOUND. */
export async function questionsOfGoods(
  call: Call,
  input: Parsed<typeof c.goodsQuestions>,
): Promise<HandlerResult<typeof c.goodsQuestions>> {
  const { db } = call.ctx;
  const userId = call.caller.user?.id ?? 0;
  const goods = await askedGoods(call, input.goodsSn, userId);
  const size = input.pageSize ?? PAGE_SIZE;
  const from = decodeId(input.cursor);
  const answered = sql`q.answered_at is not null and q.answer_hidden_at is null and not q.is_private`;
  const visible = sql`q.goods_id = ${goods.id} and q.hidden_at is null
    and (${goods.sellerId === userId} or q.user_id = ${userId} or (${answered}))`;
  const behind = from === undefined ? sql`` : sql`and q.id < ${from}`;
  const [list, counted, answerMinutes] = await Promise.all([
    sql<QuestionRow>`
      select ${COLUMNS} from goods_question q join app_user u on u.id = q.user_id
      where ${visible} ${behind} order by q.id desc limit ${size + 1}`.execute(db),
    sql<{ total: number; answered: number }>`
      select count(*)::int as total, (count(*) filter (where ${answered}))::int as answered
      from (select q.* from goods_question q where ${visible} limit ${COUNTED + 1}) q`.execute(db),
    medianAnswer(db, goods.sellerId),
  ]);
  const page = list.rows.slice(0, size);
  const last = page.at(-1);
  const total = counted.rows[0]?.total ?? 0;
  return {
    list: page.map((row) => questionView(row, userId)),
    answered: counted.rows[0]?.answered ?? 0,
    answerMinutes,
    total: Math.min(total, COUNTED),
    totalCapped: total > COUNTED,
    next: list.rows.length > size && last ? encodeCursor([last.id]) : null,
  };
}

interface ReceivedRow extends QuestionRow {
  goodsSn: string;
  title: string;
  typeId: number;
  status: number;
  hiddenReason: string | null;
}

/** Questions that await the caller, and answered ones; both only of existing listings. */
async function countQuestions(db: Trx, sellerId: number): Promise<{ waiting: number; answered: number }> {
  const { rows } = await sql<{ waiting: number; answered: number }>`
    select (count(*) filter (where answered_at is null and hidden_at is null))::int as waiting, (count(*) filter (where answered_at is not null))::int as answered
    from goods_question where seller_id = ${sellerId}`.execute(db);
  return rows[0] ?? { waiting: 0, answered: 0 };
}

/** Questions about the caller's listings: waiting ones oldest first, answered ones newest first. */
export async function questionsReceived(
  call: UserCall,
  input: Parsed<typeof c.receivedQuestions>,
): Promise<HandlerResult<typeof c.receivedQuestions>> {
  const { ctx, user } = call;
  const size = input.pageSize ?? PAGE_SIZE;
  const from = decodeId(input.cursor);
  const isWaiting = input.status === 'waiting';
  const state: RawBuilder<unknown> = isWaiting
    ? sql`q.answered_at is null and q.hidden_at is null`
    : sql`q.answered_at is not null`;
  const behind = from === undefined ? sql`` : isWaiting ? sql`and q.id > ${from}` : sql`and q.id < ${from}`;
  const [list, counts] = await Promise.all([
    sql<ReceivedRow>`
      select q.id, q.content, u.nick_name as asker, q.user_id as "askerId", q.created_at as at, q.answer, q.answered_at as "answeredAt",
        q.merged_at is not null as merged, q.is_private as "isPrivate", g.sn as "goodsSn", g.title, g.type_id as "typeId", g.status,
        coalesce(q.hidden_reason, q.answer_hidden_reason) as "hiddenReason"
      from goods_question q join app_user u on u.id = q.user_id join goods g on g.id = q.goods_id
      where q.seller_id = ${user.id} and ${state} ${behind}
      order by q.id ${sql.raw(isWaiting ? 'asc' : 'desc')} limit ${size + 1}`.execute(ctx.db),
    countQuestions(ctx.db, user.id),
  ]);
  const page = list.rows.slice(0, size);
  const last = page.at(-1);
  return {
    list: page.map((r) => ({
      ...questionView(r, user.id),
      goodsSn: r.goodsSn,
      bigTitle: r.title,
      pageUrl: pageUrlOf({ sn: r.goodsSn, typeId: r.typeId }),
      statusName: offerStatusName(r.status),
      canMerge:
        r.answeredAt !== null &&
        !r.merged &&
        !r.isPrivate &&
        r.hiddenReason === null &&
        offerActions(r.status).includes('edit'),
      hiddenReason: r.hiddenReason,
    })),
    counts,
    total: counts[input.status],
    next: list.rows.length > size && last ? encodeCursor([last.id]) : null,
  };
}
