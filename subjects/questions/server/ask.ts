import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/questions/contract/question.ts';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { QUESTIONS_PER_DAY, QUESTIONS_PER_GOODS } from '../rules/question.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { UserCall } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { publishable } from '#server/contacts.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { appendDescription } from '#subjects/goods/server/service.ts';
import { askedGoods, loadQuestion } from './queries.ts';

const DAY_SECONDS = 86_400;

/**
 * Asks the seller of a listing on sale, in public or in private. Contact details are cut, blocked words masked or rejected. The limits per
 * person apply across processes. Throws GOODS_NOT_FOUND, GOODS_STATE, GOODS_OWN, RATE_LIMITED, BAD_INPUT.
 */
export async function ask(
  call: UserCall,
  input: Parsed<typeof c.askSeller>,
): Promise<HandlerResult<typeof c.askSeller>> {
  const { ctx, user } = call;
  const goods = await askedGoods(call, input.goodsSn, user.id);
  if (goods.sellerId === user.id) throw new AppError('GOODS_OWN', { text: '这是您自己的商品，不用提问' });
  if (goods.status !== GoodsStatus.OnSale) throw errorOf('GOODS_STATE', 'questionNotOnSale');
  const content = publishable(ctx.blockedWords, '问题', input.content, 'content');
  return await inTransaction(ctx.db, async (trx) => {
    const isWithin =
      (await sharedHit(trx, `question:${user.id}:${goods.id}`, QUESTIONS_PER_GOODS, DAY_SECONDS)) &&
      (await sharedHit(trx, `question:${user.id}`, QUESTIONS_PER_DAY, DAY_SECONDS));
    if (!isWithin)
      throw new AppError('RATE_LIMITED', {
        text: `同一商品每天最多问 ${QUESTIONS_PER_GOODS} 个问题，全部商品每天最多 ${QUESTIONS_PER_DAY} 个，请明天再问`,
        retryAfterSeconds: DAY_SECONDS,
      });
    const { rows } = await sql<{ id: number }>`
      insert into goods_question (goods_id, dist_id, seller_id, user_id, content, is_private)
      values (${goods.id}, ${call.dist.id}, ${goods.sellerId}, ${user.id}, ${content}, ${input.isPrivate}) returning id`.execute(
      trx,
    );
    const id = rows[0]?.id ?? 0;
    await emit(trx, 'notice', {
      kind: 'goods.question',
      userId: goods.sellerId,
      ref: `asked:${id}`,
      distId: goods.distId,
      values: { goods: goods.title, text: content },
    });
    return { question: await loadQuestion(trx, id, user.id) };
  });
}

interface Answered {
  id: number;
  askerId: number;
  distId: number;
  goodsSn: string;
  title: string;
}

/** Answers a question about a listing of the caller, once. Throws QUESTION_NOT_FOUND (also another's), QUESTION_ANSWERED, BAD_INPUT. */
export async function answer(call: UserCall, input: Parsed<typeof c.answerQuestion>): Promise<void> {
  const { ctx, user } = call;
  const content = publishable(ctx.blockedWords, '回答', input.content, 'content');
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<Answered>`
      update goods_question q set answer = ${content}, answered_at = now() from goods g
      where g.id = q.goods_id and q.id = ${input.questionId} and q.seller_id = ${user.id} and q.answered_at is null and q.hidden_at is null
      returning q.id, q.user_id as "askerId", q.dist_id as "distId", g.sn as "goodsSn", g.title`.execute(trx);
    const done = rows[0];
    if (!done) throw await answerError(trx, user.id, input.questionId);
    await emit(trx, 'notice', {
      kind: 'goods.answer',
      userId: done.askerId,
      ref: `answered:${done.id}`,
      distId: done.distId,
      values: { goods: done.title, text: content, goodsSn: done.goodsSn },
    });
  });
}

async function answerError(trx: Trx, userId: number, questionId: number): Promise<AppError> {
  const { rows } = await sql`
    select from goods_question where id = ${questionId} and seller_id = ${userId} and answered_at is not null`.execute(
    trx,
  );
  return new AppError(rows.length > 0 ? 'QUESTION_ANSWERED' : 'QUESTION_NOT_FOUND');
}

/**
 * Adds a question with its answer to the description of the listing, by the ordinary edit with its review. Repeated clicks add it once.
 * Throws QUESTION_NOT_FOUND (also another's, hidden, private, unanswered), QUESTION_MERGED, and what an edit throws.
 */
export async function merge(
  call: UserCall,
  { questionId }: Parsed<typeof c.mergeAnswer>,
): Promise<HandlerResult<typeof c.mergeAnswer>> {
  const { ctx, user } = call;
  const { rows } = await sql<{ sn: string; content: string; answer: string; isMerged: boolean }>`
    select g.sn, q.content, coalesce(q.answer, '') as answer, q.merged_at is not null as "isMerged"
    from goods_question q join goods g on g.id = q.goods_id
    where q.id = ${questionId} and q.seller_id = ${user.id} and q.answered_at is not null and q.hidden_at is null and q.answer_hidden_at is null
      and not q.is_private`.execute(ctx.db);
  const question = rows[0];
  if (!question) throw new AppError('QUESTION_NOT_FOUND');
  if (question.isMerged) throw new AppError('QUESTION_MERGED');
  const text = `问：${question.content}\n答：${question.answer}`;
  const { status } = await appendDescription(call, question.sn, text, async (trx) => {
    const claimed = await sql`
      update goods_question set merged_at = now()
      where id = ${questionId} and merged_at is null and hidden_at is null and answer_hidden_at is null`.execute(trx);
    if (claimed.numAffectedRows === 0n) throw new AppError('QUESTION_MERGED');
  });
  return { status, statusName: offerStatusName(status) };
}
