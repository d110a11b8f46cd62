import { sql } from 'kysely';
import type * as c from '#subjects/content/contract/staff-content.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { PublicationStatus } from '#contract/rules/statuses.ts';
import { articleText, blocksOf, type StoredBlock } from '#subjects/content/rules/article.ts';
import type { StaffCall } from '#server/access/call.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { audit } from '#server/audit/audit.ts';
import { siteFor, siteName, sitesOf } from '#subjects/content/server/service.ts';
import { queueCase } from '#subjects/link-push/server/service.ts';
import { loadCount, likePattern, pageOf } from '#server/staff/paging.ts';
import { requirePermission, ownSite } from '#server/access/permissions.ts';

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
type CaseRow = Written & Pick<HandlerResult<typeof c.staffCaseList>['list'][number], 'kind' | 'amount'>;

const WRITTEN = sql`t.id, t.code, t.dist_id as "distId", t.title, t.status, t.views, s.name as "authorName",
  t.published_at as "publishTime", t.updated_at as "updateTime"`;
const CASE = sql`${WRITTEN}, t.kind, t.amount_fen as amount`;

/** Publishes or withdraws a case; the first publication sets its date. Idempotent. Throws NOT_FOUND. */
export async function publishCase(
  { ctx, staff, ip }: StaffCall,
  { id, act: action }: Parsed<typeof c.publishCase>,
): Promise<{ status: number }> {
  requirePermission(staff, 'content.write');
  const status = action === 'publish' ? PublicationStatus.Published : PublicationStatus.Withdrawn;
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ title: string }>`
      update event_case t set status = ${status}, published_at = coalesce(t.published_at, now()), updated_at = now()
      where t.id = ${id} and t.status <> ${status} ${ownSite(staff, sql`t.dist_id`)} returning t.title`.execute(trx);
    if (rows[0]) {
      await audit(trx, staff, `content.${action}`, `case:${id}`, { title: rows[0].title }, ip);
      await queueCase(ctx, trx, id);
    } else {
      const known = await sql`select from event_case t where t.id = ${id} ${ownSite(staff, sql`t.dist_id`)}`.execute(
        trx,
      );
      if (known.rows.length === 0) throw new AppError('NOT_FOUND');
    }
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
    loadCount(ctx.db, from),
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
    await queueCase(ctx, trx, row.id);
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
