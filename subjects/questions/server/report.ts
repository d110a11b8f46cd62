import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/questions/contract/question.ts';
import {
  FALSE_REPORT_DAYS,
  FALSE_REPORTS_MAX,
  GOODS_REPORTS_PER_DAY,
  type GoodsReportPart,
} from '../rules/question.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { reasonsFor } from '#subjects/disputes/server/service.ts';
import { ownPictures } from '#subjects/media/server/service.ts';
import { type AskedGoods, askedGoods } from './queries.ts';

/** The state used for content outside orders in the list of reasons edited by staff. */
const NO_ORDER = 0;

/** Reasons for a report of a listing. Throws GOODS_NOT_FOUND. */
export async function reportReasons(
  call: UserCall,
  { goodsSn }: Parsed<typeof c.goodsReportReasons>,
): Promise<HandlerResult<typeof c.goodsReportReasons>> {
  const { typeId } = await askedGoods(call, goodsSn, call.user.id);
  const list = await reasonsFor(call.ctx.db, { typeId, status: NO_ORDER });
  return { list: list.map(({ code, name, evidence }) => ({ code, name, evidence })) };
}

/** Returns the author of the reported part. Throws QUESTION_NOT_FOUND when it cannot be read. */
async function loadAuthor(
  trx: Trx,
  goods: AskedGoods,
  { part, questionId, userId }: { part: GoodsReportPart; questionId: number | null; userId: number },
): Promise<number> {
  if (part === 'goods') return goods.sellerId;
  const { rows } = await sql<{ askerId: number }>`
    select user_id as "askerId" from goods_question
    where id = ${questionId} and goods_id = ${goods.id} and hidden_at is null
      and (${part} = 'question' or (answered_at is not null and answer_hidden_at is null))
      and ((answered_at is not null and not is_private) or ${userId} in (user_id, seller_id)) for update`.execute(trx);
  const question = rows[0];
  if (!question) throw new AppError('QUESTION_NOT_FOUND');
  return part === 'question' ? question.askerId : goods.sellerId;
}

/** Throws GOODS_REPORTS_FALSE after reports that staff found to be false, REVIEW_REPORTS after ten in a day. */
async function requireQuota(trx: Trx, userId: number): Promise<void> {
  const { rows } = await sql<{ today: number; made: number }>`
    select (count(*) filter (where created_at > now() - interval '24 hours'))::int as today,
      (count(*) filter (where is_false and decided_at > now() - make_interval(days => ${FALSE_REPORT_DAYS})))::int as made
    from goods_report where user_id = ${userId}`.execute(trx);
  if ((rows[0]?.made ?? 0) >= FALSE_REPORTS_MAX) throw new AppError('GOODS_REPORTS_FALSE');
  if ((rows[0]?.today ?? 0) >= GOODS_REPORTS_PER_DAY) throw new AppError('REVIEW_REPORTS', { retryAfterSeconds: 3600 });
}

/**
 * Reports a listing, a question or an answer with a reason that staff wrote and pictures of one's own. One open report of a person on each
 * thing (unique index). Throws GOODS_NOT_FOUND, QUESTION_NOT_FOUND, GOODS_REPORT_OWN, GOODS_REPORTED, GOODS_REPORTS_FALSE, REVIEW_REPORTS,
 * PICTURE_BROKEN, BAD_INPUT.
 */
export async function report(call: UserCall, input: Parsed<typeof c.reportGoods>): Promise<void> {
  const { ctx, user } = call;
  const { part } = input;
  const questionId = part === 'goods' ? null : (input.questionId ?? null);
  if (part !== 'goods' && questionId === null)
    throw new AppError('BAD_INPUT', { text: '请指明要举报的提问', field: 'questionId' });
  const goods = await askedGoods(call, input.goodsSn, user.id);
  await inTransaction(ctx.db, async (trx) => {
    // Serialises the reports of one user, so that the limits hold.
    await sql`select from app_user where id = ${user.id} for no key update`.execute(trx);
    const authorId = await loadAuthor(trx, goods, { part, questionId, userId: user.id });
    if (authorId === user.id) throw new AppError('GOODS_REPORT_OWN');
    await requireQuota(trx, user.id);
    const offered = await reasonsFor(trx, { typeId: goods.typeId, status: NO_ORDER });
    const reason = offered.find(({ code }) => code === input.reason);
    if (!reason) throw new AppError('BAD_INPUT', { text: '请选择举报原因', field: 'reason' });
    const pictures = await ownPictures(trx, user.id, 'evidence', [...new Set(input.pictures)]);
    const created = await sql`
      insert into goods_report (goods_id, question_id, dist_id, part, user_id, reason_code, reason_version, note, pictures)
      values (${goods.id}, ${questionId}, ${goods.distId}, ${part}, ${user.id}, ${reason.code}, ${reason.version}, ${input.note ?? ''},
        ${JSON.stringify(pictures)}::jsonb) on conflict do nothing`.execute(trx);
    if (created.numAffectedRows === 0n) throw new AppError('GOODS_REPORTED');
  });
}
