import { sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/passkeys.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { endStaffSessions } from '#subjects/accounts/server/service.ts';
import { approveRequest, rejectRequest, requestOrConfirm } from '#server/staff/approvals.ts';
import { removeAllPasskeys } from './passkeys.ts';
import { lockManaged } from './people.ts';

const ACTION = 'staff.recover';
const NO_PASSKEYS = '这位员工没有通行密钥';

async function requirePasskeys(trx: Trx, staffId: number): Promise<void> {
  const { rows } = await sql`select from staff_passkey where staff_id = ${staffId} limit 1`.execute(trx);
  if (rows.length === 0) throw new AppError('BAD_INPUT', { text: NO_PASSKEYS });
}

/**
 * Removes the passkeys of a colleague who has lost them, who then logs in with password and code and registers a new one: one person
 * requests it, a second one approves or rejects it. Neither may be the colleague. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND,
 * STAFF_SELF, STAFF_MORE, SECOND_PERSON, BAD_INPUT when there is no passkey.
 */
export async function recoverPasskeys(
  call: StaffCall,
  { staffId, act: action, reason }: Parsed<typeof c.recoverPasskeys>,
): Promise<HandlerResult<typeof c.recoverPasskeys>> {
  requirePermission(call.staff, 'staff.manage');
  requireFactor(call);
  const { ctx, staff, ip } = call;
  const target = `staff:${staffId}` as const;
  const person = await inTransaction(ctx.db, (trx) => lockManaged(trx, call, staffId));
  const request = { act: ACTION, target, amountFen: null, reason, distId: person.distId } as const;
  if (action === 'reject') {
    await inTransaction(ctx.db, (trx) => rejectRequest(trx, call, request));
    return { state: 'rejected' };
  }
  if (!(await requestOrConfirm(call, request, (trx) => requirePasskeys(trx, staffId)))) return { state: 'waiting' };
  await inTransaction(ctx.db, async (trx) => {
    await lockManaged(trx, call, staffId);
    await approveRequest(trx, call, request);
    const removed = await removeAllPasskeys(trx, staffId);
    if (removed === 0) throw new AppError('BAD_INPUT', { text: NO_PASSKEYS });
    await endStaffSessions(trx, staffId);
    await audit(trx, staff, ACTION, target, { login: person.login, passkeys: removed, reason }, ip);
  });
  return { state: 'done' };
}
