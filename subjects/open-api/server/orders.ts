import { sql, type RawBuilder } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { openOrderDetail, openOrderList } from '#subjects/open-api/contract/open-api.ts';
import { orderStatusName } from '#subjects/orders/rules/order-status.ts';
import type { UserCall } from '#server/access/call.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';

type Item = HandlerResult<typeof openOrderList>['list'][number];

const PAGE = 20;
const MAX_COUNT = 1000;

interface Row {
  id: number;
  orderSn: string;
  goodsSn: string | null;
  bigTitle: string;
  goodsNum: number;
  unitPrice: number;
  goodsPrice: number;
  commission: number;
  typeId: number;
  status: number;
  disputed: boolean;
  createTime: Date;
  payTime: Date | null;
  shipByTime: Date | null;
  shipTime: Date | null;
  completeTime: Date | null;
}

/** An order in the view of a seller's program, without data of the buyer. */
const COLUMNS = sql`o.id, o.sn as "orderSn", o.goods_sn as "goodsSn", coalesce(o.snapshot->>'title', '') as "bigTitle", o.goods_num as "goodsNum",
  o.unit_price_fen as "unitPrice", o.goods_fen as "goodsPrice", o.commission_fen as commission, o.type_id as "typeId", o.status, o.disputed,
  o.created_at as "createTime", o.paid_at as "payTime", o.ship_by as "shipByTime", o.shipped_at as "shipTime", o.completed_at as "completeTime"`;

const itemOf = ({ id: _id, typeId, ...row }: Row): Item => ({
  ...row,
  netPrice: row.goodsPrice - row.commission,
  statusName: orderStatusName(row.status, typeId),
});

/** Orders that the caller sold, newest first. */
export async function soldOrders(
  { ctx, user }: UserCall,
  { status, goodsSn, cursor, pages, pageSize = PAGE }: Parsed<typeof openOrderList>,
): Promise<HandlerResult<typeof openOrderList>> {
  const after = decodeId(cursor);
  const where: RawBuilder<unknown>[] = [sql`o.seller_id = ${user.id}`];
  if (status !== undefined) where.push(sql`o.status = ${status}`);
  if (goodsSn !== undefined) where.push(sql`o.goods_sn = ${goodsSn}`);
  const filter = sql.join(where, sql` and `);
  const offset = after === undefined ? ((pages ?? 1) - 1) * pageSize : 0;
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`select ${COLUMNS} from orders o where ${filter} ${after === undefined ? sql`` : sql`and o.id < ${after}`}
      order by o.id desc limit ${pageSize + 1} offset ${offset}`.execute(ctx.db),
    sql<{
      n: number;
    }>`select count(*)::int as n from (select from orders o where ${filter} limit ${MAX_COUNT + 1}) x`.execute(ctx.db),
  ]);
  const page = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? page.at(-1) : undefined;
  const total = counted.rows[0]?.n ?? 0;
  return {
    list: page.map(itemOf),
    total: Math.min(total, MAX_COUNT),
    totalCapped: total > MAX_COUNT,
    next: last ? encodeCursor([last.id]) : null,
  };
}

/** One order that the caller sold, with its history. Throws ORDER_NOT_FOUND, also for another seller's. */
export async function soldOrder(
  { ctx, user }: UserCall,
  { orderSn }: Parsed<typeof openOrderDetail>,
): Promise<HandlerResult<typeof openOrderDetail>> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from orders o where o.sn = ${orderSn} and o.seller_id = ${user.id}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw new AppError('ORDER_NOT_FOUND');
  const steps = await sql<{ stepTime: Date; status: number; text: string }>`
    select created_at as "stepTime", order_status as status, explain as text from order_process where order_id = ${row.id} order by id limit 500`.execute(
    ctx.db,
  );
  return { ...itemOf(row), steps: steps.rows };
}
