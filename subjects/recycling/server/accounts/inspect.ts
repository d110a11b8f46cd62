import { showValue } from '#subjects/games/rules/attr-text.ts';
import { sql } from 'kysely';
import type {
  staffRecycleInfo,
  staffRecycleInspect,
  staffRecycleList,
} from '#subjects/recycling/contract/account-recycling.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { StaffCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { ownSite, requirePermission, requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { openDraft } from '#server/staff/approvals.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Catalogue, catalogue } from '#subjects/games/server/service.ts';
import { staffPictures } from '#subjects/media/server/service.ts';
import { completeStepIn, isOpenedForTakeOver, resumeClocks, termsForSystem } from '#subjects/orders/server/service.ts';
import {
  accountFields,
  checkedDetails,
  cutBp,
  MAX_CUT_BP,
  MIN_FLOOR_FEN,
  valueAccount,
} from '#subjects/valuation/server/service.ts';
import { settle, notifySeller } from './decide.ts';
import {
  hasRead,
  hasReadRequest,
  isPlatforms,
  lockedRequest,
  moveTo,
  platformSpent,
  requestRows,
  type RequestRow,
} from './rows.ts';
import { briefForStaff, isBlind } from './view.ts';

const BP = 10_000;
const CHECK_STEP = 'check_login';

interface Reading {
  field: string;
  label: string;
  said: string;
  found: string;
  cutFen: number;
  staffId: number;
}

/** The readings of the stated fields and the deduction for each, in fen; together at most MAX_CUT_BP. */
function readingsOf(all: Catalogue, r: RequestRow, found: Record<string, unknown>, staffId: number): Reading[] {
  const fields = new Map(accountFields(all, r.gameId).map((f) => [f.key, f]));
  let leftFen = Math.floor(((r.bestFen ?? 0) * MAX_CUT_BP) / BP);
  return r.cuts.map((cut) => {
    const field = fields.get(cut.field);
    const value = found[cut.field];
    if (value === undefined && field?.kind !== 'multi' && field?.kind !== 'item_count')
      throw new AppError('BAD_INPUT', { text: `请填写读到的${cut.label}`, field: `details.${cut.field}` });
    const cutFen = Math.min(leftFen, Math.round(((r.bestFen ?? 0) * cutBp(cut, value)) / BP));
    leftFen -= cutFen;
    return {
      field: cut.field,
      label: cut.label,
      said: cut.said,
      found: field ? showValue(field, value, false) : '',
      cutFen,
      staffId,
    };
  });
}

/**
 * The platform pays at most the floor that the account would have had with its inspected values: fixed parts of the floor do not fall with
 * the price, so the table alone would reward a false statement. The difference is added to the largest line.
 */
async function cappedByFloor(
  ctx: Context,
  r: RequestRow,
  found: Record<string, unknown>,
  readings: readonly Reading[],
): Promise<Reading[]> {
  const cutFen = readings.reduce((sum, x) => sum + x.cutFen, 0);
  if (cutFen === 0 || !(await isPlatforms(ctx.db, r.bestQuoteId))) return [...readings];
  const attrs = { ...r.details, ...found } as typeof r.details;
  const valuation = await valueAccount(ctx, r.gameId, { attrs, areaId: r.areaId });
  // If the floor would be too low to be offered, the lowest floor is the limit.
  const isWorthLittle = valuation !== undefined && !valuation.floor;
  const floorFen = isWorthLittle ? MIN_FLOOR_FEN : (valuation?.floor?.floorFen ?? 0);
  const moreFen = floorFen === 0 ? 0 : Math.max(0, (r.bestFen ?? 0) - cutFen - floorFen);
  const largest = readings.reduce((a, b) => (b.cutFen > a.cutFen ? b : a));
  return readings.map((x) => (x === largest ? { ...x, cutFen: x.cutFen + moreFen } : x));
}

async function storedReadings(db: Trx, requestId: number): Promise<Reading[]> {
  const { rows } = await sql<Reading>`
    select field, label, said, found, cut_fen as "cutFen", staff_id as "staffId" from recycle_reading where request_id = ${requestId} order by field`.execute(
    db,
  );
  return rows;
}

async function storeReadings(
  trx: Trx,
  requestId: number,
  readings: readonly Reading[],
  pictures: readonly string[],
): Promise<void> {
  for (const r of readings)
    await sql`insert into recycle_reading (request_id, field, label, said, found, cut_fen, staff_id, pictures)
      values (${requestId}, ${r.field}, ${r.label}, ${r.said}, ${r.found}, ${r.cutFen}, ${r.staffId}, ${JSON.stringify(pictures)}::jsonb)
      on conflict (request_id, field) do update set found = excluded.found, cut_fen = excluded.cut_fen, staff_id = excluded.staff_id, pictures = excluded.pictures, created_at = now()`.execute(
      trx,
    );
}

/** A colleague has already read the account, with the same values. */
function isConfirmed(
  readBy: number | null,
  before: readonly Reading[],
  now: readonly Reading[],
  staffId: number,
): boolean {
  return (
    readBy !== null &&
    readBy !== staffId &&
    before.length === now.length &&
    now.every((n) => before.some((b) => b.field === n.field && b.found === n.found))
  );
}

/** A request for the staff of its site. Throws NOT_FOUND. */
export async function requestFor({ ctx, staff }: StaffCall, requestSn: string): Promise<RequestRow> {
  const row = (await requestRows(ctx.db, sql`r.sn = ${requestSn} ${ownSite(staff, sql`r.dist_id`)}`, 1))[0];
  if (!row) throw errorOf('NOT_FOUND', 'recycling');
  return row;
}

/** Why a request cannot be inspected by a member of staff now; '' when it can. */
async function notNow(call: StaffCall, r: RequestRow): Promise<string> {
  if (r.status !== 'accepted' || r.orderId === null) return '不在验号阶段';
  if (call.staff.distId !== null && (await isPlatforms(call.ctx.db, r.bestQuoteId)))
    return '平台收下的账号由平台客服验号';
  const { rows } = await sql<{ staffId: number | null; sealed: boolean }>`
    select staff_id as "staffId", exists (select from sealed_credential c where c.order_id = o.id) as sealed from orders o where id = ${r.orderId}`.execute(
    call.ctx.db,
  );
  const order = rows[0];
  if (!order?.sealed) return '卖家还没有密封提交账号';
  const isOwn = order.staffId === call.staff.id || staffCan(call.staff, 'chat.supervise');
  return isOwn ? '' : '只有负责这个订单的客服可以提交验号结果';
}

/**
 * Marks the order's step of the inspection done, with the pictures as its proof, in the transaction that stores the readings: a step that is
 * done without a reading would show both parties an inspection that nobody made.
 */
async function finishCheck(call: StaffCall, trx: Trx, orderId: number, pictures: readonly string[]): Promise<void> {
  const { ctx, staff } = call;
  const { rows } = await sql<{ step: number }>`
    select step from order_handover where order_id = ${orderId} and key = ${CHECK_STEP} and done_at is null`.execute(
    trx,
  );
  const step = rows[0]?.step;
  const order = await termsForSystem(trx, { id: orderId });
  if (step === undefined || !order) return;
  const who = { role: 'staff', staffId: staff.id, mayActForSeller: false } as const;
  await completeStepIn(ctx, trx, order, who, { step, pictures });
}

/**
 * Stores the readings of an account. If they match the statement, it is paid immediately; otherwise its owner decides. Above the limit of one
 * person a colleague reads it again, and only equal readings count. Throws FORBIDDEN, NOT_FOUND, ORDER_STATE, BAD_INPUT by field.
 */
export async function inspectAccount(
  call: StaffCall,
  input: Parsed<typeof staffRecycleInspect>,
): Promise<HandlerResult<typeof staffRecycleInspect>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'order.act');
  requireFactor(call);
  const seen = await requestFor(call, input.requestSn);
  // Staff of a brand may not decide on the platform's own money.
  if (await isPlatforms(ctx.db, seen.bestQuoteId)) requirePlatform(staff, 'order.act');
  const why = await notNow(call, seen);
  if (why !== '') throw new AppError('ORDER_STATE', { text: why });
  const pictures = input.pictures ?? [];
  if (pictures.length === 0) throw new AppError('BAD_INPUT', { text: '请上传验号截图', field: 'pictures' });
  const all = await catalogue(ctx);
  const found = checkedDetails(accountFields(all, seen.gameId), input.details);
  const readings = await cappedByFloor(ctx, seen, found, readingsOf(all, seen, found, staff.id));
  await staffPictures(ctx.db, staff.id, 'evidence', pictures);
  const limitFen = ctx.dir.setting('withdraw').secondPersonFen;
  const { answerSeconds } = ctx.dir.setting('recycling');
  return await inTransaction(ctx.db, async (trx) => {
    const r = await lockedRequest(trx, sql`r.id = ${seen.id}`);
    if (r?.status !== 'accepted') throw errorOf('ORDER_STATE', 'justChanged');
    await finishCheck(call, trx, r.orderId ?? 0, pictures);
    const cut = readings.reduce((sum, x) => sum + x.cutFen, 0);
    const waits =
      (r.bestFen ?? 0) > limitFen && !isConfirmed(r.readBy, await storedReadings(trx, r.id), readings, staff.id);
    await storeReadings(trx, r.id, readings, pictures);
    const target = `order:${r.orderSn ?? ''}` as const;
    await audit(trx, staff, 'recycle.inspect', target, { cut, waits, pictures }, ip);
    if (waits) {
      await sql`update recycle_request set read_by = ${staff.id} where id = ${r.id}`.execute(trx);
      return { status: r.status, waits: true, cut };
    }
    if (cut === 0) {
      await settle(ctx, trx, r, { cutFen: 0, staffId: staff.id });
      return { status: 'paid', waits: false, cut };
    }
    await moveTo(trx, r.id, 'reconfirm', { cutFen: cut, dueSeconds: answerSeconds });
    await schedule(trx, 'recycle.due', r.id, { seconds: answerSeconds });
    const order = await termsForSystem(trx, { id: r.orderId ?? 0 });
    if (order) await resumeClocks(trx, order, { shipSeconds: answerSeconds });
    await notifySeller(
      trx,
      r,
      '验号有差异',
      `回收单 ${r.sn} 按公布的数减价 ${yuanLabel(cut)} 元，接受就付款，接管账号后到账；不接受免费取回。`,
    );
    return { status: 'reconfirm', waits: false, cut };
  });
}

const readingView = (r: Reading) => ({ key: r.field, label: r.label, said: r.said, found: r.found, cut: r.cutFen });

/** Readings of a request for display. */
export const readingsView = async (db: Trx, requestId: number) =>
  (await storedReadings(db, requestId)).map(readingView);

/** One request with its form for the inspector. Throws FORBIDDEN, NOT_FOUND. */
export async function inspection(
  call: StaffCall,
  input: { requestSn: string },
): Promise<HandlerResult<typeof staffRecycleInfo>> {
  requirePermission(call.staff, 'order.read');
  const r = await requestFor(call, input.requestSn);
  const all = await catalogue(call.ctx);
  const isWaiting = r.isHeld && r.heldUntil !== null && (await isPlatforms(call.ctx.db, r.bestQuoteId));
  const isReader = await hasRead(call.ctx.db, r, call.staff.id);
  const canTake = isWaiting && call.staff.distId === null && !isReader;
  const first = isWaiting ? await openDraft(call.ctx.db, 'recycle.taken', `order:${r.orderSn ?? ''}`) : undefined;
  // What is paid needs no word about an inspection.
  const why = isWaiting && !canTake ? '等两位没有验号的同事接管账号' : r.status === 'paid' ? '' : await notNow(call, r);
  return {
    ...briefForStaff(r, all, isReader),
    fields: accountFields(all, r.gameId)
      .filter((f) => r.cuts.some((c) => c.field === f.key))
      .map((f) => ({ ...f })),
    readings: isBlind(r, isReader) ? [] : await readingsView(call.ctx.db, r.id),
    canInspect: r.status === 'accepted' && why === '',
    why,
    canTake,
    hasOpened: canTake && r.orderId !== null && (await isOpenedForTakeOver(call.ctx.db, r.orderId, call.staff.id)),
    taken: first ? { name: first.name, isMine: first.requestedBy === call.staff.id } : null,
  };
}

/** Requests by state, newest first, with what the platform has spent of its budget. Throws FORBIDDEN. */
export async function listForStaff(
  call: StaffCall,
  input: Parsed<typeof staffRecycleList>,
): Promise<HandlerResult<typeof staffRecycleList>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'order.read');
  const all = await catalogue(ctx);
  const limit = input.pageSize ?? 20;
  const offset = ((input.pages ?? 1) - 1) * limit;
  const site = ownSite(staff, sql`r.dist_id`);
  const rows = await requestRows(
    ctx.db,
    sql`(${input.status ?? ''} = '' or r.status = ${input.status ?? ''}) ${site}`,
    limit + 1,
    offset,
  );
  const ids = rows.map((r) => r.id);
  const [{ rows: more }, { rows: counts }] = await Promise.all([
    sql<{
      id: number;
      bids: number;
      sealed: boolean;
      staffId: number | null;
      turnDue: Date | null;
      hasRead: boolean;
    }>`
      select r.id, (select count(*)::int from recycle_quote q where q.request_id = r.id) as bids, o.staff_id as "staffId", order_turn_due(o.id) as "turnDue",
        exists (select from sealed_credential c where c.order_id = r.order_id) as sealed, ${hasReadRequest(staff.id)} as "hasRead"
      from recycle_request r left join orders o on o.id = r.order_id where r.id = any(${ids}::bigint[])`.execute(
      ctx.db,
    ),
    sql<{
      status: string;
      n: number;
    }>`select r.status, count(*)::int as n from recycle_request r where true ${site} group by 1`.execute(ctx.db),
  ]);
  return {
    list: rows.slice(0, limit).map((r) => {
      const m = more.find((x) => x.id === r.id);
      return {
        ...briefForStaff(r, all, m?.hasRead ?? false),
        // Both parties see the clock of the order's step, not that of the request, which ended with the sealing.
        ...(r.status === 'accepted' && { dueTime: m?.turnDue ?? null }),
        // The account is paid and waits for the take-over; null while a case has stopped the clock.
        ...(r.isHeld && { dueTime: r.heldUntil }),
        userId: r.userId,
        bidNum: m?.bids ?? 0,
        orderId: r.orderId,
        sealed: m?.sealed ?? false,
        isMine: m?.staffId === staff.id || staffCan(staff, 'chat.supervise'),
      };
    }),
    // A distributor's staff may not handle the platform's own purchases.
    ...(staff.distId === null && {
      spent: await platformSpent(ctx.db),
      budget: ctx.dir.setting('recycling').budgetFen,
    }),
    counts: Object.fromEntries(counts.map((c) => [c.status, c.n])),
    total: offset + Math.min(rows.length, limit),
    totalCapped: rows.length > limit,
    next: null,
  };
}
