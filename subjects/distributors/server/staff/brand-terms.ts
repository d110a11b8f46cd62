/** Mark-up and commission of brands: a change requires two people once there are orders (decision 536). */
import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import type * as c from '#subjects/distributors/contract/staff-brands.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { inTransaction } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { announceBrands } from '../versions.ts';
import { checkRates, feesNeedSecond, insertTerms } from '../terms.ts';
import {
  approveRequest,
  openDraft,
  rejectRequest,
  requestOrConfirm,
  withdrawRequest,
} from '#server/staff/approvals.ts';

const ACTION = 'brand.terms';
const targetOf = (distId: number): `brand:${number}` => `brand:${distId}`;

/** Rates pending approval by a second person. */
interface Payload {
  base: number;
  markUpBp: number;
  commissionBp: number;
  from: string | null;
}

const checked = (call: StaffCall, rates: { markUpBp: number; commissionBp: number }): void => {
  checkRates(rates, call.ctx.dir.setting('fees').inviteBp);
};

/** The entered start, in China's time zone; null = immediately. Throws BAD_INPUT with the field. */
function startOf(typed: string): Date | null {
  if (typed === '') return null;
  const startsAt = new Date(typed.endsWith('+08:00') ? typed : `${typed}+08:00`);
  if (Number.isNaN(startsAt.getTime())) throw new AppError('BAD_INPUT', { text: '生效时间不存在', field: 'startTime' });
  return startsAt;
}

/**
 * Sets new rates from a time on, or stores them for approval by a second person. Platform staff only. Throws FORBIDDEN,
 * NOT_FOUND, BAD_INPUT, CONTENT_CHANGED, SETTING_DRAFT while another change is pending.
 */
export async function setTerms(
  call: StaffCall,
  input: Parsed<typeof c.setBrandTerms>,
): Promise<HandlerResult<typeof c.setBrandTerms>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'brand.terms');
  const { startTime, distId, reason, ...rates } = input;
  if (distId === PLATFORM_DIST_ID)
    throw new AppError('BAD_INPUT', { text: '平台自己的品牌没有加价和佣金，手续费在参数里改', field: 'commissionBp' });
  if (!ctx.dir.byId(distId)) throw errorOf('NOT_FOUND', 'brand');
  checked(call, rates);
  const startsAt = startOf(startTime);
  if (!(await feesNeedSecond(ctx.db))) {
    await inTransaction(ctx.db, (trx) =>
      insertTerms(trx, { id: staff.id, ip }, { ...rates, distId, reason, startsAt }),
    );
    await announceBrands(ctx);
    return { state: 'set' };
  }
  const payload: Payload = { ...rates, from: startsAt?.toISOString() ?? null };
  if (await openDraft(ctx.db, ACTION, targetOf(distId))) throw new AppError('SETTING_DRAFT');
  const request = { act: ACTION, target: targetOf(distId), amountFen: null, reason, distId: null, payload } as const;
  // Another change was stored concurrently, so the pending change is not this one.
  const isFirst = !(await requestOrConfirm(call, request, () => {}));
  const stored = await openDraft(ctx.db, ACTION, targetOf(distId));
  if (!isFirst || stored?.requestedBy !== staff.id) throw new AppError('SETTING_DRAFT');
  return { state: 'waiting' };
}

/** The rates pending approval by a second person. Throws FORBIDDEN. */
export async function termsDraft(
  { ctx, staff }: StaffCall,
  { distId }: Parsed<typeof c.brandTermsDraft>,
): Promise<HandlerResult<typeof c.brandTermsDraft>> {
  requirePlatform(staff, 'brand.terms');
  const draft = await openDraft<Payload>(ctx.db, ACTION, targetOf(distId));
  if (!draft) return { draft: null };
  const { id, name, requestedBy, reason, payload } = draft;
  const { markUpBp, commissionBp, from } = payload;
  const startTime = from === null ? null : new Date(from);
  const isMine = requestedBy === staff.id;
  return { draft: { draftId: id, markUpBp, commissionBp, startTime, reason, staffName: name, isMine } };
}

/**
 * The second person activates the rates, or rejects them; their author withdraws them. A start that has passed meanwhile
 * becomes now. Throws FORBIDDEN, SECOND_PERSON for the wrong person or when they are no longer open, CONTENT_CHANGED
 * when the terms were changed since.
 */
export async function decideTerms(
  call: StaffCall,
  { distId, draftId, act: action, reason }: Parsed<typeof c.decideBrandTerms>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'brand.terms');
  const target = targetOf(distId);
  await inTransaction(ctx.db, async (trx) => {
    const request = { act: ACTION, target, amountFen: null, reason, distId: null, draftId } as const;
    if (action !== 'approve') {
      await (action === 'reject' ? rejectRequest : withdrawRequest)(trx, call, request);
      return;
    }
    const draft = await openDraft<Payload>(trx, ACTION, target);
    if (!draft || draft.id !== draftId) throw new AppError('SECOND_PERSON', { text: '这条修改已处理或已过期，请刷新' });
    if (draft.requestedBy === staff.id) throw new AppError('SECOND_PERSON', { text: '须由另一位同事复核' });
    await approveRequest(trx, call, request);
    const { from, ...rates } = draft.payload;
    checked(call, rates);
    const planned = from === null ? null : new Date(from);
    const startsAt = planned && planned.getTime() > Date.now() ? planned : null;
    await insertTerms(trx, { id: draft.requestedBy, ip }, { ...rates, distId, startsAt, reason: draft.reason });
  });
  await announceBrands(ctx);
  return {};
}
