import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/inspections/contract/inspection.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { StaffCall, UserCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { adoptReadings } from '#subjects/goods/server/service.ts';
import { closeTask } from './close.ts';
import { escrowFee } from './money.ts';
import { lockedTask, readingRows } from './rows.ts';
import { type InspectionSetting, OPEN_STATES } from './rules.ts';
import { checkedCredentials, type SealedValues, saveCredentials } from './credentials.ts';
import { notifySeller } from './notify.ts';

const settingOf = (ctx: Context) => ctx.dir.setting('inspection');

/** The fields of a listing needed for a request; its row is locked. */
interface Listing {
  id: number;
  sn: string;
  title: string;
  distId: number;
  sellerId: number;
  typeId: number;
  status: number;
  priceFen: number;
  inspectedAt: Date | null;
}

async function lockedGoods(trx: Trx, sn: string): Promise<Listing> {
  const { rows } = await sql<Listing>`
    select id, sn, title, dist_id as "distId", seller_id as "sellerId", type_id as "typeId", status, price_fen as "priceFen", inspected_at as "inspectedAt"
    from goods where sn = ${sn.toUpperCase()} for update`.execute(trx);
  const goods = rows[0];
  if (!goods) throw new AppError('GOODS_NOT_FOUND');
  return goods;
}

/** Throws GOODS_STATE for a listing that cannot be inspected now. */
async function requireFree(trx: Trx, goods: Listing): Promise<void> {
  if (!accountTypes.includes(goods.typeId)) throw errorOf('GOODS_STATE', 'inspectionOfAccountsOnly');
  if (goods.status !== GoodsStatus.OnSale) throw errorOf('GOODS_STATE', 'inspectionNotOnSale');
  const { rows } = await sql`
    select from inspection_task where goods_id = ${goods.id} and status = any(${[...OPEN_STATES]}::text[])`.execute(
    trx,
  );
  if (rows.length > 0) throw errorOf('GOODS_STATE', 'inspectionPending');
}

interface NewTask {
  kind: 'first' | 'again';
  requestedBy: 'seller' | 'staff' | 'buyer';
  buyerId?: number;
  feeFen?: number;
  sealed?: Buffer;
}

/** Stores a task that waits for its credentials. The caller holds the listing's lock. */
async function addTask(ctx: Context, trx: Trx, goods: Listing, task: NewTask): Promise<{ id: number; dueAt: Date }> {
  const { sealSeconds } = settingOf(ctx);
  const { rows } = await sql<{ id: number; dueAt: Date }>`
    insert into inspection_task (dist_id, goods_id, kind, asked_by, buyer_id, fee_fen, due_at)
    values (${goods.distId}, ${goods.id}, ${task.kind}, ${task.requestedBy}, ${task.buyerId ?? null}, ${task.feeFen ?? 0}, now() + make_interval(secs => ${sealSeconds}))
    returning id, due_at as "dueAt"`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('insert into inspection_task returned no row');
  await schedule(trx, 'inspection.due', row.id, { seconds: sealSeconds });
  return row;
}

/** Seals a waiting task and puts it into staff's queue. The caller holds its lock. Returns the end of staff's clock. */
async function enqueue(ctx: Context, trx: Trx, taskId: number, fields: SealedValues): Promise<Date> {
  const { workSeconds } = settingOf(ctx);
  await saveCredentials(ctx, trx, taskId, fields);
  const { rows } = await sql<{ dueAt: Date }>`
    update inspection_task set status = 'queued', due_at = now() + make_interval(secs => ${workSeconds}) where id = ${taskId}
    returning due_at as "dueAt"`.execute(trx);
  await schedule(trx, 'inspection.due', taskId, { seconds: workSeconds });
  return rows[0]?.dueAt ?? new Date();
}

/**
 * The seller has a listing on sale inspected, with its credentials sealed. Of two concurrent requests one is stored. Throws GOODS_NOT_FOUND,
 * GOODS_STATE, BAD_INPUT with the field.
 */
export async function askInspection(
  call: UserCall,
  input: Parsed<typeof c.inspectionAsk>,
): Promise<HandlerResult<typeof c.inspectionAsk>> {
  const fields = checkedCredentials(input.fields);
  const stored = await inTransaction(call.ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      const goods = await lockedGoods(trx, input.goodsSn);
      if (goods.sellerId !== call.user.id) throw new AppError('GOODS_NOT_FOUND');
      await requireFree(trx, goods);
      const { id } = await addTask(call.ctx, trx, goods, { kind: 'first', requestedBy: 'seller' });
      const dueAt = await enqueue(call.ctx, trx, id, fields);
      return { taskId: id, dueTime: dueAt.toISOString() };
    }),
  );
  return { taskId: stored.taskId, dueTime: new Date(stored.dueTime) };
}

/** The seller seals the credentials for an inspection, or replaces them before staff take it. Throws NOT_FOUND, ORDER_STATE, BAD_INPUT. */
export async function sealInspection(
  call: UserCall,
  input: Parsed<typeof c.inspectionSeal>,
): Promise<Record<string, never>> {
  const fields = checkedCredentials(input.fields);
  await inTransaction(call.ctx.db, async (trx) => {
    const task = await lockedTask(trx, sql`t.id = ${input.taskId} and g.seller_id = ${call.user.id}`);
    if (task.status === 'waiting') await enqueue(call.ctx, trx, task.id, fields);
    else if (task.status === 'queued') await saveCredentials(call.ctx, trx, task.id, fields);
    else throw errorOf('ORDER_STATE', 'inspectionAccountNotNeeded');
  });
  return {};
}

/** Why a buyer cannot request a re-inspection; '' when possible. */
export async function notAgain(
  db: Trx,
  setting: InspectionSetting,
  goods: Pick<Listing, 'sellerId' | 'inspectedAt' | 'status'>,
  userId: number,
): Promise<string> {
  if (goods.sellerId === userId) return '自己的商品请直接申请验号';
  if (goods.status !== GoodsStatus.OnSale) return '商品在售时才能复验';
  if (goods.inspectedAt === null) return '没有有效的验号记录，请联系卖家先验号';
  if (Date.now() - goods.inspectedAt.getTime() < setting.againDays * 86_400_000)
    return `验号满 ${setting.againDays} 天后可以复验`;
  const { rows } = await sql<{ linked: boolean; today: number }>`
    select cardinality(user_links(${userId}, ${goods.sellerId})) > 0 as linked,
      (select count(*)::int from inspection_task where buyer_id = ${userId} and created_at > now() - interval '1 day') as today`.execute(
    db,
  );
  if (rows[0]?.linked === true) return '您与卖家的账号有关联，不能申请复验';
  return (rows[0]?.today ?? 0) >= setting.perDay ? `每天最多申请 ${setting.perDay} 次复验，请明天再试` : '';
}

/**
 * A buyer requests a re-inspection of a listing some days after the last one; the fee goes into escrow. Throws GOODS_NOT_FOUND, GOODS_STATE,
 * BALANCE_LOW, STEP_UP_REQUIRED.
 */
export async function askAgain(
  call: UserCall,
  input: Parsed<typeof c.inspectionAgain>,
): Promise<HandlerResult<typeof c.inspectionAgain>> {
  const { ctx, user } = call;
  await requireStepUp(call, 'pay', { payPassword: input.payPassword });
  const setting = settingOf(ctx);
  const stored = await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      // Serialise one buyer's requests, so that the daily limit holds.
      await sql`select from app_user where id = ${user.id} for no key update`.execute(trx);
      const goods = await lockedGoods(trx, input.goodsSn);
      await requireFree(trx, goods);
      const why = await notAgain(trx, setting, goods, user.id);
      if (why !== '') throw new AppError('GOODS_STATE', { text: why });
      const { feeFen } = setting;
      const task = await addTask(ctx, trx, goods, { kind: 'again', requestedBy: 'buyer', buyerId: user.id, feeFen });
      await escrowFee(trx, { id: task.id, distId: goods.distId, buyerId: user.id, feeFen });
      await notifySeller(
        trx,
        { ...goods, id: task.id, sellerId: goods.sellerId },
        '有买家申请复验',
        `商品 ${goods.sn}：请密封提交账号供客服复验，不收您费用；结果一致，验号日期更新。`,
      );
      return { taskId: task.id, fee: feeFen, dueTime: task.dueAt.toISOString() };
    }),
  );
  return { ...stored, dueTime: new Date(stored.dueTime) };
}

/** Withdraws the user's own request until staff take it; the fee is returned in full. Throws NOT_FOUND, ORDER_STATE. */
export async function withdrawInspection(
  call: UserCall,
  input: Parsed<typeof c.inspectionWithdraw>,
): Promise<Record<string, never>> {
  const me = call.user.id;
  await inTransaction(call.ctx.db, async (trx) => {
    const task = await lockedTask(
      trx,
      sql`t.id = ${input.taskId} and ((t.asked_by = 'seller' and g.seller_id = ${me}) or t.buyer_id = ${me})`,
    );
    if (task.status === 'closed') return;
    if (task.status !== 'waiting' && task.status !== 'queued') throw errorOf('ORDER_STATE', 'inspectionUnderWay');
    await closeTask(trx, task, '已撤回');
  });
  return {};
}

/** The seller applies the readings to the listing, which then counts as inspected. Throws NOT_FOUND, ORDER_STATE. */
export async function correctListing(
  call: UserCall,
  input: Parsed<typeof c.inspectionCorrect>,
): Promise<Record<string, never>> {
  const { ctx, user } = call;
  await inTransaction(ctx.db, async (trx) => {
    const task = await lockedTask(trx, sql`t.id = ${input.taskId} and g.seller_id = ${user.id}`);
    const readings = await readingRows(trx, [task.id]);
    const changed = readings.filter((r) => r.differs);
    const adopted =
      task.doneAt !== null &&
      (await adoptReadings(ctx, trx, {
        goodsId: task.goodsId,
        sellerId: user.id,
        taskId: task.id,
        values: Object.fromEntries(changed.filter((r) => r.value !== null).map((r) => [r.field, r.value])),
        absent: changed.filter((r) => r.value === null).map((r) => r.field),
        at: task.doneAt,
      }));
    if (!adopted) throw errorOf('ORDER_STATE', 'inspectionOutdated');
  });
  return {};
}

/** Staff pick a listing; its seller is asked to submit the credentials. Throws FORBIDDEN, GOODS_NOT_FOUND, GOODS_STATE. */
export async function pickListing(
  call: StaffCall,
  input: Parsed<typeof c.staffInspectionPick>,
): Promise<HandlerResult<typeof c.staffInspectionPick>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'inspection.act');
  return await inTransaction(ctx.db, async (trx) => {
    const goods = await lockedGoods(trx, input.goodsSn);
    await requireFree(trx, goods);
    const { id } = await addTask(ctx, trx, goods, { kind: 'first', requestedBy: 'staff' });
    await audit(trx, staff, 'inspection.pick', `inspection:${id}`, { goodsSn: goods.sn }, ip);
    await notifySeller(
      trx,
      { id, sellerId: goods.sellerId },
      '平台邀请免费验号',
      `商品 ${goods.sn}：请密封提交账号，客服免费验号，通过后显示「已验号」。`,
    );
    return { taskId: id };
  });
}

/** Whether a visitor may see a listing's inspections: it was published once. */
export const isPublic = (status: number): boolean =>
  status !== GoodsStatus.Draft &&
  status !== GoodsStatus.Reviewing &&
  status !== GoodsStatus.Rejected &&
  status !== GoodsStatus.Removed;
