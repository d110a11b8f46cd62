/** News in the back office: drafts, versions, times. Staff of a brand reach the news of their brand only. */
import { sql } from 'kysely';
import type * as c from '#subjects/content/contract/staff-content.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { articleText, blocksOf, type StoredBlock } from '../../rules/article.ts';
import { agreementOfArticle } from '../../rules/public-texts.ts';
import { PublicationStatus } from '#contract/rules/statuses.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit, schedule } from '#server/jobs/effect-writer.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { contentPicture, imageUrl } from '#subjects/media/server/service.ts';
import { siteFor, siteName, sitesOf } from '../sites.ts';

const PAGE_SIZE = 30;
const COUNTED = 1000;
const VERSIONS = 50;
/** Tolerance for a browser clock that is behind. */
const SLACK_MS = 60_000;

type Category = HandlerResult<typeof c.staffNewsList>['list'][number]['category'];

/** The versioned content, as stored in news_version. */
interface Content {
  code: string;
  distId: number | null;
  category: Category;
  gameId: number | null;
  title: string;
  summary: string;
  blocks: StoredBlock[];
  pinned: boolean;
  coverKey: string | null;
}

/** An article as it is published, with its newest version. */
interface Stored extends Content {
  id: number;
  status: number;
  version: number;
  newest: number;
  publishedAt: Date | null;
  until: Date | null;
}

const CONTENT = sql`t.code, t.dist_id as "distId", t.category, t.game_id as "gameId", t.title, t.summary, t.blocks, t.pinned, t.cover_key as "coverKey"`;
const NEWEST = sql`coalesce((select max(v.version) from news_version v where v.news_id = t.id), t.version)`;
const PHASE = sql`case t.status when ${sql.lit(PublicationStatus.Draft)} then 'draft' when ${sql.lit(PublicationStatus.Withdrawn)} then 'withdrawn' else
  case when t.published_at > now() then 'scheduled' when t.published_until <= now() then 'ended' else 'live' end end`;

type ListRow = Omit<HandlerResult<typeof c.staffNewsList>['list'][number], 'distName' | 'cover'> & {
  coverKey: string | null;
};

const escaped = (text: string): string => `%${text.replace(/[\\%_]/g, (ch) => `\\${ch}`)}%`;

/** Articles of the caller's sites, newest first. Throws FORBIDDEN. */
export async function listNews(
  { ctx, staff }: StaffCall,
  input: Parsed<typeof c.staffNewsList>,
): Promise<HandlerResult<typeof c.staffNewsList>> {
  requirePermission(staff, 'content.write');
  const size = input.pageSize ?? PAGE_SIZE;
  const before = decodeId(input.cursor);
  const where = sql`news t left join staff s on s.id = t.author_id where true ${ownSite(staff, sql`t.dist_id`)}
    ${input.status === undefined ? sql`` : sql`and t.status = ${input.status}`}
    ${input.category === undefined ? sql`` : sql`and t.category = ${input.category}`}
    ${input.keyWord === undefined ? sql`` : sql`and (t.title like ${escaped(input.keyWord)} or t.code like ${escaped(input.keyWord)})`}`;
  const [{ rows }, count] = await Promise.all([
    sql<ListRow>`
      select t.id, t.code, t.dist_id as "distId", t.title, t.status, t.views, s.name as "authorName", t.published_at as "publishTime",
        t.published_until as "untilTime", t.updated_at as "updateTime", t.category, t.pinned, t.version, ${NEWEST} as newest, ${PHASE} as phase,
        t.cover_key as "coverKey"
      from ${where} ${before === undefined ? sql`` : sql`and t.id < ${before}`} order by t.id desc
      limit ${size + 1} offset ${before === undefined ? ((input.pages ?? 1) - 1) * size : 0}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int as n from (select from ${where} limit ${COUNTED + 1}) k`.execute(ctx.db),
  ]);
  const list = rows.slice(0, size).map(({ coverKey, ...row }) => ({
    ...row,
    distName: siteName(ctx, row.distId),
    cover: coverKey === null ? null : imageUrl(coverKey, 320),
  }));
  const n = count.rows[0]?.n ?? 0;
  const last = list.at(-1);
  const next = rows.length > size && last ? encodeCursor([last.id]) : null;
  return { list, total: Math.min(n, COUNTED), totalCapped: n > COUNTED, next };
}

/** An article of the caller's sites; `lock` blocks other writers of it until the transaction ends. Throws NOT_FOUND. */
async function storedNews(db: Trx, { staff }: StaffCall, id: number, lock = false): Promise<Stored> {
  // The lock is a separate statement: a query that also locks would return the row as it was before it waited for the lock.
  if (lock) await sql`select from news t where t.id = ${id} ${ownSite(staff, sql`t.dist_id`)} for update`.execute(db);
  const { rows } = await sql<Stored>`
    select t.id, ${CONTENT}, t.status, t.version, ${NEWEST} as newest, t.published_at as "publishedAt", t.published_until as until
    from news t where t.id = ${id} ${ownSite(staff, sql`t.dist_id`)}`.execute(db);
  if (!rows[0]) throw errorOf('NOT_FOUND', 'newsForStaff');
  return rows[0];
}

async function storedVersion(db: Trx, id: number, version: number): Promise<Content> {
  const { rows } = await sql<{ content: Content }>`
    select content from news_version where news_id = ${id} and version = ${version}`.execute(db);
  if (!rows[0]) throw errorOf('NOT_FOUND', 'version');
  return rows[0].content;
}

/** A content as the form has it. */
function formOf({ blocks, coverKey, ...rest }: Content) {
  return { ...rest, body: articleText(blocks), cover: coverKey === null ? null : imageUrl(coverKey) };
}

const contentOf = ({ code, distId, category, gameId, title, summary, blocks, pinned, coverKey }: Content): Content => ({
  code,
  distId,
  category,
  gameId,
  title,
  summary,
  blocks,
  pinned,
  coverKey,
});

/** One article for editing, in its newest version, with its history; an empty form without an id. Throws FORBIDDEN, NOT_FOUND. */
export async function newsForStaff(
  call: StaffCall,
  id: number | undefined,
): Promise<HandlerResult<typeof c.staffNewsInfo>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'content.write');
  const shared = {
    sites: sitesOf(ctx, staff),
    games: (await catalogue(ctx)).list().map((g) => ({ gameId: g.id, name: g.name })),
  };
  if (id === undefined) return { news: null, versions: [], ...shared };
  const row = await storedNews(ctx.db, call, id);
  const content = row.newest === row.version ? contentOf(row) : await storedVersion(ctx.db, id, row.newest);
  const { rows: versions } = await sql<HandlerResult<typeof c.staffNewsInfo>['versions'][number]>`
    select v.version, s.name as "staffName", v.created_at as "createTime", v.restored_from as "restoredFrom", v.content->>'title' as title
    from news_version v left join staff s on s.id = v.created_by where v.news_id = ${id} order by v.version desc limit ${VERSIONS}`.execute(
    ctx.db,
  );
  return {
    news: {
      id,
      status: row.status,
      version: row.newest,
      live: row.version,
      publishTime: row.publishedAt,
      untilTime: row.until,
      ...formOf(content),
    },
    versions,
    ...shared,
  };
}

/** The content of one version. Throws FORBIDDEN, NOT_FOUND. */
export async function newsVersion(
  call: StaffCall,
  { id, version }: Parsed<typeof c.staffNewsVersion>,
): Promise<HandlerResult<typeof c.staffNewsVersion>> {
  requirePermission(call.staff, 'content.write');
  await storedNews(call.ctx.db, call, id);
  return { news: formOf(await storedVersion(call.ctx.db, id, version)) };
}

/** The validated content of a form. Throws BAD_INPUT with the field. */
async function contentFrom(trx: Trx, call: StaffCall, input: Parsed<typeof c.saveNews>): Promise<Content> {
  const { code, category, title, summary, pinned, gameId } = input;
  const blocks = blocksOf(input.body);
  if (typeof blocks === 'string') throw new AppError('BAD_INPUT', { text: blocks, field: 'body' });
  if (gameId !== undefined && !(await catalogue(call.ctx)).game(gameId))
    throw new AppError('BAD_INPUT', { text: '游戏不存在', field: 'gameId' });
  if (agreementOfArticle(code))
    throw new AppError('BAD_INPUT', { text: '这篇文章显示协议的生效版本，请在「规则与协议」里修改', field: 'code' });
  const distId = siteFor(call.ctx, call.staff, input.distId);
  const coverKey = await contentPicture(trx, input.coverKey, 'coverKey');
  return { code, distId, category, gameId: gameId ?? null, title, summary, blocks, pinned, coverKey };
}

interface Times {
  publishedAt: Date | null;
  until: Date | null;
}

/**
 * The start and end of display. Without a start time, an article that was already published keeps its own. A new start must be in
 * the future, so that the page and the notice to readers agree. Throws BAD_INPUT with the field.
 */
function timesFrom(input: Parsed<typeof c.saveNews>, stored: Stored | null): Times {
  const { fromTime, untilTime } = input;
  const known = stored?.publishedAt ?? null;
  const isDraft = stored === null || stored.status === PublicationStatus.Draft;
  const publishedAt = fromTime ?? (isDraft ? null : known);
  const isNew = fromTime !== undefined && Math.abs(fromTime.getTime() - (known?.getTime() ?? 0)) >= SLACK_MS;
  if (isNew && fromTime.getTime() < Date.now() - SLACK_MS)
    throw new AppError('BAD_INPUT', { text: '这个时间已经过去；要立刻发布请留空', field: 'fromTime' });
  if (
    untilTime !== undefined &&
    untilTime.getTime() <= Math.max(publishedAt?.getTime() ?? 0, input.publish ? Date.now() : 0)
  )
    throw new AppError('BAD_INPUT', { text: '结束时间应在开始时间和现在之后', field: 'untilTime' });
  // The form has a resolution of one minute: an unchanged start keeps its seconds.
  return { publishedAt: isNew ? fromTime : (known ?? publishedAt), until: untilTime ?? null };
}

/** Turns a duplicate code into BAD_INPUT. Codes are unique over all sites, since URLs are the same everywhere. */
function rethrowDuplicateCode(error: unknown): never {
  if (String((error as { constraint?: unknown }).constraint).endsWith('_code_key'))
    throw new AppError('BAD_INPUT', { text: '这个代码已被使用，请换一个', field: 'code' });
  throw error;
}

async function insertVersion(
  trx: Trx,
  v: { id: number; version: number; content: Content; by: number | null; restoredFrom?: number | undefined },
): Promise<void> {
  await sql`insert into news_version (news_id, version, content, restored_from, created_by)
    values (${v.id}, ${v.version}, ${JSON.stringify(v.content)}::jsonb, ${v.restoredFrom ?? null}, ${v.by}) on conflict do nothing`.execute(
    trx,
  );
}

/** The error for an editor whose base is not the newest version: who saved, and when. */
async function changedMeanwhile(trx: Trx, { id, newest }: Stored): Promise<AppError> {
  const { rows } = await sql<{ name: string | null; at: string }>`
    select s.name, to_char(v.created_at at time zone 'Asia/Shanghai', 'HH24:MI') as at
    from news_version v left join staff s on s.id = v.created_by where v.news_id = ${id} and v.version = ${newest}`.execute(
    trx,
  );
  const who = rows[0] ? `${rows[0].name ?? '系统'} ${rows[0].at} ` : '';
  return new AppError('CONTENT_CHANGED', { text: `${who}已保存第 ${newest} 版；请另开一页看过后再保存，您填的都还在` });
}

/** Writes a content and its times to the article. */
async function writeNews(
  trx: Trx,
  staffId: number,
  news: { id: number; version: number; status: number; content: Content } & Times,
): Promise<void> {
  const { content: k } = news;
  await sql`
    update news t set code = ${k.code}, dist_id = ${k.distId}, category = ${k.category}, game_id = ${k.gameId}, title = ${k.title},
      summary = ${k.summary}, blocks = ${JSON.stringify(k.blocks)}::jsonb, pinned = ${k.pinned}, cover_key = ${k.coverKey}, author_id = ${staffId},
      version = ${news.version}, status = ${news.status}, published_until = ${news.until}, updated_at = now(),
      published_at = case when ${news.status}::int = 1 then coalesce(${news.publishedAt}::timestamptz, now()) else ${news.publishedAt}::timestamptz end
    where t.id = ${news.id}`
    .execute(trx)
    .catch(rethrowDuplicateCode);
}

/**
 * Saves an article as a new version. A published article changes immediately, unless `keepDraft`; `publish` shows it from its time on. Throws
 * FORBIDDEN, NOT_FOUND, BAD_INPUT with the field, CONTENT_CHANGED when another person saved it meanwhile.
 */
export async function saveNews(
  call: StaffCall,
  input: Parsed<typeof c.saveNews>,
): Promise<HandlerResult<typeof c.saveNews>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'content.write');
  return await inTransaction(ctx.db, async (trx) => {
    const stored = input.id === undefined ? null : await storedNews(trx, call, input.id, true);
    const content = await contentFrom(trx, call, input);
    const times = timesFrom(input, stored);
    if (stored && stored.newest !== (input.version ?? 0)) throw await changedMeanwhile(trx, stored);
    if (stored && stored.newest === stored.version)
      await insertVersion(trx, { id: stored.id, version: stored.version, content: contentOf(stored), by: null });
    const version = (stored?.newest ?? 0) + 1;
    const id = stored?.id ?? (await insertNews(trx, staff.id, content));
    await insertVersion(trx, { id, version, content, by: staff.id, restoredFrom: input.restoredFrom });
    const status = input.publish ? PublicationStatus.Published : (stored?.status ?? PublicationStatus.Draft);
    const isShown = stored?.status === PublicationStatus.Published;
    const isWritten = input.publish || !isShown || !input.keepDraft;
    if (isWritten) await writeNews(trx, staff.id, { id, version, status, content, ...times });
    if (isWritten && status === PublicationStatus.Published) await announce(trx, id);
    const detail = {
      code: content.code,
      title: content.title,
      version,
      published: isWritten && status === PublicationStatus.Published,
    };
    await audit(trx, staff, stored ? 'content.newsEdit' : 'content.newsAdd', `news:${id}`, detail, ip);
    if (input.publish && !isShown)
      await audit(trx, staff, 'content.publish', `news:${id}`, { title: content.title }, ip);
    return { id, version, status };
  });
}

async function insertNews(trx: Trx, staffId: number, k: Content): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into news (code, category, title, blocks, author_id) values (${k.code}, ${k.category}, ${k.title}, '[]', ${staffId}) returning id`
    .execute(trx)
    .catch(rethrowDuplicateCode);
  return rows[0]?.id ?? 0;
}

/** Sends the notice to readers when the article is shown: now, or by a job at its time. */
async function announce(trx: Trx, id: number): Promise<void> {
  const { rows } = await sql<{ at: Date }>`
    select published_at as at from news where id = ${id} and published_at > now()`.execute(trx);
  if (rows[0]) await schedule(trx, 'news.begin', id, rows[0].at);
  else await emit(trx, 'news.published', { newsId: id });
}

/** Announces an article at its time; one that was withdrawn or rescheduled meanwhile is not announced. */
export async function beginNews(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql`
      select from news where id = ${id} and status = ${sql.lit(PublicationStatus.Published)} and published_at <= now() for update`.execute(
      trx,
    );
    if (rows.length > 0) await emit(trx, 'news.published', { newsId: id });
  });
}

/**
 * Publishes an article in its current version, from its time on, or withdraws it. The first publication sets its date. Idempotent. Throws
 * FORBIDDEN, NOT_FOUND, BAD_INPUT for one whose end has passed.
 */
export async function publishNews(
  call: StaffCall,
  { id, act: action }: Parsed<typeof c.publishNews>,
): Promise<{ status: number }> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'content.write');
  const status = action === 'publish' ? PublicationStatus.Published : PublicationStatus.Withdrawn;
  return await inTransaction(ctx.db, async (trx) => {
    const stored = await storedNews(trx, call, id, true);
    if (stored.status === status) return { status };
    if (action === 'publish' && stored.until !== null && stored.until.getTime() <= Date.now())
      throw new AppError('BAD_INPUT', { text: '结束时间已过，请先在编辑里改', field: 'untilTime' });
    await sql`update news set status = ${status}, published_at = coalesce(published_at, now()), updated_at = now() where id = ${id}`.execute(
      trx,
    );
    if (action === 'publish') await announce(trx, id);
    await audit(trx, staff, `content.${action}`, `news:${id}`, { title: stored.title }, ip);
    return { status };
  });
}
