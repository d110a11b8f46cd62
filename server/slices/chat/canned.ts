import { sql } from 'kysely';
import type { CannedReply } from '#contract/im-desk.ts';
import { staffCan } from '#contract/rules/staff.ts';
import type { Context } from '#server/context.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requirePermission } from '#server/access/permissions.ts';
import {} from './staff.ts';

/** Canned answers kept by one person or by one site at most. */
const MOST = 300;

/** Whose answers a member of staff sees: everybody's of the platform and of the own distributor, and the own ones. */
const seenBy = (staff: SessionStaff) => sql`status = 1 and (staff_id = ${staff.id} or (staff_id is null
  and (dist_id is null or dist_id is not distinct from ${staff.distId})))`;

/** Which of them the member of staff may change: the own ones, and everybody's of the own site as an administrator. */
const keptBy = (staff: SessionStaff) => sql`status = 1 and (staff_id = ${staff.id}
  or (${staffCan(staff.role, 'chat.supervise')} and staff_id is null and dist_id is not distinct from ${staff.distId}))`;

/** All canned answers that somebody may use. Throws FORBIDDEN. */
export async function cannedOf(ctx: Context, staff: SessionStaff): Promise<{ list: CannedReply[] }> {
  requirePermission(staff, 'chat.serve');
  const { rows } = await sql<CannedReply>`
    select id, grp, title, text, shortcut, uses, staff_id is not null as mine from canned_answer
    where ${seenBy(staff)} order by (staff_id is null), grp, sort, uses desc, id limit ${MOST}`.execute(ctx.db);
  return { list: rows };
}

/** Writes a canned answer, or changes one. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT beyond the limit. */
export async function keepCanned(
  ctx: Context,
  staff: SessionStaff,
  given: {
    id?: number | undefined;
    mine: boolean;
    grp: string;
    title: string;
    text: string;
    shortcut?: string | undefined;
  },
): Promise<{ id: number }> {
  requirePermission(staff, 'chat.serve');
  if (!given.mine) requirePermission(staff, 'chat.supervise');
  const { grp, title, text, shortcut = null } = given;
  if (given.id !== undefined) {
    const changed = await sql<{ id: number }>`
      update canned_answer set grp = ${grp}, title = ${title}, text = ${text}, shortcut = ${shortcut}, updated_at = now()
      where id = ${given.id} and ${keptBy(staff)} returning id`.execute(ctx.db);
    const id = changed.rows[0]?.id;
    if (id === undefined) throw new AppError('NOT_FOUND');
    return { id };
  }
  const owner = given.mine ? staff.id : null;
  const { rows } = await sql<{ id: number }>`
    insert into canned_answer (dist_id, staff_id, grp, title, text, shortcut)
    select ${staff.distId}, ${owner}, ${grp}, ${title}, ${text}, ${shortcut}
    where (select count(*) from canned_answer where status = 1 and staff_id is not distinct from ${owner}::bigint) < ${MOST} returning id`.execute(
    ctx.db,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new AppError('BAD_INPUT', { text: `快捷回复最多 ${MOST} 条，请先删除不用的` });
  return { id };
}

/** Takes a canned answer away. Throws FORBIDDEN, NOT_FOUND. */
export async function dropCanned(ctx: Context, staff: SessionStaff, id: number): Promise<void> {
  requirePermission(staff, 'chat.serve');
  const { rows } =
    await sql`update canned_answer set status = 2, updated_at = now() where id = ${id} and ${keptBy(staff)} returning id`.execute(
      ctx.db,
    );
  if (rows.length === 0) throw new AppError('NOT_FOUND');
}

/** Counts a use, so that what is used often stands first. */
export async function countCanned(ctx: Context, staff: SessionStaff, id: number): Promise<void> {
  requirePermission(staff, 'chat.serve');
  await sql`update canned_answer set uses = uses + 1 where id = ${id} and ${seenBy(staff)}`.execute(ctx.db);
}
