import { sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/staff.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { StaffStatus } from '#contract/rules/statuses.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { endStaffSessions, staffSessions } from '#subjects/accounts/server/service.ts';
import { lockManaged } from './people.ts';

/** The sessions of a colleague or of the caller. Throws FORBIDDEN, NOT_FOUND. */
export async function listStaffSessions(
  { ctx, staff }: StaffCall,
  { staffId }: Parsed<typeof c.staffSessionList>,
): Promise<HandlerResult<typeof c.staffSessionList>> {
  if (staffId !== staff.id) requirePermission(staff, 'staff.read');
  const { rows } = await sql<{ browsers: number }>`
    select (select count(*)::int from staff_browser b where b.staff_id = s.id) as browsers from staff s
    where s.id = ${staffId} and s.status <> ${StaffStatus.System} ${ownSite(staff, sql`s.dist_id`)}`.execute(ctx.db);
  if (!rows[0]) throw errorOf('NOT_FOUND', 'staff');
  return { list: await staffSessions(ctx.db, staffId, staff.sessionHash), browsers: rows[0].browsers };
}

/**
 * Ends one session of a colleague or all; ending all also deletes their known browsers. For the caller, all sessions
 * except the current one. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND, STAFF_MORE.
 */
export async function endSessions(
  call: StaffCall,
  { staffId, sessionId }: Parsed<typeof c.endStaffSession>,
): Promise<HandlerResult<typeof c.endStaffSession>> {
  const { ctx, staff, ip } = call;
  const isSelf = staffId === staff.id;
  if (!isSelf) {
    requirePermission(staff, 'staff.manage');
    requireFactor(call);
  }
  return await inTransaction(ctx.db, async (trx) => {
    if (!isSelf) await lockManaged(trx, call, staffId);
    const ended = await endStaffSessions(trx, staffId, { except: staff.sessionHash, id: sessionId });
    if (!isSelf && sessionId === undefined)
      await sql`delete from staff_browser where staff_id = ${staffId}`.execute(trx);
    if (ended > 0) await audit(trx, staff, 'staff.signOut', `staff:${staffId}`, { sessions: ended }, ip);
    return { ended };
  });
}
