import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/inspections/contract/inspection.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission, requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { closeIfGone, finishTask, heldTask, isOwnAffair, readFields, recordReadings, requeue } from '../work.ts';
import { staffTaskView } from './task-list.ts';
import { lockedTask, readingRows, type TaskRow, taskRows } from '../rows.ts';
import { readCredentials } from '../credentials.ts';
import { pictureViews, readingView } from '../view.ts';
import {
  approveRequest,
  openDraft,
  rejectRequest,
  requestOrConfirm,
  secondPersonFen,
  storeRequest,
} from '#server/staff/approvals.ts';

const OPEN = 'inspection.open';
const REPAY = 'inspection.repay';
/** How long a colleague's approval of a reveal is valid. */
const ALLOWED_HOURS = 24;

const targetOf = (task: { id: number }) => `inspection:${task.id}` as const;

async function isAllowed(db: Trx, target: string, staffId: number): Promise<boolean> {
  const { rows } = await sql`
    select from approval where act = ${OPEN} and target = ${target} and status = 'allowed' and asked_by = ${staffId}
      and decided_at > now() - make_interval(hours => ${ALLOWED_HOURS})`.execute(db);
  return rows.length > 0;
}

/** Why the caller cannot claim a task; '' when that is possible. */
async function claimReason(call: StaffCall, task: TaskRow): Promise<string> {
  if (task.status === 'waiting') return '等卖家密封提交账号';
  if (await isOwnAffair(call.ctx.db, call.staff.id, task))
    return '您验过这个账号，或与它的卖家、买家用过同一浏览器，请交给同事';
  return '';
}

/** One task with its form. Throws FORBIDDEN, NOT_FOUND. */
export async function inspectionForStaff(
  call: StaffCall,
  input: Parsed<typeof c.staffInspectionInfo>,
): Promise<HandlerResult<typeof c.staffInspectionInfo>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'inspection.read');
  const task = (await taskRows(ctx.db, sql`t.id = ${input.taskId} ${ownSite(staff, sql`t.dist_id`)}`, 1))[0];
  if (!task) throw errorOf('NOT_FOUND', 'inspection');
  const target = targetOf(task);
  const action = task.status === 'review' ? REPAY : OPEN;
  const [all, readings, draft, allowed, why] = await Promise.all([
    catalogue(ctx),
    readingRows(ctx.db, [task.id]),
    openDraft(ctx.db, action, target),
    isAllowed(ctx.db, target, staff.id),
    claimReason(call, task),
  ]);
  const isHeld = task.status === 'claimed';
  return {
    ...staffTaskView(task, all, staff.id),
    fields: readFields(all, task).map((f) => ({ ...f })),
    readings: task.status === 'review' || task.status === 'done' ? readings.map(readingView) : [],
    pictures: pictureViews(task.pictures),
    openedNum: task.openedCount,
    canClaim: why === '' && (task.status === 'queued' || (isHeld && task.staffId !== staff.id)),
    canRecord: isHeld && task.staffId === staff.id,
    why: ['queued', 'claimed', 'waiting'].includes(task.status) ? why : '',
    needsSecond: task.priceFen > secondPersonFen(call),
    draft: draft
      ? {
          act: action === REPAY ? 'repay' : 'open',
          by: draft.name,
          reason: draft.reason,
          isMine: draft.requestedBy === staff.id,
        }
      : null,
    isAllowed: allowed,
  };
}

/**
 * Reveals the credentials to the holder of a task, with an audit entry in the same transaction; above the limit a
 * colleague must approve first. Ends a task whose listing no longer exists. Throws FORBIDDEN, NOT_FOUND, ORDER_STATE,
 * ORDER_FORBIDDEN, SEAL_NONE, BAD_INPUT.
 */
export async function openCredentials(
  call: StaffCall,
  input: Parsed<typeof c.staffInspectionOpen>,
): Promise<HandlerResult<typeof c.staffInspectionOpen>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'inspection.act');
  const outcome = await inTransaction(ctx.db, async (trx) => {
    const task = await heldTask(trx, staff.id, input.taskId);
    if (await closeIfGone(trx, task)) return 'gone' as const;
    const target = targetOf(task);
    if (task.priceFen > secondPersonFen(call) && !(await isAllowed(trx, target, staff.id))) return task;
    const form = await readCredentials(ctx, trx, task.id, staff.name);
    await audit(trx, staff, 'inspection.reveal', target, { count: form.count }, ip);
    return { form };
  });
  if (outcome === 'gone') throw errorOf('ORDER_STATE', 'inspectionClosed');
  if ('form' in outcome) return { waits: false, form: outcome.form };
  if (input.reason === undefined)
    throw new AppError('BAD_INPUT', { text: '金额较大，请写明为什么要打开，交给另一位同事复核', field: 'reason' });
  const request = { act: OPEN, target: targetOf(outcome), amountFen: outcome.priceFen, reason: input.reason } as const;
  const requireOther = async (trx: Trx): Promise<void> => {
    if (await isAllowed(trx, request.target, staff.id)) throw errorOf('ORDER_STATE', 'openingJustAllowed');
  };
  if (await requestOrConfirm(call, { ...request, distId: outcome.distId }, requireOther))
    throw new AppError('SECOND_PERSON', { text: '同事的打开申请正在等待复核' });
  return { waits: true, form: null };
}

/**
 * Stores the readings. A paid re-inspection that differs is stored as pending for a colleague, in the same transaction.
 */
export const record = (
  call: StaffCall,
  input: Parsed<typeof c.staffInspectionRecord>,
): Promise<HandlerResult<typeof c.staffInspectionRecord>> =>
  recordReadings(call, input, async (trx, task) => {
    const request = {
      act: REPAY,
      target: targetOf(task),
      amountFen: task.feeFen,
      reason: '复验结果与卖家填写不同',
    } as const;
    await storeRequest(trx, call, { ...request, distId: task.distId });
  });

/**
 * The second person's decision. On a reveal: allows it for a day, or rejects it. On a re-inspection that differs:
 * accepts the readings and has the fund repay the fee, or returns the task to the queue for a new reading. Throws
 * FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND, SECOND_PERSON, ORDER_STATE.
 */
export async function secondOnInspection(
  call: StaffCall,
  { taskId, act: action, allow, note }: Parsed<typeof c.staffInspectionSecond>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'inspection.act');
  requireFactor(call);
  const kind = action === 'open' ? OPEN : REPAY;
  await inTransaction(ctx.db, async (trx) => {
    const task = await lockedTask(trx, sql`t.id = ${taskId}`);
    const target = targetOf(task);
    if (task.status !== (action === 'open' ? 'claimed' : 'review')) throw errorOf('ORDER_STATE', 'justChanged');
    if (await isOwnAffair(trx, staff.id, task))
      throw new AppError('ORDER_FORBIDDEN', { text: '您与这个账号有关联，请交给别的同事复核' });
    const draft = await openDraft(trx, kind, target);
    if (!draft || draft.requestedBy === staff.id) throw new AppError('SECOND_PERSON');
    const reason = note ?? (allow ? '同意' : '退回');
    if (!allow) {
      await rejectRequest(trx, call, { act: kind, target, reason, draftId: draft.id });
      if (action === 'open') return;
      await requeue(ctx, trx, task.id);
      return;
    }
    const amountFen = action === 'open' ? task.priceFen : task.feeFen;
    await approveRequest(trx, call, { act: kind, target, amountFen, reason, draftId: draft.id, distId: task.distId });
    await audit(trx, staff, kind, target, { reason, author: draft.requestedBy }, ip);
    if (action === 'repay') await finishTask(ctx, trx, task, draft.id);
  });
  return {};
}
