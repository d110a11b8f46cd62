import { type RawBuilder, sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import {
  type BlackKind,
  blackKindNames,
  type BlackReason,
  blackReasonNames,
  type BlackStatus,
  blackStatusNames,
} from '../rules/black.ts';
import type { blackCheck, blackInfo, blackList, myBlackList } from '#subjects/verification/contract/verification.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { decodeId, decodeMoment, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type PictureItem, pictureUrls } from '#subjects/media/server/service.ts';
import { numberIndex } from './numbers.ts';
import { noteQuestion } from './service-check.ts';

const PAGE_SIZE = 20;
const COUNTED = 1000;
const LISTED = 1;
const CLEAN = 2;
const UNKNOWN = 0;

export interface BlackRow {
  id: number;
  sn: string;
  title: string;
  reason: BlackReason;
  gameName: string | null;
  amountFen: number | null;
  accounts: { kind: BlackKind; mask: string }[];
  status: BlackStatus;
  views: number;
  listedAt: Date | null;
  expiresAt: Date | null;
  createdAt: Date;
  mark: string;
  reviewNote: string | null;
}

/** The columns of an entry as lists show it; `e` is the entry. */
export const BLACK_COLUMNS = sql`e.id, e.sn, e.title, e.reason, g.name as "gameName", e.amount_fen as "amountFen",
  (select coalesce(jsonb_agg(jsonb_build_object('kind', k.kind, 'mask', k.value_mask) order by k.kind, k.value_mask), '[]')
    from black_key k where k.entry_id = e.id) as accounts,
  case when e.status = 'listed' and e.expires_at <= now() then 'expired' else e.status end as status,
  e.views, e.listed_at as "listedAt", e.expires_at as "expiresAt", e.created_at as "createdAt", coalesce(e.listed_at, e.created_at)::text as mark,
  e.review_note as "reviewNote"`;

/** A row in the format of the response. */
export function blackItemOf(row: BlackRow): HandlerResult<typeof blackList>['list'][number] {
  return {
    blackSn: row.sn,
    title: row.title,
    reason: row.reason,
    reasonName: blackReasonNames[row.reason],
    gameName: row.gameName ?? '',
    amount: row.amountFen,
    accounts: row.accounts.map(({ kind, mask }) => ({ kind, kindName: blackKindNames[kind], mask })),
    status: row.status,
    statusName: blackStatusNames[row.status],
    views: row.views,
    listTime: row.listedAt,
    expireTime: row.expiresAt,
    createTime: row.createdAt,
  };
}

/** The external service's outcome, cached for a day, or an hour while it does not respond; null where none is configured. */
async function externalOutcome(ctx: Context, content: string, hash: Buffer): Promise<number | null> {
  const { blacklist } = ctx;
  if (!blacklist) return null;
  const { rows } = await sql<{ verdict: number }>`
    select verdict from black_external where kind = 'any' and value_hash = ${hash} and good_until > now()`.execute(
    ctx.db,
  );
  if (rows[0]) return rows[0].verdict;
  const outcome = await blacklist.check(content).then(
    (count) => (count > 0 ? LISTED : CLEAN),
    (error: unknown) => {
      ctx.log.warn({ error: String(error) }, 'external blacklist not reached');
      return UNKNOWN;
    },
  );
  const hours = outcome === UNKNOWN ? 1 : 24;
  await sql`insert into black_external (kind, value_hash, verdict, good_until)
    values ('any', ${hash}, ${outcome}, now() + make_interval(hours => ${hours}))
    on conflict (kind, value_hash) do update set verdict = excluded.verdict, asked_at = now(), good_until = excluded.good_until`.execute(
    ctx.db,
  );
  return outcome;
}

/** Looks a number up by its hash in our own list and in the external one: 1 listed, 2 clean, 0 unknown (product.md 4). */
export async function checkBlack(
  call: Call,
  { content, kind }: Parsed<typeof blackCheck>,
): Promise<HandlerResult<typeof blackCheck>> {
  const { ctx } = call;
  const hash = numberIndex(ctx.keys, content);
  const [own, external] = await Promise.all([
    sql<{ sn: string; title: string; reason: BlackReason; listedAt: Date; expiresAt: Date }>`
      select distinct e.sn, e.title, e.reason, coalesce(e.listed_at, e.created_at) as "listedAt", e.expires_at as "expiresAt"
      from black_key k join black_entry e on e.id = k.entry_id
      where k.value_hash = ${hash} ${kind === undefined ? sql`` : sql`and k.kind = ${kind}`} and e.status = 'listed' and e.expires_at > now()
      order by "listedAt" desc limit 10`.execute(ctx.db),
    externalOutcome(ctx, content, hash),
  ]);
  const ownOutcome = own.rows.length > 0 ? LISTED : CLEAN;
  const outcomes = external === null ? [ownOutcome] : [ownOutcome, external];
  const result = outcomes.includes(LISTED) ? LISTED : outcomes.includes(UNKNOWN) ? UNKNOWN : CLEAN;
  await noteQuestion(call, { kind: kind ?? 'any', hash, verdict: result, purpose: 'black' });
  return {
    result,
    list: own.rows.map((row) => ({
      blackSn: row.sn,
      title: row.title,
      reasonName: blackReasonNames[row.reason],
      listTime: row.listedAt,
      expireTime: row.expiresAt,
    })),
    sources: [
      { name: `${call.dist.conf.distBaseConf.websiteName}黑号名单`, result: ownOutcome },
      ...(external === null || !ctx.blacklist ? [] : [{ name: ctx.blacklist.name, result: external }]),
    ],
  };
}

async function loadCount(db: Trx, where: RawBuilder<unknown>): Promise<{ total: number; totalCapped: boolean }> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from black_entry e where ${where} limit ${COUNTED + 1}) c`.execute(db);
  const n = rows[0]?.n ?? 0;
  return { total: Math.min(n, COUNTED), totalCapped: n > COUNTED };
}

/** Lists the public blacklist entries, newest first; numbers are masked. */
export async function listBlack(call: Call, input: Parsed<typeof blackList>): Promise<HandlerResult<typeof blackList>> {
  const { db } = call.ctx;
  const size = input.pageSize ?? PAGE_SIZE;
  const after = decodeMoment(input.cursor);
  const offset = after ? 0 : ((input.pages ?? 1) - 1) * size;
  const where = sql.join(
    [
      sql`e.status = 'listed' and e.expires_at > now()`,
      ...(input.reason === undefined ? [] : [sql`e.reason = ${input.reason}`]),
      ...(input.gameId === undefined ? [] : [sql`e.game_id = ${input.gameId}`]),
    ],
    sql` and `,
  );
  const behind = after ? sql`and (e.listed_at, e.id) < (${after[0]}::timestamptz, ${after[1]}::bigint)` : sql``;
  const { rows } = await sql<BlackRow>`
    select ${BLACK_COLUMNS} from black_entry e left join game g on g.id = e.game_id where ${where} ${behind}
    order by e.listed_at desc, e.id desc limit ${size + 1} offset ${offset}`.execute(db);
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  return {
    list: page.map(blackItemOf),
    ...(await loadCount(db, where)),
    next: last ? encodeCursor([last.mark, last.id]) : null,
  };
}

/** The caller's own reports, newest first, with the reviewer's decision. */
export async function listMyBlack(
  call: UserCall,
  input: Parsed<typeof myBlackList>,
): Promise<HandlerResult<typeof myBlackList>> {
  const { db } = call.ctx;
  const size = input.pageSize ?? PAGE_SIZE;
  const from = decodeId(input.cursor);
  const where = sql`e.reporter_id = ${call.user.id}`;
  const { rows } = await sql<BlackRow>`
    select ${BLACK_COLUMNS} from black_entry e left join game g on g.id = e.game_id
    where ${where} ${from === undefined ? sql`` : sql`and e.id < ${from}`}
    order by e.id desc limit ${size + 1} offset ${from === undefined ? ((input.pages ?? 1) - 1) * size : 0}`.execute(
    db,
  );
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  return {
    list: page.map((row) => ({ ...blackItemOf(row), reviewNote: row.reviewNote })),
    ...(await loadCount(db, where)),
    next: last ? encodeCursor([last.id]) : null,
  };
}

/** The public history of an entry as text; staff are not named. */
const PROCESS: Readonly<Record<string, string>> = {
  reported: '收到举报，等待审核',
  listed: '审核通过，列入名单',
  rejected: '审核未通过',
  appealed: '收到申诉，由另一位审核员复核',
  kept: '申诉不成立，维持名单',
  removed: '移出名单',
  expired: '到期，移出名单',
};

interface InfoRow extends BlackRow {
  text: string;
  publicText: string | null;
  pictures: PictureItem[];
  reporterId: number | null;
}

async function loadAppeal(db: Trx, entryId: number, userId: number | undefined) {
  if (userId === undefined) return null;
  const { rows } = await sql<{
    status: 'reviewing' | 'granted' | 'refused';
    answer: string | null;
    answerByTime: Date;
    createTime: Date;
  }>`
    select status, answer, answer_by as "answerByTime", created_at as "createTime" from black_appeal
    where entry_id = ${entryId} and user_id = ${userId} order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** One entry: its public part, or all of it for its reporter. Throws BLACK_NOT_FOUND. */
export async function describeBlack(
  call: Call,
  { blackSn }: { blackSn: string },
): Promise<HandlerResult<typeof blackInfo>> {
  const { db } = call.ctx;
  const userId = call.caller.user?.id;
  const { rows } = await sql<InfoRow>`
    select ${BLACK_COLUMNS}, e.text, e.public_text as "publicText", e.pictures, e.reporter_id as "reporterId"
    from black_entry e left join game g on g.id = e.game_id
    where e.sn = ${blackSn} and (e.status in ('listed', 'expired', 'removed') or e.reporter_id = ${userId ?? null})`.execute(
    db,
  );
  const row = rows[0];
  if (!row) throw new AppError('BLACK_NOT_FOUND');
  const isMine = userId !== undefined && row.reporterId === userId;
  if (!isMine && row.status !== 'listed') throw new AppError('BLACK_NOT_FOUND', { text: '这条记录已移出名单' });
  const [events, appeal] = await Promise.all([
    sql<{ kind: string; at: Date }>`
      select kind, created_at as at from black_event where entry_id = ${row.id} order by id`.execute(db),
    loadAppeal(db, row.id, userId),
  ]);
  if (!isMine) await sql`update black_entry set views = views + 1 where id = ${row.id}`.execute(db);
  return {
    ...blackItemOf(row),
    content: (isMine ? row.text : row.publicText) ?? '',
    pictures: row.pictures.map((item, i) => {
      const { url, thumb } = pictureUrls(item, '', i);
      return { url, thumb };
    }),
    isMine,
    reviewNote: isMine ? row.reviewNote : null,
    canAppeal: userId !== undefined && !isMine && row.status === 'listed' && appeal?.status !== 'reviewing',
    appeal,
    process: events.rows.flatMap(({ kind, at }) => (PROCESS[kind] ? [{ text: PROCESS[kind], time: at }] : [])),
  };
}
