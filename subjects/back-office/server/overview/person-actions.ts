import { sql } from 'kysely';
import type { personNote, personSignOut, personUnmask } from '#subjects/back-office/contract/person.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { endSessions, loadPhone } from '#subjects/accounts/server/service.ts';
import { loadRealName } from '#subjects/verification/server/service.ts';
import { requirePerson } from './person.ts';

/** Maximum reveals of masked fields by one member of staff per hour. */
const SHOWINGS = 60;
const HOUR = 3600;

/** Reveals a masked field, with an audit entry before it is read. Throws FORBIDDEN, NOT_FOUND, RATE_LIMITED. */
export async function unmask(
  call: StaffCall,
  { userId, field }: Parsed<typeof personUnmask>,
): Promise<HandlerResult<typeof personUnmask>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'user.unmask');
  const id = await requirePerson(call, userId);
  if (!(await sharedHit(ctx.db, `staff.unmask:${staff.id}`, SHOWINGS, HOUR)))
    throw new AppError('RATE_LIMITED', { text: `每小时最多查看 ${SHOWINGS} 次完整资料，请稍后再试` });
  await audit(ctx.db, staff, 'user.unmask', `user:${id}`, { fields: field === 'phone' ? '手机号' : '姓名' }, ip);
  const value = field === 'phone' ? await loadPhone(ctx, id) : await loadRealName(ctx, id);
  if (value === undefined || value === '') throw errorOf('NOT_FOUND', 'userField');
  return { value };
}

/** Adds a note about a user. Throws FORBIDDEN, NOT_FOUND. */
export async function addNote(
  call: StaffCall,
  { userId, text }: Parsed<typeof personNote>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  const id = await requirePerson(call, userId);
  await inTransaction(ctx.db, async (trx) => {
    await sql`insert into staff_note (user_id, dist_id, staff_id, text) values (${id}, ${staff.distId}, ${staff.id}, ${text})`.execute(
      trx,
    );
    await audit(trx, staff, 'user.note', `user:${id}`, { note: text }, ip);
  });
  return {};
}

/** Ends sessions of a user. Throws FORBIDDEN, NOT_FOUND. */
export async function signOut(
  call: StaffCall,
  { userId, sessionId, reason }: Parsed<typeof personSignOut>,
): Promise<HandlerResult<typeof personSignOut>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'user.freeze');
  const id = await requirePerson(call, userId);
  const ended = await endSessions(ctx, id, sessionId, (trx, sessions) =>
    audit(trx, staff, 'user.signOut', `user:${id}`, { sessions, reason }, ip),
  );
  return { ended };
}
