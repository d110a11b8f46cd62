import { StaffStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/lists.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { inTransaction } from '#server/db/client.ts';
import { requireSite } from '#server/access/permissions.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Maximum number of views per person and list. */
const MAX_VIEWS = 20;

interface ViewRow {
  id: number;
  staff_id: number;
  name: string;
  query: string;
  shared: boolean;
  by_name: string;
}

/** The caller's own views, then those shared by colleagues of the same brand (or of the platform). */
async function loadViews({ ctx, staff }: StaffCall, list: string): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    select v.id, v.staff_id, v.name, v.query, v.shared, s.name as by_name from staff_view v join staff s on s.id = v.staff_id
    where v.list = ${list} and (v.staff_id = ${staff.id} or (v.shared and s.status = ${sql.lit(StaffStatus.Active)} and v.dist_id is not distinct from ${staff.distId}::int))
    order by v.staff_id = ${staff.id} desc, v.id limit 60`.execute(ctx.db);
  return rows;
}

/** The views and the columns of a list for the caller. */
export async function loadSetup(
  call: StaffCall,
  { list }: Parsed<typeof c.listSetup>,
): Promise<HandlerResult<typeof c.listSetup>> {
  const { ctx, staff } = call;
  requireSite(staff);
  const columns = await sql<{ columns: string[] }>`
    select columns from staff_columns where staff_id = ${staff.id} and list = ${list}`.execute(ctx.db);
  const views = await loadViews(call, list);
  return {
    views: views.map(({ id, name, query, shared, staff_id, by_name }) => ({
      viewId: id,
      name,
      query,
      shared,
      isMine: staff_id === staff.id,
      byName: by_name,
    })),
    columns: columns.rows[0]?.columns ?? null,
  };
}

/** Saves a view under a name that the caller has not used. Throws BAD_INPUT, NOT_FOUND for a view of another member of staff. */
export async function saveView(
  { ctx, staff }: StaffCall,
  { list, viewId, name, query, shared }: Parsed<typeof c.saveListView>,
): Promise<HandlerResult<typeof c.saveListView>> {
  requireSite(staff);
  const duplicateName = () => new AppError('BAD_INPUT', { text: '已有同名的视图', field: 'name' });
  if (viewId !== undefined) {
    const { rows } = await sql<{ id: number }>`
      update staff_view v set name = ${name}, query = ${query}, shared = ${shared}, changed_at = now()
      where v.id = ${viewId} and v.staff_id = ${staff.id} and v.list = ${list} and not exists (
        select from staff_view o where o.staff_id = v.staff_id and o.list = v.list and o.name = ${name} and o.id <> v.id)
      returning v.id`.execute(ctx.db);
    if (rows[0]) return { viewId: rows[0].id };
    const { rows: mine } = await sql`select 1 from staff_view where id = ${viewId} and staff_id = ${staff.id}`.execute(
      ctx.db,
    );
    throw mine.length > 0 ? duplicateName() : errorOf('NOT_FOUND', 'view');
  }
  return await inTransaction(ctx.db, async (trx) => {
    // Serialises concurrent saves by one person, so that both are counted.
    await sql`select 1 from staff where id = ${staff.id} for update`.execute(trx);
    const { rows: count } = await sql<{ n: number }>`
      select count(*)::int as n from staff_view where staff_id = ${staff.id} and list = ${list}`.execute(trx);
    if ((count[0]?.n ?? 0) >= MAX_VIEWS)
      throw new AppError('BAD_INPUT', { text: `每个列表最多保存 ${MAX_VIEWS} 个视图`, field: 'name' });
    const { rows } = await sql<{ id: number }>`
      insert into staff_view (staff_id, dist_id, list, name, query, shared)
      values (${staff.id}, ${staff.distId}, ${list}, ${name}, ${query}, ${shared}) on conflict do nothing returning id`.execute(
      trx,
    );
    if (!rows[0]) throw duplicateName();
    return { viewId: rows[0].id };
  });
}

/** Removes one of the caller's own views. Throws NOT_FOUND. */
export async function removeView(
  { ctx, staff }: StaffCall,
  { viewId }: Parsed<typeof c.removeListView>,
): Promise<Record<string, never>> {
  requireSite(staff);
  const { rows } =
    await sql`delete from staff_view where id = ${viewId} and staff_id = ${staff.id} returning id`.execute(ctx.db);
  if (rows.length === 0) throw errorOf('NOT_FOUND', 'view');
  return {};
}

/** Stores the columns that the caller chose for a list. */
export async function saveColumns(
  { ctx, staff }: StaffCall,
  { list, columns }: Parsed<typeof c.saveListColumns>,
): Promise<Record<string, never>> {
  requireSite(staff);
  await sql`insert into staff_columns (staff_id, list, columns) values (${staff.id}, ${list}, ${columns}::text[])
    on conflict (staff_id, list) do update set columns = excluded.columns`.execute(ctx.db);
  return {};
}
