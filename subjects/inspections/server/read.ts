import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/inspections/contract/inspection.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import type { Db } from '#server/db/client.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { isPublic, notAgain } from './request.ts';
import { readingRows, taskRows, type ReadingRow, type TaskRow } from './rows.ts';
import { claimStates, type ClaimState, type InspectionSetting, OPEN_STATES, wrongPaysFen } from './rules.ts';
import { pictureViews, readingView, taskView } from './view.ts';
import { contestable } from './wrong.ts';

const DAY_MS = 86_400_000;

interface Goods {
  id: number;
  sellerId: number;
  typeId: number;
  status: number;
  inspectedAt: Date | null;
  taskId: number | null;
  isOpen: boolean;
}

async function loadGoods(db: Db, sn: string): Promise<Goods | undefined> {
  const { rows } = await sql<Goods>`
    select g.id, g.seller_id as "sellerId", g.type_id as "typeId", g.status, g.inspected_at as "inspectedAt",
      (select max(i.task_id) from inspection i where i.goods_id = g.id) as "taskId",
      exists (select from inspection_task t where t.goods_id = g.id and t.status = any(${[...OPEN_STATES]}::text[])) as "isOpen"
    from goods g where g.sn = ${sn.toUpperCase()}`.execute(db);
  return rows[0];
}

type Record = HandlerResult<typeof c.inspectionOf>['record'];

/** The valid inspection, with its proof. */
async function loadRecord(db: Db, goods: Goods, setting: InspectionSetting): Promise<Record> {
  if (goods.taskId === null) return null;
  const task = (await taskRows(db, sql`t.id = ${goods.taskId}`, 1))[0];
  if (!task?.doneAt) return null;
  const { inspectedAt } = goods;
  return {
    reader: `客服${(task.staffName ?? '').replace(/^(平台)?客服/, '')}`,
    doneTime: task.doneAt,
    untilTime: inspectedAt && new Date(inspectedAt.getTime() + setting.validDays * DAY_MS),
    // If the seller has corrected the listing, no differences are shown.
    differs: inspectedAt === null ? task.differs : 0,
    readings: (await readingRows(db, [task.id])).map(readingView),
    pictures: pictureViews(task.pictures),
  };
}

/** A listing's public inspections, with the caller's available actions. Throws GOODS_NOT_FOUND. */
export async function loadInspections(
  call: Call,
  input: Parsed<typeof c.inspectionOf>,
): Promise<HandlerResult<typeof c.inspectionOf>> {
  const { ctx, caller } = call;
  const goods = await loadGoods(ctx.db, input.goodsSn);
  const userId = caller.user?.id ?? 0;
  const isMine = goods?.sellerId === userId;
  if (!goods || (!isMine && !isPublic(goods.status))) throw new AppError('GOODS_NOT_FOUND');
  const setting = ctx.dir.setting('inspection');
  const isAccount = accountTypes.includes(goods.typeId);
  const why = isAccount && !isMine ? await notAgain(ctx.db, setting, goods, userId) : '';
  return {
    record: await loadRecord(ctx.db, goods, setting),
    isOpen: goods.isOpen,
    isMine,
    canAsk: isMine && isAccount && !goods.isOpen && goods.status === GoodsStatus.OnSale,
    canAgain: isAccount && !isMine && why === '' && !goods.isOpen,
    againReason: goods.isOpen ? '已有验号在进行' : why,
    fee: setting.feeFen,
    againDays: setting.againDays,
  };
}

type List = HandlerResult<typeof c.inspectionList>;

interface ClaimRow {
  claimId: number;
  orderSn: string;
  title: string;
  label: string;
  reading: string;
  found: string;
  amount: number;
  status: ClaimState;
  note: string;
  createTime: Date;
}

async function loadClaims(db: Db, buyerId: number): Promise<List['claims']> {
  const { rows } = await sql<ClaimRow>`
    select k.id as "claimId", o.sn as "orderSn", o.snapshot->>'title' as title, k.label, k.reading, k.found, k.amount_fen as amount, k.status, k.note,
      k.created_at as "createTime"
    from inspection_claim k join orders o on o.id = k.order_id where k.buyer_id = ${buyerId} order by k.id desc limit 50`.execute(
    db,
  );
  return rows.map((r) => ({ ...r, statusName: claimStates[r.status] }));
}

async function loadOrders(db: Db, buyerId: number, setting: InspectionSetting): Promise<List['orders']> {
  // If staff have set both parts to zero, no claims are accepted.
  const isOn = setting.wrongBp > 0 || setting.wrongMinFen > 0;
  const orders = isOn ? await contestable(db, buyerId, setting.wrongDays) : [];
  const readings = await readingRows(
    db,
    orders.map(({ taskId }) => taskId),
  );
  return orders.map((o) => ({
    orderId: o.orderId,
    orderSn: o.orderSn,
    title: o.title,
    amount: wrongPaysFen(o.priceFen, setting),
    untilTime: o.untilAt,
    readings: readings.filter((r) => r.taskId === o.taskId && r.said !== '' && r.found !== '').map(readingView),
  }));
}

interface Seen {
  me: number;
  readings: readonly ReadingRow[];
  current: ReadonlySet<number>;
}

function itemOf(
  t: TaskRow,
  { me, readings, current }: Seen,
): Omit<List['list'][number], keyof ReturnType<typeof taskView>> {
  const isSeller = t.sellerId === me;
  const isOpen = t.status === 'waiting' || t.status === 'queued';
  const isMine = isSeller ? t.requestedBy === 'seller' : t.buyerId === me;
  // The buyer sees the readings once they are valid.
  const isRead = t.status === 'done';
  return {
    isSeller,
    canSeal: isSeller && t.status === 'waiting',
    canWithdraw: isOpen && isMine,
    canCorrect: isSeller && isRead && t.differs > 0 && current.has(t.id),
    openedNum: isSeller ? t.openedCount : 0,
    readings: isRead ? readings.filter((r) => r.taskId === t.id).map(readingView) : [],
    pictures: isRead ? pictureViews(t.pictures) : [],
  };
}

const PAGE = 20;

/** The caller's inspections, newest first, with the claims on readings and the orders open to a claim. */
export async function listInspections(call: UserCall, input: Parsed<typeof c.inspectionList>): Promise<List> {
  const { ctx, user } = call;
  const setting = ctx.dir.setting('inspection');
  const limit = input.pageSize ?? PAGE;
  const after = decodeId(input.cursor);
  const mine = sql`(g.seller_id = ${user.id} or t.buyer_id = ${user.id})`;
  const rows = await taskRows(ctx.db, sql`${mine} and t.id < ${after ?? Number.MAX_SAFE_INTEGER}`, limit + 1);
  const tasks = rows.slice(0, limit);
  const ids = tasks.map(({ id }) => id);
  const [all, readings, current, claims, orders, total] = await Promise.all([
    catalogue(ctx),
    readingRows(ctx.db, ids),
    sql<{ id: number }>`
      select distinct i.task_id as id from inspection i join goods g on g.id = i.goods_id
      where i.task_id = any(${ids}::bigint[]) and g.inspected_at is null and g.status in (${sql.lit(GoodsStatus.OnSale)}, ${sql.lit(GoodsStatus.OffSale)}, ${sql.lit(GoodsStatus.Hidden)})`.execute(
      ctx.db,
    ),
    after === undefined ? loadClaims(ctx.db, user.id) : [],
    after === undefined ? loadOrders(ctx.db, user.id, setting) : [],
    sql<{ n: number }>`
      select count(*)::int as n from (select from inspection_task t join goods g on g.id = t.goods_id where ${mine} limit 1001) x`.execute(
      ctx.db,
    ),
  ]);
  const seen = { me: user.id, readings, current: new Set(current.rows.map(({ id }) => id)) };
  const last = tasks.at(-1);
  const n = total.rows[0]?.n ?? 0;
  return {
    list: tasks.map((t) => ({ ...taskView(t, all), ...itemOf(t, seen) })),
    claims,
    orders,
    total: Math.min(n, 1000),
    totalCapped: n > 1000,
    next: rows.length > limit && last ? encodeCursor([last.id]) : null,
  };
}
