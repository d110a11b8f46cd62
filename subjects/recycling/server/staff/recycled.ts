import { sql } from 'kysely';
import type { staffRecycleTaken } from '#subjects/recycling/contract/account-recycling.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { refundableFen } from '#subjects/disputes/rules/ruling.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { openCaseFor } from '#subjects/disputes/server/service.ts';
import { releaseHold } from '#subjects/ledger/server/service.ts';
import { isOpenedForTakeOver, lockedOrder } from '#subjects/orders/server/service.ts';
import { hasRead, isPlatforms } from '../accounts/rows.ts';
import { requestFor } from '../accounts/inspect.ts';
import { approveRequest, requestOrConfirm } from '#server/staff/approvals.ts';

const TAKEN = 'recycle.taken';
const NOT_AS_READ = 'not_as_described';

/**
 * Opens the platform's case, its only way to state that it did not receive what it paid for. Throws ORDER_DISPUTED,
 * DISPUTE_UNAVAILABLE.
 */
async function contest(call: StaffCall, orderId: number, note: string): Promise<void> {
  const { ctx, staff, ip } = call;
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    if (order.disputed) throw new AppError('ORDER_DISPUTED');
    const opened = await openCaseFor(ctx, trx, order, {
      party: 'buyer',
      actor: `staff:${staff.id}`,
      reason: NOT_AS_READ,
      wantFen: refundableFen(order),
      text: note,
      explain: '平台收下的账号无法接管或与验号结果不符',
    });
    if (!opened) throw new AppError('DISPUTE_UNAVAILABLE');
    await audit(trx, staff, 'recycle.contested', `order:${order.sn}`, { note }, ip);
  });
}

/** Throws ORDER_STATE when the seller's money is already released, or is blocked by a case. */
async function requireHeld(trx: Trx, orderId: number): Promise<void> {
  const { rows } = await sql`
    select from hold where code = 'sale_protection' and ref = ${String(orderId)} and released_at is null and release_at is not null`.execute(
    trx,
  );
  if (rows.length === 0) throw errorOf('ORDER_STATE', 'takeOverJustConfirmed');
}

/** Throws ORDER_STATE before the caller has opened the account himself: he cannot know that it was taken over. */
async function requireOpened(db: Db, orderId: number, staffId: number): Promise<void> {
  if (!(await isOpenedForTakeOver(db, orderId, staffId))) throw errorOf('ORDER_STATE', 'takeOverNotOpened');
}

/**
 * Staff have taken over an account that the platform bought: its seller's money is released, which nothing but a ruling does otherwise, once
 * two have confirmed it, neither of whom inspected it and each of whom has opened the account (decision 746). With `failed` a case is opened in the platform's name (decision 307). Throws FORBIDDEN,
 * NOT_FOUND, ORDER_STATE, ORDER_DISPUTED, SECOND_PERSON, BAD_INPUT.
 */
export async function platformTook(
  call: StaffCall,
  input: Parsed<typeof staffRecycleTaken>,
): Promise<HandlerResult<typeof staffRecycleTaken>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'order.act');
  requireFactor(call);
  const r = await requestFor(call, input.requestSn);
  if (r.status !== 'paid' || r.orderId === null || !(await isPlatforms(ctx.db, r.bestQuoteId)))
    throw errorOf('ORDER_STATE', 'takeOverOfPlatformOnly');
  const { orderId } = r;
  if (await hasRead(ctx.db, r, staff.id))
    throw new AppError('FORBIDDEN', { text: '验号的同事不能自己确认接管，请换一位' });
  if (input.failed === true) {
    const note = input.note ?? '';
    if (note.length < 5) throw new AppError('BAD_INPUT', { text: '请写明哪里不符，至少 5 个字', field: 'note' });
    await contest(call, orderId, note);
    return { waits: false };
  }
  if (!r.isHeld) return { waits: false };
  await requireOpened(ctx.db, orderId, staff.id);
  const target = `order:${r.orderSn ?? ''}` as const;
  const amountFen = Math.max(1, (r.bestFen ?? 0) - r.cutFen);
  const request = { act: TAKEN, target, amountFen, reason: '已接管账号', distId: null } as const;
  if (!(await requestOrConfirm(call, request, (trx) => requireHeld(trx, orderId)))) return { waits: true };
  const isFree = await releaseHold(ctx.db, { orderId }, '平台确认已接管账号', async (trx) => {
    await approveRequest(trx, call, request);
    await audit(trx, staff, TAKEN, target, { requestSn: r.sn }, ip);
  });
  // A case may have been opened since the request was read: the money is released only when its hold has ended.
  if (!isFree && (await requestFor(call, input.requestSn)).isHeld) throw new AppError('ORDER_DISPUTED');
  return { waits: false };
}
