import { sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/staff.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { StaffStatus } from '#contract/rules/statuses.ts';
import { isStaffPermission, type StaffPermission } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { permissionsOf } from '#server/access/session.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { endStaffSessions } from '#subjects/accounts/server/service.ts';
import { releaseGroups } from '#subjects/chat/server/service.ts';
import { createStaff } from './create.ts';
import { deliverInvite, type Invite, openInvite } from './invites.ts';
import { lockPerson, lockStaff, requireAdminLeft, type RoleRow, roleByCode, type StaffRow } from './queries.ts';
import { ADMIN_ROLE, mayManage, notGivable, permissionText, reaches } from './rules.ts';

/** A colleague that the caller may change, locked. Throws NOT_FOUND, STAFF_SELF, STAFF_MORE. */
export async function lockManaged(trx: Trx, { staff }: StaffCall, staffId: number): Promise<StaffRow> {
  await lockStaff(trx, staff);
  const person = await lockPerson(trx, staffId);
  if (!person || !reaches(staff, person.distId)) throw errorOf('NOT_FOUND', 'staff');
  if (person.id === staff.id) throw new AppError('STAFF_SELF');
  if (!mayManage(staff, person)) throw new AppError('STAFF_MORE');
  return person;
}

type SaveInput = Parsed<typeof c.saveStaff>;

interface Grant {
  role: RoleRow;
  single: StaffPermission[];
  distId: number | null;
}

/**
 * Role, individual permissions and site of the form, checked against the permissions that the caller may grant. Throws
 * BAD_INPUT, STAFF_MORE.
 */
async function loadGrant(trx: Trx, { ctx, staff }: StaffCall, input: SaveInput): Promise<Grant> {
  const distId = input.distId ?? null;
  if (!reaches(staff, distId)) throw new AppError('STAFF_MORE', { text: '只能管理本站的员工', field: 'distId' });
  if (distId !== null && ctx.dir.byId(distId) === undefined)
    throw new AppError('BAD_INPUT', { text: '没有这个站点', field: 'distId' });
  const role = await roleByCode(trx, input.role);
  if (!role || (role.distId !== null && role.distId !== distId))
    throw new AppError('BAD_INPUT', { text: '没有这个角色，或它属于别的站点', field: 'role' });
  if (role.siteOnly && distId === null)
    throw new AppError('BAD_INPUT', { text: '这个角色只用于分销站，请选择站点', field: 'distId' });
  const ofRole = permissionsOf(role.code, role.permissions, []);
  if ((role.code === ADMIN_ROLE && staff.role !== ADMIN_ROLE) || notGivable(staff, ofRole))
    throw new AppError('STAFF_MORE', { text: '这个角色有您没有的权限，不能授予', field: 'role' });
  const single = input.permissions.filter(isStaffPermission);
  if (notGivable(staff, single)) throw new AppError('STAFF_MORE', { field: 'permissions' });
  return { role, single: single.filter((permission) => !ofRole.includes(permission)), distId };
}

const grantDetail = ({ role, single, distId }: Grant) => ({
  role: role.name,
  permissions: permissionText(single),
  ...(distId !== null && { distId }),
});

async function addPerson(trx: Trx, call: StaffCall, input: SaveInput): Promise<{ id: number; invite: Invite }> {
  const { ctx, staff, ip } = call;
  if (input.login === undefined) throw new AppError('BAD_INPUT', { text: '请输入登录名', field: 'login' });
  await lockStaff(trx, staff);
  const grant = await loadGrant(trx, call, input);
  const created = await createStaff(trx, ctx.keys, {
    login: input.login,
    name: input.name,
    role: grant.role.code,
    permissions: grant.single,
    distId: grant.distId ?? undefined,
    email: input.email || undefined,
  });
  if (!created) throw new AppError('STAFF_LOGIN_TAKEN', { field: 'login' });
  const detail = { login: input.login, ...grantDetail(grant) };
  await audit(trx, staff, 'staff.create', `staff:${created.id}`, detail, ip);
  const sets = { password: true, factor: true };
  return { id: created.id, invite: await openInvite(trx, ctx, { staffId: created.id, by: staff.id, sets }) };
}

async function changePerson(trx: Trx, call: StaffCall, staffId: number, input: SaveInput): Promise<void> {
  const { staff, ip } = call;
  const person = await lockManaged(trx, call, staffId);
  const grant = await loadGrant(trx, call, input);
  await sql`update staff set name = ${input.name}, email = ${input.email || null}, role = ${grant.role.code},
    permissions = ${grant.single}::text[], dist_id = ${grant.distId} where id = ${staffId}`.execute(trx);
  if (person.role === ADMIN_ROLE) await requireAdminLeft(trx);
  // A session is bound to the site for which it was created.
  if (person.distId !== grant.distId) await endStaffSessions(trx, staffId);
  const before = `${person.roleName}，${permissionText(person.single)}`;
  await audit(trx, staff, 'staff.edit', `staff:${staffId}`, { login: person.login, ...grantDetail(grant), before }, ip);
}

/**
 * Creates a member of staff, who sets password and second factor through a one-time URL, or changes name, mail, role,
 * individual permissions and site of one. No one can grant permissions that they lack. Throws FORBIDDEN,
 * FACTOR_REQUIRED, NOT_FOUND, STAFF_SELF, STAFF_MORE, STAFF_LOGIN_TAKEN, LAST_ADMIN, BAD_INPUT.
 */
export async function saveStaff(call: StaffCall, input: SaveInput): Promise<HandlerResult<typeof c.saveStaff>> {
  requirePermission(call.staff, 'staff.manage');
  requireFactor(call);
  const { ctx } = call;
  const { staffId } = input;
  if (staffId !== undefined) {
    await inTransaction(ctx.db, (trx) => changePerson(trx, call, staffId, input));
    return { staffId, invite: null };
  }
  const { id, invite } = await inTransaction(ctx.db, (trx) => addPerson(trx, call, input));
  const person = { name: input.name, login: input.login ?? '', email: input.email || null };
  return { staffId: id, invite: await deliverInvite(ctx, person, invite) };
}

/**
 * Disables a colleague, which ends all sessions on all nodes with the next request and passes their conversations to others, or enables
 * one. Repeating it changes nothing. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND, STAFF_SELF, STAFF_MORE, LAST_ADMIN.
 */
export async function setStatus(
  call: StaffCall,
  { staffId, state, reason }: Parsed<typeof c.setStaffStatus>,
): Promise<Record<string, never>> {
  requirePermission(call.staff, 'staff.manage');
  requireFactor(call);
  const { ctx, staff, ip } = call;
  const person = await inTransaction(ctx.db, async (trx) => {
    const one = await lockManaged(trx, call, staffId);
    const [from, to] =
      state === 'disabled' ? [StaffStatus.Active, StaffStatus.Disabled] : [StaffStatus.Disabled, StaffStatus.Active];
    const { rows } =
      await sql`update staff set status = ${to}, disabled_at = case when ${state === 'disabled'} then now() end
      where id = ${staffId} and status = ${from} returning id`.execute(trx);
    if (rows.length === 0) return undefined;
    if (state === 'disabled') {
      if (one.role === ADMIN_ROLE) await requireAdminLeft(trx);
      await endStaffSessions(trx, staffId);
      await sql`delete from staff_invite where staff_id = ${staffId} and used_at is null`.execute(trx);
    }
    const detail = { login: one.login, reason };
    await audit(trx, staff, state === 'disabled' ? 'staff.disable' : 'staff.enable', `staff:${staffId}`, detail, ip);
    return one;
  });
  if (person && state === 'disabled') await releaseGroups(ctx, person);
  return {};
}

/**
 * Resets a colleague's password, second factor or both, ends their sessions and creates the one-time URL for setting
 * them again. Factors that were never set are also set through it. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND,
 * STAFF_SELF, STAFF_MORE, BAD_INPUT.
 */
export async function resetStaff(
  call: StaffCall,
  { staffId, what, reason }: Parsed<typeof c.resetStaff>,
): Promise<HandlerResult<typeof c.resetStaff>> {
  requirePermission(call.staff, 'staff.manage');
  requireFactor(call);
  const { ctx, staff, ip } = call;
  const { person, invite } = await inTransaction(ctx.db, async (trx) => {
    const one = await lockManaged(trx, call, staffId);
    if (one.status !== StaffStatus.Active) throw new AppError('BAD_INPUT', { text: '已停用的员工请先启用' });
    const sets = { password: what !== 'factor' || !one.hasPassword, factor: what !== 'password' || !one.hasFactor };
    await sql`update staff set password_hash = case when ${sets.password} then null else password_hash end,
      totp_secret_enc = case when ${sets.factor} then null else totp_secret_enc end where id = ${staffId}`.execute(trx);
    await endStaffSessions(trx, staffId);
    const action = what === 'password' ? 'staff.resetPassword' : 'staff.resetFactor';
    await audit(trx, staff, action, `staff:${staffId}`, { login: one.login, password: sets.password, reason }, ip);
    return { person: one, invite: await openInvite(trx, ctx, { staffId, by: staff.id, sets }) };
  });
  return await deliverInvite(ctx, person, invite);
}
