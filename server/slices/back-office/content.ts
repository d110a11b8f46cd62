import { sql } from 'kysely';
import type * as c from '#contract/backstage-content.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { articleText, blocksOf, type StoredBlock } from '#contract/rules/article.ts';
import type { StaffCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { audit } from '#server/audit.ts';
import { countOf, likePattern, pageOf } from './paging.ts';
import { requirePermission, ownSite } from '#server/access/permissions.ts';
import { emit } from '#server/jobs/door.ts';

/** The sites for which a member of staff may write. */
export function sitesOf(ctx: Context, staff: StaffCall['staff']): { distId: number; name: string }[] {
  return ctx.dir
    .all()
    .filter((d) => staff.distId === null || d.id === staff.distId)
    .map((d) => ({ distId: d.id, name: d.name }));
}

/** The site of a row: the own one for staff of a distributor, else the chosen one, else null for every site. Throws BAD_INPUT. */
export function siteFor(ctx: Context, staff: StaffCall['staff'], chosen: number | undefined): number | null {
  if (staff.distId !== null) return staff.distId;
  if (chosen !== undefined && !ctx.dir.byId(chosen)) throw new AppError('BAD_INPUT', { text: '站点不存在' });
  return chosen ?? null;
}

const siteName = (ctx: Context, distId: number | null): string =>
  distId === null ? '全部站点' : (ctx.dir.byId(distId)?.name ?? '');

/** The text of an article as blocks. Throws BAD_INPUT. */
function bodyOf(text: string): StoredBlock[] {
  const blocks = blocksOf(text);
  if (typeof blocks === 'string') throw new AppError('BAD_INPUT', { text: blocks });
  return blocks;
}

/** Turns a duplicate code into BAD_INPUT. Codes are unique over all sites, since URLs are the same everywhere. */
function rethrowDuplicateCode(error: unknown): never {
  const constraint = String((error as { constraint?: unknown }).constraint);
  if (constraint.endsWith('_code_key'))
    throw new AppError('BAD_INPUT', { text: '这个代码已被使用，请换一个', field: 'code' });
  if (constraint.endsWith('_game_id_fkey')) throw new AppError('BAD_INPUT', { text: '游戏不存在', field: 'gameId' });
  throw error;
}

interface Written {
  id: number;
  code: string;
  distId: number | null;
  title: string;
  status: number;
  views: number;
  authorName: string | null;
  publishTime: Date | null;
  updateTime: Date;
}
type NewsRow = Written & Pick<HandlerResult<typeof c.staffNewsList>['list'][number], 'category' | 'pinned' | 'version'>;
type CaseRow = Written & Pick<HandlerResult<typeof c.staffCaseList>['list'][number], 'kind' | 'amount'>;

const WRITTEN = sql`t.id, t.code, t.dist_id as "distId", t.title, t.status, t.views, s.name as "authorName",
  t.published_at as "publishTime", t.updated_at as "updateTime"`;
const NEWS = sql`${WRITTEN}, t.category, t.pinned, t.version`;
const CASE = sql`${WRITTEN}, t.kind, t.amount_fen as amount`;

/** Articles of the caller's sites, newest first. */
export async function listNews(
  { ctx, staff }: StaffCall,
  input: Parsed<typeof c.staffNewsList>,
): Promise<HandlerResult<typeof c.staffNewsList>> {
  requirePermission(staff, 'content.write');
  const from = sql`news t left join staff s on s.id = t.author_id where true ${ownSite(staff, sql`t.dist_id`)}
    ${input.status === undefined ? sql`` : sql`and t.status = ${input.status}`}
    ${input.category === undefined ? sql`` : sql`and t.category = ${input.category}`}
    ${input.keyWord === undefined ? sql`` : sql`and (t.title like ${likePattern(input.keyWord)} or t.code like ${likePattern(input.keyWord)})`}`;
  const page = pageOf(input, sql`t.id`);
  const [found, total] = await Promise.all([
    sql<NewsRow>`select ${NEWS} from ${from} ${page.behind} ${page.tail}`.execute(ctx.db),
    countOf(ctx.db, from),
  ]);
  const { rows, next } = page.cut(found.rows);
  return { list: rows.map((r) => ({ ...r, distName: siteName(ctx, r.distId) })), ...total, next };
}

/** One article for editing; an empty form without an id. Throws NOT_FOUND. */
export async function newsForStaff(
  { ctx, staff }: StaffCall,
  id: number | undefined,
): Promise<HandlerResult<typeof c.staffNewsInfo>> {
  requirePermission(staff, 'content.write');
  const sites = sitesOf(ctx, staff);
  if (id === undefined) return { news: null, sites };
  const { rows } = await sql<NewsRow & { gameId: number | null; summary: string; blocks: StoredBlock[] }>`
    select ${NEWS}, t.game_id as "gameId", t.summary, t.blocks from news t left join staff s on s.id = t.author_id
    where t.id = ${id} ${ownSite(staff, sql`t.dist_id`)}`.execute(ctx.db);
  const news = rows[0];
  if (!news) throw new AppError('NOT_FOUND');
  return { news: { ...news, distName: siteName(ctx, news.distId), body: articleText(news.blocks) }, sites };
}

/** Saves an article. Throws NOT_FOUND, BAD_INPUT, CONTENT_CHANGED when another person saved it meanwhile. */
export async function saveNews(
  { ctx, staff, ip }: StaffCall,
  input: Parsed<typeof c.saveNews>,
): Promise<HandlerResult<typeof c.saveNews>> {
  requirePermission(staff, 'content.write');
  const distId = siteFor(ctx, staff, input.distId);
  const blocks = JSON.stringify(bodyOf(input.body));
  const { code, category, title, summary, pinned } = input;
  const gameId = input.gameId ?? null;
  return await inTransaction(ctx.db, async (trx) => {
    const written =
      input.id === undefined
        ? sql<{ id: number; version: number }>`
            insert into news (code, dist_id, category, game_id, title, summary, blocks, pinned, author_id)
            values (${code}, ${distId}, ${category}, ${gameId}, ${title}, ${summary}, ${blocks}::jsonb, ${pinned}, ${staff.id}) returning id, version`
        : sql<{ id: number; version: number }>`
            update news t set code = ${code}, dist_id = ${distId}, category = ${category}, game_id = ${gameId}, title = ${title}, summary = ${summary},
              blocks = ${blocks}::jsonb, pinned = ${pinned}, author_id = ${staff.id}, version = t.version + 1, updated_at = now()
            where t.id = ${input.id} and t.version = ${input.version ?? 0} ${ownSite(staff, sql`t.dist_id`)} returning id, version`;
    const row = (await written.execute(trx).catch(rethrowDuplicateCode)).rows[0];
    if (!row) throw new AppError(await missing(trx, staff, 'news', input.id ?? 0));
    await audit(
      trx,
      staff,
      input.id === undefined ? 'content.newsAdd' : 'content.newsEdit',
      `news:${row.id}`,
      { code, title, version: row.version },
      ip,
    );
    return row;
  });
}

type Db = Parameters<typeof audit>[0];

/** Why an update matched no row: it does not exist for this person, or it was changed. */
async function missing(
  db: Db,
  staff: StaffCall['staff'],
  table: 'news' | 'event_case',
  id: number,
): Promise<'NOT_FOUND' | 'CONTENT_CHANGED'> {
  const { rows } =
    await sql`select from ${sql.table(table)} t where t.id = ${id} ${ownSite(staff, sql`t.dist_id`)}`.execute(db);
  return rows.length === 0 ? 'NOT_FOUND' : 'CONTENT_CHANGED';
}

/** Publishes or withdraws an article; the first publication sets its date. Idempotent. Throws NOT_FOUND. */
export async function publish(
  { ctx, staff, ip }: StaffCall,
  table: 'news' | 'event_case',
  { id, act }: { id: number; act: 'publish' | 'withdraw' },
): Promise<{ status: number }> {
  requirePermission(staff, 'content.write');
  const status = act === 'publish' ? 1 : 2;
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ title: string }>`
      update ${sql.table(table)} t set status = ${status}, published_at = coalesce(t.published_at, now()), updated_at = now()
      where t.id = ${id} and t.status <> ${status} ${ownSite(staff, sql`t.dist_id`)} returning t.title`.execute(trx);
    if (rows[0] && table === 'news' && act === 'publish') await emit(trx, 'news.published', { newsId: id });
    if (!rows[0]) {
      if ((await missing(trx, staff, table, id)) === 'NOT_FOUND') throw new AppError('NOT_FOUND');
      return { status };
    }
    const what = table === 'news' ? 'news' : 'case';
    await audit(trx, staff, `content.${act}`, `${what}:${id}`, { title: rows[0].title }, ip);
    return { status };
  });
}

/** Cases of the caller's sites, newest first. */
export async function listCases(
  { ctx, staff }: StaffCall,
  input: Parsed<typeof c.staffCaseList>,
): Promise<HandlerResult<typeof c.staffCaseList>> {
  requirePermission(staff, 'content.write');
  const from = sql`event_case t left join staff s on s.id = t.author_id where true ${ownSite(staff, sql`t.dist_id`)}
    ${input.status === undefined ? sql`` : sql`and t.status = ${input.status}`}
    ${input.keyWord === undefined ? sql`` : sql`and (t.title like ${likePattern(input.keyWord)} or t.code like ${likePattern(input.keyWord)})`}`;
  const page = pageOf(input, sql`t.id`);
  const [found, total] = await Promise.all([
    sql<CaseRow>`select ${CASE} from ${from} ${page.behind} ${page.tail}`.execute(ctx.db),
    countOf(ctx.db, from),
  ]);
  const { rows, next } = page.cut(found.rows);
  return { list: rows.map((r) => ({ ...r, distName: siteName(ctx, r.distId) })), ...total, next };
}

/** One case for editing; an empty form without an id. Throws NOT_FOUND. */
export async function caseForStaff(
  { ctx, staff }: StaffCall,
  id: number | undefined,
): Promise<HandlerResult<typeof c.staffCaseInfo>> {
  requirePermission(staff, 'content.write');
  const sites = sitesOf(ctx, staff);
  if (id === undefined) return { item: null, sites };
  const { rows } = await sql<
    CaseRow & {
      gameId: number | null;
      summary: string;
      result: string;
      happenedDay: string | null;
      blocks: StoredBlock[];
    }
  >`select ${CASE}, t.game_id as "gameId", t.summary, t.result, to_char(t.happened_on, 'YYYY-MM-DD') as "happenedDay", t.blocks
    from event_case t left join staff s on s.id = t.author_id where t.id = ${id} ${ownSite(staff, sql`t.dist_id`)}`.execute(
    ctx.db,
  );
  const item = rows[0];
  if (!item) throw new AppError('NOT_FOUND');
  return { item: { ...item, distName: siteName(ctx, item.distId), body: articleText(item.blocks) }, sites };
}

/** Saves a case. Throws NOT_FOUND, BAD_INPUT. */
export async function saveCase(
  { ctx, staff, ip }: StaffCall,
  input: Parsed<typeof c.saveCase>,
): Promise<HandlerResult<typeof c.saveCase>> {
  requirePermission(staff, 'content.write');
  const distId = siteFor(ctx, staff, input.distId);
  const blocks = JSON.stringify(bodyOf(input.body));
  const { code, kind, title, summary, result } = input;
  const gameId = input.gameId ?? null;
  const day = input.happenedDay === '' ? null : input.happenedDay;
  if (day !== null && Number.isNaN(Date.parse(`${day}T00:00:00Z`)))
    throw new AppError('BAD_INPUT', { text: '日期格式不正确' });
  const amountFen = input.amount ?? null;
  return await inTransaction(ctx.db, async (trx) => {
    const written =
      input.id === undefined
        ? sql<{ id: number }>`
            insert into event_case (code, dist_id, kind, game_id, title, summary, amount_fen, result, happened_on, blocks, author_id)
            values (${code}, ${distId}, ${kind}, ${gameId}, ${title}, ${summary}, ${amountFen}, ${result}, ${day}::date, ${blocks}::jsonb, ${staff.id}) returning id`
        : sql<{ id: number }>`
            update event_case t set code = ${code}, dist_id = ${distId}, kind = ${kind}, game_id = ${gameId}, title = ${title}, summary = ${summary},
              amount_fen = ${amountFen}, result = ${result}, happened_on = ${day}::date, blocks = ${blocks}::jsonb, author_id = ${staff.id}, updated_at = now()
            where t.id = ${input.id} ${ownSite(staff, sql`t.dist_id`)} returning id`;
    const row = (await written.execute(trx).catch(rethrowDuplicateCode)).rows[0];
    if (!row) throw new AppError('NOT_FOUND');
    await audit(
      trx,
      staff,
      input.id === undefined ? 'content.caseAdd' : 'content.caseEdit',
      `case:${row.id}`,
      { code, title },
      ip,
    );
    return row;
  });
}
