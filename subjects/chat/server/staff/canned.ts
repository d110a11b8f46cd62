import { SwitchStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { CannedReply } from '#subjects/chat/contract/im-support.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import type { Context } from '#server/context.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requirePermission } from '#server/access/permissions.ts';

/** Maximum number of canned replies per member of staff, or per site. */
const MAX_CANNED = 300;

/**
 * SQL condition for replies visible to a member of staff: shared ones of the platform and of the own distributor, and
 * their own.
 */
const visibleTo = (
  staff: SessionStaff,
) => sql`status = ${sql.lit(SwitchStatus.On)} and (staff_id = ${staff.id} or (staff_id is null
  and (dist_id is null or dist_id is not distinct from ${staff.distId})))`;

/**
 * SQL condition for replies that a member of staff may edit: their own, and as administrator the shared ones of the own
 * site.
 */
const editableBy = (staff: SessionStaff) => sql`status = ${sql.lit(SwitchStatus.On)} and (staff_id = ${staff.id}
  or (${staffCan(staff, 'chat.supervise')} and staff_id is null and dist_id is not distinct from ${staff.distId}))`;

/** All canned replies that the caller may use. Throws FORBIDDEN. */
export async function listCanned(ctx: Context, staff: SessionStaff): Promise<{ list: CannedReply[] }> {
  requirePermission(staff, 'chat.serve');
  const { rows } = await sql<CannedReply>`
    select id, grp, title, text, shortcut, uses, staff_id is not null as mine from canned_answer
    where ${visibleTo(staff)} order by (staff_id is null), grp, sort, uses desc, id limit ${MAX_CANNED}`.execute(
    ctx.db,
  );
  return { list: rows };
}

/** Creates or updates a canned reply. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT beyond the limit. */
export async function saveCannedReply(
  ctx: Context,
  staff: SessionStaff,
  input: {
    id?: number | undefined;
    mine: boolean;
    grp: string;
    title: string;
    text: string;
    shortcut?: string | undefined;
  },
): Promise<{ id: number }> {
  requirePermission(staff, 'chat.serve');
  if (!input.mine) requirePermission(staff, 'chat.supervise');
  const { grp, title, text, shortcut = null } = input;
  if (input.id !== undefined) {
    const changed = await sql<{ id: number }>`
      update canned_answer set grp = ${grp}, title = ${title}, text = ${text}, shortcut = ${shortcut}, updated_at = now()
      where id = ${input.id} and ${editableBy(staff)} returning id`.execute(ctx.db);
    const id = changed.rows[0]?.id;
    if (id === undefined) throw new AppError('NOT_FOUND');
    return { id };
  }
  const owner = input.mine ? staff.id : null;
  const { rows } = await sql<{ id: number }>`
    insert into canned_answer (dist_id, staff_id, grp, title, text, shortcut)
    select ${staff.distId}, ${owner}, ${grp}, ${title}, ${text}, ${shortcut}
    where (select count(*) from canned_answer where status = ${sql.lit(SwitchStatus.On)} and staff_id is not distinct from ${owner}::bigint
      and (staff_id is not null or dist_id is not distinct from ${staff.distId})) < ${MAX_CANNED} returning id`.execute(
    ctx.db,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new AppError('BAD_INPUT', { text: `快捷回复最多 ${MAX_CANNED} 条，请先删除不用的` });
  return { id };
}

/** Removes a canned reply. Throws FORBIDDEN, NOT_FOUND. */
export async function removeCanned(ctx: Context, staff: SessionStaff, id: number): Promise<void> {
  requirePermission(staff, 'chat.serve');
  const { rows } =
    await sql`update canned_answer set status = ${sql.lit(SwitchStatus.Off)}, updated_at = now() where id = ${id} and ${editableBy(staff)} returning id`.execute(
      ctx.db,
    );
  if (rows.length === 0) throw new AppError('NOT_FOUND');
}

/** Counts a use; lists are sorted by the count. */
export async function countCanned(ctx: Context, staff: SessionStaff, id: number): Promise<void> {
  requirePermission(staff, 'chat.serve');
  await sql`update canned_answer set uses = uses + 1 where id = ${id} and ${visibleTo(staff)}`.execute(ctx.db);
}
