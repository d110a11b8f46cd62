import { sql } from 'kysely';
import type { Field } from '#subjects/games/contract/games.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/inspections/contract/inspection.ts';
import { showValue } from '#subjects/games/rules/attr-text.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Catalogue, catalogue } from '#subjects/games/server/service.ts';
import { storeInspection } from '#subjects/goods/server/service.ts';
import { staffPictures } from '#subjects/media/server/service.ts';
import { checkedDetails } from '#subjects/valuation/server/service.ts';
import { closeTask } from './close.ts';
import { earnFee } from './money.ts';
import { lockedTask, readingRows, type ReadingRow, type TaskRow } from './rows.ts';
import { notifyBuyer, notifySeller } from './notify.ts';

/** The fields of a game's accounts that an inspector reads: those on offer, without free text. */
export const readFields = (all: Catalogue, task: Pick<TaskRow, 'gameId' | 'typeId'>): readonly Field[] =>
  all.openFieldsOf(task.gameId, task.typeId).filter(({ kind }) => kind !== 'text');

/** Staff neither read accounts of a user whose browser they have used, nor an account that they have read before at a buyer's request. */
export async function isOwnAffair(
  db: Trx,
  staffId: number,
  task: Pick<TaskRow, 'id' | 'goodsId' | 'kind' | 'sellerId' | 'buyerId'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from staff_browser s join user_browser u on u.browser_hash = s.browser_hash
      where s.staff_id = ${staffId} and u.user_id in (${task.sellerId}, ${task.buyerId})
    union all
    select from inspection_task t where t.goods_id = ${task.goodsId} and t.id <> ${task.id} and t.staff_id = ${staffId}
      and ${task.kind} = 'again' and t.status = 'done' limit 1`.execute(db);
  return rows.length > 0;
}

const NOT_YOURS = '您验过这个账号，或与它的卖家、买家用过同一浏览器，请交给同事';

/**
 * Takes a task out of the queue; one that a colleague has held too long may be taken over. Only one of two concurrent calls succeeds. `back`
 * returns it. Throws FORBIDDEN, NOT_FOUND, ORDER_STATE.
 */
export async function claimTask(
  call: StaffCall,
  input: Parsed<typeof c.staffInspectionClaim>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'inspection.act');
  await inTransaction(ctx.db, async (trx) => {
    const task = await lockedTask(trx, sql`t.id = ${input.taskId}`);
    const isMine = task.status === 'claimed' && task.staffId === staff.id;
    const target = `inspection:${task.id}` as const;
    if (input.back === true) {
      if (!isMine) throw errorOf('ORDER_STATE', 'inspectionOfColleague');
      await sql`update inspection_task set status = 'queued', staff_id = null, claimed_at = null where id = ${task.id}`.execute(
        trx,
      );
      await audit(trx, staff, 'inspection.release', target, {}, ip);
      return;
    }
    if (isMine) return;
    const { claimSeconds } = ctx.dir.setting('inspection');
    const isHeldTooLong =
      task.status === 'claimed' && Date.now() - (task.claimedAt?.getTime() ?? 0) > claimSeconds * 1000;
    if (task.status !== 'queued' && !isHeldTooLong)
      throw new AppError('ORDER_STATE', {
        text: task.status === 'claimed' ? '同事已经领取' : '这张验号单现在不能领取',
      });
    if (await isOwnAffair(trx, staff.id, task)) throw new AppError('ORDER_FORBIDDEN', { text: NOT_YOURS });
    await sql`update inspection_task set status = 'claimed', staff_id = ${staff.id}, claimed_at = now() where id = ${task.id}`.execute(
      trx,
    );
    await audit(trx, staff, 'inspection.claim', target, { from: task.staffId }, ip);
  });
  return {};
}

/** The task if the caller holds it and its listing is still on sale. Throws ORDER_STATE, ORDER_FORBIDDEN. */
export async function heldTask(trx: Trx, staffId: number, taskId: number): Promise<TaskRow> {
  const task = await lockedTask(trx, sql`t.id = ${taskId}`);
  if (task.status !== 'claimed') throw errorOf('ORDER_STATE', 'inspectionNotClaimed');
  if (task.staffId !== staffId) throw new AppError('ORDER_FORBIDDEN', { text: '只有领取的同事可以处理' });
  return task;
}

const isOnSale = (task: TaskRow): boolean =>
  task.goodsStatus === GoodsStatus.OnSale || task.goodsStatus === GoodsStatus.Hidden;

/** Ends a held task whose listing is no longer on sale; returns whether it did. */
export async function closeIfGone(trx: Trx, task: TaskRow): Promise<boolean> {
  if (isOnSale(task)) return false;
  await closeTask(trx, task, '商品已不在售');
  return true;
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) => {
    if (Array.isArray(v)) return v.map((x) => JSON.stringify(x)).toSorted();
    return typeof v === 'object' && v !== null
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v;
  });

type NewReading = Omit<ReadingRow, 'taskId'>;

/** The readings next to the seller's values. Stated fields must be read. Throws BAD_INPUT with the field. */
export function compared(
  fields: readonly Field[],
  attrs: Record<string, unknown>,
  found: Record<string, unknown>,
): NewReading[] {
  const isEmpty = (v: unknown): boolean =>
    v === undefined || v === null || v === '' || (Array.isArray(v) && v.length === 0);
  return fields.map((field) => {
    const [said, value] = [attrs[field.key], found[field.key]];
    const mayBeEmpty = field.kind === 'multi' || field.kind === 'item_count';
    if (!isEmpty(said) && isEmpty(value) && !mayBeEmpty)
      throw new AppError('BAD_INPUT', { text: `请填写读到的${field.label}`, field: `details.${field.key}` });
    return {
      field: field.key,
      label: field.label,
      said: isEmpty(said) ? '' : showValue(field, said, false),
      found: isEmpty(value) ? '' : showValue(field, value, false),
      value: isEmpty(value) ? null : value,
      differs: !isEmpty(said) && sorted(said) !== sorted(isEmpty(value) ? null : value),
    };
  });
}

async function storeReadings(trx: Trx, taskId: number, readings: readonly NewReading[]): Promise<void> {
  for (const r of readings)
    await sql`insert into inspection_reading (task_id, field, label, said, found, value, differs)
      values (${taskId}, ${r.field}, ${r.label}, ${r.said}, ${r.found}, ${r.value === null ? null : JSON.stringify(r.value)}::jsonb, ${r.differs})
      on conflict (task_id, field) do update set label = excluded.label, said = excluded.said, found = excluded.found, value = excluded.value,
        differs = excluded.differs, created_at = now()`.execute(trx);
}

/**
 * Completes a locked task with its stored readings: updates the listing and its history, and notifies both parties. With the `approvalId` of
 * two people, the fund repays the fee.
 */
export async function finishTask(ctx: Context, trx: Trx, task: TaskRow, approvalId: number | null): Promise<void> {
  const readings = await readingRows(trx, [task.id]);
  const differs = readings.filter((r) => r.differs).length;
  await sql`update inspection_task set status = 'done', done_at = now() where id = ${task.id}`.execute(trx);
  await earnFee(trx, task, approvalId);
  await storeInspection(ctx, trx, {
    goodsId: task.goodsId,
    taskId: task.id,
    reader: `客服${(task.staffName ?? '').replace(/^(平台)?客服/, '')}`,
    staffId: task.staffId ?? 0,
    readings,
  });
  await cancel(trx, 'inspection.due', task.id);
  const advice = '账号已由客服登录过，建议修改密码。';
  if (differs === 0)
    await notifySeller(trx, task, '验号通过', `商品 ${task.goodsSn} 验号结果与填写一致，已显示「已验号」。${advice}`);
  else
    await notifySeller(
      trx,
      task,
      '验号有差异',
      `商品 ${task.goodsSn} 有 ${differs} 项与填写不同，已在商品页公示；按验号结果更正后显示「已验号」。${advice}`,
    );
  await notifyBuyer(
    trx,
    { ref: `inspection:${task.id}`, buyerId: task.buyerId },
    differs === 0 ? '复验一致' : '复验有差异',
    differs === 0
      ? `商品 ${task.goodsSn} 与卖家填写一致，验号结果已更新。`
      : `商品 ${task.goodsSn} 有 ${differs} 项不同${task.feeFen > 0 ? `，复验费 ${yuanLabel(task.feeFen)} 元已由包赔基金退还` : ''}。`,
  );
}

/**
 * Stores the readings of a task's holder. Without differences, or if no fee was paid, they take effect immediately; a re-inspection with
 * differences goes to a colleague, by `review` in the same transaction. Throws FORBIDDEN, NOT_FOUND, ORDER_STATE, ORDER_FORBIDDEN, BAD_INPUT
 * with the field.
 */
export async function recordReadings(
  call: StaffCall,
  input: Parsed<typeof c.staffInspectionRecord>,
  review: (trx: Trx, task: TaskRow) => Promise<void>,
): Promise<HandlerResult<typeof c.staffInspectionRecord>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'inspection.act');
  const pictures = input.pictures ?? [];
  if (pictures.length === 0) throw new AppError('BAD_INPUT', { text: '请上传验号截图', field: 'pictures' });
  await staffPictures(ctx.db, staff.id, 'evidence', pictures);
  const all = await catalogue(ctx);
  return await inTransaction(ctx.db, async (trx) => {
    const task = await heldTask(trx, staff.id, input.taskId);
    if (await closeIfGone(trx, task)) return { status: 'closed', differs: 0 };
    if (task.openedCount === 0) throw errorOf('ORDER_STATE', 'inspectionNotOpened');
    const fields = readFields(all, task);
    const readings = compared(fields, task.attrs, checkedDetails(fields, input.details));
    if (readings.every(({ found }) => found === ''))
      throw new AppError('BAD_INPUT', { text: '请至少填写一项验号结果', field: `details.${fields[0]?.key ?? ''}` });
    const differs = readings.filter((r) => r.differs).length;
    await storeReadings(trx, task.id, readings);
    const waits = differs > 0 && task.feeFen > 0;
    await sql`update inspection_task set pictures = ${JSON.stringify(pictures)}::jsonb, differs = ${differs},
      status = case when ${waits} then 'review' else status end where id = ${task.id}`.execute(trx);
    await audit(trx, staff, 'inspection.record', `inspection:${task.id}`, { differs, pictures, waits }, ip);
    if (waits) await review(trx, task);
    else await finishTask(ctx, trx, task, null);
    return { status: waits ? 'review' : 'done', differs };
  });
}

/** Puts a task that a colleague did not confirm back into the queue, to be read again, with a new clock. The caller holds its lock. */
export async function requeue(ctx: Context, trx: Trx, taskId: number): Promise<void> {
  const { workSeconds } = ctx.dir.setting('inspection');
  await sql`update inspection_task set status = 'queued', staff_id = null, claimed_at = null, due_at = now() + make_interval(secs => ${workSeconds})
    where id = ${taskId}`.execute(trx);
  await schedule(trx, 'inspection.due', taskId, { seconds: workSeconds });
}
