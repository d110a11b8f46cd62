import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/questions/contract/staff-reports.ts';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { type GoodsReportPart, goodsReportPartNames } from '../../rules/question.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { pageUrlOf, takeDownListing } from '#subjects/goods/server/service.ts';
import { type PictureItem, pictureUrls } from '#subjects/media/server/service.ts';

const PAGE_SIZE = 20;
const COUNTED = 1000;
const REPORTS_SHOWN = 20;

interface QueueRow {
  firstId: number;
  goodsSn: string;
  title: string;
  typeId: number;
  distId: number;
  status: number;
  part: GoodsReportPart;
  questionId: number | null;
  content: string;
  question: string | null;
  author: string;
  authorUnion: string;
  reports: {
    id: number;
    reasonName: string;
    note: string;
    pictures: PictureItem[];
    reporter: string;
    falseNum: number;
    at: string;
  }[];
  decision: string | null;
  decider: string | null;
  decidedAt: Date | null;
}

/** Reported listings, questions and answers, of one distributor or of all (null): waiting ones oldest first, decided ones newest first. */
export async function goodsReportQueue(
  ctx: Context,
  q: Parsed<typeof c.staffGoodsReports> & { distId: number | null },
): Promise<HandlerResult<typeof c.staffGoodsReports>> {
  const size = q.pageSize ?? PAGE_SIZE;
  const from = decodeId(q.cursor);
  const isPending = q.status === 'waiting';
  const order = sql.raw(isPending ? 'asc' : 'desc');
  const own = q.distId === null ? sql`` : sql`and p.dist_id = ${q.distId}`;
  const ofGoods =
    q.goodsSn === undefined
      ? sql``
      : sql`and p.goods_id = (select id from goods where sn = ${q.goodsSn.toUpperCase()})`;
  const grouped = sql`select min(p.id) as first_id, p.goods_id, p.part, p.question_id from goods_report p
    where p.status = ${q.status} ${own} ${ofGoods} group by p.goods_id, p.part, p.question_id`;
  const behind = from === undefined ? sql`` : isPending ? sql`where first_id > ${from}` : sql`where first_id < ${from}`;
  const same = sql`p.goods_id = k.goods_id and p.part = k.part and p.question_id is not distinct from k.question_id and p.status = ${q.status}`;
  const { rows } = await sql<QueueRow>`
    select k.first_id as "firstId", g.sn as "goodsSn", g.title, g.type_id as "typeId", g.dist_id as "distId", g.status, k.part, k.question_id as "questionId",
      coalesce(case k.part when 'goods' then g.description when 'question' then n.content else n.answer end, '') as content,
      case when k.part = 'answer' then n.content end as question, a.nick_name as author, a.union_num as "authorUnion",
      (select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'reasonName', x.name, 'note', x.note, 'pictures', x.pictures, 'reporter', x.nick_name,
          'falseNum', x.made, 'at', x.created_at) order by x.id), '[]')
        from (select p.id, v.name, p.note, p.pictures, u.nick_name, p.created_at,
            (select count(*)::int from goods_report o where o.user_id = p.user_id and o.is_false) as made
          from goods_report p join app_user u on u.id = p.user_id
            join dispute_reason_version v on v.code = p.reason_code and v.version = p.reason_version
          where ${same} order by p.id limit ${REPORTS_SHOWN}) x) as reports,
      d.decision, d.decider, d.decided_at as "decidedAt"
    from (select * from (${grouped}) f ${behind} order by first_id ${order} limit ${size + 1}) k
      join goods g on g.id = k.goods_id left join goods_question n on n.id = k.question_id
      join app_user a on a.id = case k.part when 'question' then n.user_id else g.seller_id end
      left join lateral (select p.decision, s.name as decider, p.decided_at from goods_report p left join staff s on s.id = p.decided_by
        where ${same} order by p.decided_at desc nulls last limit 1) d on true
    order by k.first_id ${order}`.execute(ctx.db);
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from (select from (${grouped}) g limit ${COUNTED + 1}) c`.execute(ctx.db);
  const total = counted.rows[0]?.n ?? 0;
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    list: page.map((row) => queueView(ctx, row)),
    total: Math.min(total, COUNTED),
    totalCapped: total > COUNTED,
    next: rows.length > size && last ? encodeCursor([last.firstId]) : null,
  };
}

const queueView = (ctx: Context, r: QueueRow): HandlerResult<typeof c.staffGoodsReports>['list'][number] => ({
  goodsSn: r.goodsSn,
  bigTitle: r.title,
  // Staff are on a host without shops.
  pageUrl: `${ctx.dir.originOf(r.distId)}${pageUrlOf({ sn: r.goodsSn, typeId: r.typeId })}`,
  goodsStatusName: offerStatusName(r.status),
  part: r.part,
  partName: goodsReportPartNames[r.part],
  questionId: r.questionId,
  content: r.content,
  question: r.question,
  author: r.author,
  authorUnion: r.authorUnion,
  reports: r.reports.map(({ id, pictures, at, ...report }) => ({
    ...report,
    reportId: id,
    pictures: pictures.map((item) => {
      const { url, thumb } = pictureUrls(item, '');
      return { url, thumb };
    }),
    time: new Date(at),
  })),
  decision: r.decision,
  decider: r.decider,
  decideTime: r.decidedAt,
});

/** A decision of staff, with what is recorded in the same transaction. */
export interface GoodsReportDecision {
  staffId: number;
  /** The site whose reports may be decided; null = all sites. */
  distId: number | null;
  also: (trx: Trx, detail: Record<string, unknown>) => Promise<void>;
}

interface Reported {
  goodsId: number;
  goodsSn: string;
  title: string;
  sellerId: number;
  askerId: number | null;
}

/**
 * Keeps or takes down what was reported; the reports up to `lastReportId` are decided with it. The author reads the reason, each reporter
 * the outcome. Throws GOODS_REPORT_STATE when no report waits (any more), GOODS_STATE while an order locks the listing.
 */
export async function decideGoodsReports(
  ctx: Context,
  by: GoodsReportDecision,
  input: Parsed<typeof c.decideGoodsReport>,
): Promise<void> {
  const { part, act: action, reason } = input;
  const questionId = part === 'goods' ? null : (input.questionId ?? null);
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<Reported>`
      select g.id as "goodsId", g.sn as "goodsSn", g.title, g.seller_id as "sellerId", n.user_id as "askerId"
      from goods g left join goods_question n on n.id = ${questionId} and n.goods_id = g.id
      where g.sn = ${input.goodsSn.toUpperCase()} for update of g`.execute(trx);
    const goods = rows[0];
    if (!goods || (part !== 'goods' && goods.askerId === null)) throw new AppError('GOODS_REPORT_STATE');
    const reporters = await sql<{ id: number; userId: number }>`
      update goods_report set status = ${action === 'hide' ? 'hidden' : 'kept'}, decided_at = now(), decided_by = ${by.staffId},
        decision = ${reason}, is_false = ${input.isFalse}
      where goods_id = ${goods.goodsId} and part = ${part} and question_id is not distinct from ${questionId}::bigint and status = 'waiting'
        and id <= ${input.lastReportId} and (${by.distId}::int is null or dist_id = ${by.distId})
      returning id, user_id as "userId"`.execute(trx);
    if (reporters.rows.length === 0) throw new AppError('GOODS_REPORT_STATE');
    if (action === 'hide') {
      await takeDown(ctx, trx, { goods, part, questionId, reason, staffId: by.staffId });
      await notifyAuthor(trx, { goods, part, reason, ref: `${reporters.rows[0]?.id}` });
    }
    await notifyReporters(trx, { goods, input, reporters: reporters.rows });
    await by.also(trx, { part, questionId, reason, isFalse: input.isFalse, reports: reporters.rows.length });
  });
}

async function takeDown(
  ctx: Context,
  trx: Trx,
  input: { goods: Reported; part: GoodsReportPart; questionId: number | null; reason: string; staffId: number },
): Promise<void> {
  const { goods, part, questionId, reason, staffId } = input;
  if (part === 'goods') await takeDownListing(ctx, trx, { goodsId: goods.goodsId, staffId, reason });
  else if (part === 'question')
    await sql`update goods_question set hidden_at = now(), hidden_reason = ${reason} where id = ${questionId} and hidden_at is null`.execute(
      trx,
    );
  else
    await sql`update goods_question set answer_hidden_at = now(), answer_hidden_reason = ${reason}
      where id = ${questionId} and answer_hidden_at is null`.execute(trx);
}

async function notifyAuthor(
  trx: Trx,
  { goods, part, reason, ref }: { goods: Reported; part: GoodsReportPart; reason: string; ref: string },
): Promise<void> {
  const isQuestion = part === 'question';
  await emit(trx, 'notice', {
    kind: part === 'goods' ? 'goods.taken' : 'goods.text_hidden',
    userId: isQuestion ? (goods.askerId ?? goods.sellerId) : goods.sellerId,
    ref: `taken:${ref}`,
    values: { goods: goods.title, goodsSn: goods.goodsSn, part: goodsReportPartNames[part], text: reason },
  });
}

async function notifyReporters(
  trx: Trx,
  report: {
    goods: Reported;
    input: Parsed<typeof c.decideGoodsReport>;
    reporters: readonly { id: number; userId: number }[];
  },
): Promise<void> {
  const { goods, input, reporters } = report;
  const name = goodsReportPartNames[input.part];
  const done = input.part === 'goods' ? '已下架' : '已隐藏';
  const result = input.act === 'hide' ? done : '予以保留';
  const warning = input.isFalse ? '这次举报被认定为不实，多次不实举报会暂停举报。' : '';
  await emit(trx, 'notice', {
    kind: 'service.goods_report',
    userIds: reporters.map(({ userId }) => userId),
    ref: `goods:${reporters[0]?.id ?? 0}`,
    values: {
      goods: goods.title,
      what: `${name}${result}`,
      text: `${input.part === 'goods' ? '' : `的${name}`}经核查${result}：${input.reason}。${warning}`,
    },
  });
}
