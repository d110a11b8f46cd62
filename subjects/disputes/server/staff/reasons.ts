/** Reasons of disputes in the back office. */
import type * as c from '#subjects/disputes/contract/staff-reasons.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { allReasons, reasonVersions, saveReason as store } from '../reasons.ts';

/** Every reason, retired ones last. Throws FORBIDDEN. */
export async function listReasons({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof c.disputeReasons>> {
  requirePlatform(staff, 'text.read');
  return { list: await allReasons(ctx.db), canEdit: staffCan(staff, 'text.write') };
}

/** The versions of a reason, newest first. Throws FORBIDDEN. */
export async function reasonHistory(
  { ctx, staff }: StaffCall,
  { code }: Parsed<typeof c.disputeReasonHistory>,
): Promise<HandlerResult<typeof c.disputeReasonHistory>> {
  requirePlatform(staff, 'text.read');
  return { list: await reasonVersions(ctx.db, code) };
}

/** Saves a reason. Throws FORBIDDEN, TEXT_CHANGED, BAD_INPUT with the field. */
export async function saveReason(
  { ctx, staff, ip }: StaffCall,
  input: Parsed<typeof c.saveDisputeReason>,
): Promise<HandlerResult<typeof c.saveDisputeReason>> {
  requirePlatform(staff, 'text.write');
  const goodsTypes = input.goodsTypes.length === 0 ? null : [...input.goodsTypes];
  const form = input.form.map(({ options, ...field }) => ({
    ...field,
    ...(field.kind === 'choice' && options && { options }),
  }));
  return await inTransaction(ctx.db, async (trx) => {
    const version = await store(trx, { ...input, goodsTypes, form, staffId: staff.id });
    const { name, orderStates, isOn, sort, reason } = input;
    const detail = { version, name, goodsTypes, orderStates, isOn, sort, fields: form.length, reason };
    await audit(trx, staff, 'text.reason', `reason:${input.code}`, detail, ip);
    return { version };
  });
}
