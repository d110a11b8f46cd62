import type * as c from '#subjects/verification/contract/staff-trust.ts';
import type { AuditAction, AuditTarget } from '#subjects/back-office/rules/audit.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { inTransaction } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  addStaffEntry,
  decideBlackAppeal,
  decideBlackEntry,
  decideFakeReport,
  type TrustDecision,
} from './black-decisions.ts';
import { appealQueue, blackQueue, fakeQueue, officialNumbers, registerNumber, retireNumber } from './black-queues.ts';
import { audit } from '#server/audit/audit.ts';
import { requirePermission } from '#server/access/permissions.ts';

/** A decision with its audit entry in the same transaction. */
function decision(call: StaffCall, action: AuditAction, target: AuditTarget): TrustDecision {
  const { staff, ip } = call;
  return {
    staffId: staff.id,
    distId: staff.distId,
    also: (trx, detail) => audit(trx, staff, action, target, detail, ip),
  };
}

/** The queue of reports, and the listed accounts. Throws FORBIDDEN. */
export async function listReports(
  call: StaffCall,
  input: Parsed<typeof c.staffBlackList>,
): Promise<HandlerResult<typeof c.staffBlackList>> {
  requirePermission(call.staff, 'trust.read');
  return await blackQueue(call.ctx, { ...input, distId: call.staff.distId });
}

/** Throws FORBIDDEN, BAD_INPUT, BLACK_STATE. */
export async function decideReport(
  call: StaffCall,
  input: Parsed<typeof c.decideBlack>,
): Promise<Record<string, never>> {
  requirePermission(call.staff, 'trust.decide');
  await decideBlackEntry(call.ctx, decision(call, `black.${input.act}`, `black:${input.blackSn}`), input);
  return {};
}

/** Throws FORBIDDEN, BAD_INPUT, BLACK_STATE. */
export async function addEntry(
  call: StaffCall,
  input: Parsed<typeof c.addBlack>,
): Promise<HandlerResult<typeof c.addBlack>> {
  const { ctx, staff, ip, idem } = call;
  requirePermission(staff, 'trust.decide');
  return await inTransaction(ctx.db, (trx) =>
    idempotent(trx, idem, async () => {
      const blackSn = await addStaffEntry(ctx, trx, { staffId: staff.id, distId: staff.distId }, input);
      await audit(trx, staff, 'black.add', `black:${blackSn}`, { reason: input.reason, days: input.days }, ip);
      return { blackSn };
    }),
  );
}

/** Pending appeals. Throws FORBIDDEN. */
export async function listAppeals(
  call: StaffCall,
  input: Parsed<typeof c.staffAppealList>,
): Promise<HandlerResult<typeof c.staffAppealList>> {
  requirePermission(call.staff, 'trust.read');
  return await appealQueue(call.ctx, { ...input, distId: call.staff.distId, staffId: call.staff.id });
}

/** Throws FORBIDDEN, BLACK_STATE, BLACK_OTHER_PERSON. */
export async function settleAppeal(
  call: StaffCall,
  input: Parsed<typeof c.decideAppeal>,
): Promise<Record<string, never>> {
  requirePermission(call.staff, 'trust.decide');
  await decideBlackAppeal(call.ctx, decision(call, 'black.appeal', `appeal:${input.appealId}`), input);
  return {};
}

/** Reports of fake customer service. Contact numbers are not masked, so only staff who may decide can read them. Throws FORBIDDEN. */
export async function listFakes(
  call: StaffCall,
  input: Parsed<typeof c.staffFakeList>,
): Promise<HandlerResult<typeof c.staffFakeList>> {
  requirePermission(call.staff, 'trust.decide');
  return await fakeQueue(call.ctx, { ...input, distId: call.staff.distId });
}

/** Throws FORBIDDEN, BAD_INPUT, BLACK_STATE. */
export async function decideFake(call: StaffCall, input: Parsed<typeof c.decideFake>): Promise<Record<string, never>> {
  requirePermission(call.staff, 'trust.decide');
  await decideFakeReport(call.ctx, decision(call, `fake.${input.act}`, `fake:${input.reportId}`), input);
  return {};
}

/** Our official contact numbers. Throws FORBIDDEN. */
export async function listNumbers(
  call: StaffCall,
  input: Parsed<typeof c.staffNumberList>,
): Promise<HandlerResult<typeof c.staffNumberList>> {
  requirePermission(call.staff, 'trust.read');
  return await officialNumbers(call.ctx, { ...input, distId: call.staff.distId });
}

/** Registers a number for the caller's distributor, or for every site. Throws FORBIDDEN, BAD_INPUT. */
export async function addNumber(
  call: StaffCall,
  input: Parsed<typeof c.addNumber>,
): Promise<HandlerResult<typeof c.addNumber>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'number.edit');
  const numberId = await inTransaction(ctx.db, async (trx) => {
    const id = await registerNumber(ctx, trx, { ...input, distId: staff.distId, staffId: staff.id });
    await audit(trx, staff, 'number.add', `number:${id}`, { kind: input.kind, name: input.name }, ip);
    return id;
  });
  return { numberId };
}

/** Throws FORBIDDEN, NOT_FOUND. */
export async function endNumber(
  call: StaffCall,
  { numberId }: Parsed<typeof c.endNumber>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'number.edit');
  await inTransaction(ctx.db, async (trx) => {
    if (!(await retireNumber(trx, numberId, staff.distId))) throw new AppError('NOT_FOUND');
    await audit(trx, staff, 'number.end', `number:${numberId}`, {}, ip);
  });
  return {};
}
