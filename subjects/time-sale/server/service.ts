import { isPrivateGoods, TimeSaleStatus, GoodsStatus } from '#contract/rules/statuses.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { placeTimePurchase, saveTimeSale, timeSaleInfo } from '#subjects/time-sale/contract/time-sale.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { offPercent, SALE_MIN_DAYS, SALE_REFERENCE_DAYS, saleBounds } from '../rules/time-sale.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import { siteFees } from '#server/directory/directory.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { showsGame } from '#subjects/games/server/service.ts';
import {
  type UnlistedOrder,
  unlistedPrice,
  goodsForOrder,
  goodsForDisplay,
  placeUnlisted,
  snapshotOf,
} from '#subjects/orders/server/service.ts';

interface SaleRow {
  id: number;
  goodsId: number;
  version: number;
  priceFen: number;
  wasFen: number;
  leftNum: number;
  startsAt: Date;
  endsAt: Date;
  coming: boolean;
  open: boolean;
}

/** The sale of goods that has not been stopped and still belongs to their version; undefined without one. */
async function loadSale(db: Trx, goodsId: number): Promise<SaleRow | undefined> {
  const { rows } = await sql<SaleRow>`
    select s.id, s.goods_id as "goodsId", s.goods_version as version, s.price_fen as "priceFen", s.was_fen as "wasFen", s.left_num as "leftNum",
      s.starts_at as "startsAt", s.ends_at as "endsAt", s.starts_at > now() as coming,
      s.starts_at <= now() and s.ends_at > now() and s.left_num > 0 as open
    from time_sale s join goods g on g.id = s.goods_id where s.goods_id = ${goodsId} and s.status = ${sql.lit(TimeSaleStatus.Running)} and s.goods_version = g.version`.execute(
    db,
  );
  return rows[0];
}

interface Own {
  version: number;
  status: number;
  stock: number;
  typeId: number;
  sellerId: number;
  old: boolean;
  referenceFen: number;
}

/** The conditions of a sale: the lowest price of the last 30 days, and whether the goods have been offered long enough. */
async function findOwnSale(db: Trx, goodsSn: string, lock = false): Promise<(Own & { id: number }) | undefined> {
  const { rows } = await sql<Own & { id: number }>`
    select g.id, g.version, g.status, g.stock, g.type_id as "typeId", g.seller_id as "sellerId",
      g.created_at <= now() - make_interval(days => ${SALE_MIN_DAYS}) as old,
      least(g.price_fen, coalesce((select min(p.price_fen) from goods_price_day p
        where p.goods_id = g.id and p.until > now() - make_interval(days => ${SALE_REFERENCE_DAYS})), g.price_fen)) as "referenceFen"
    from goods g where g.sn = ${goodsSn} and g.status <> ${sql.lit(GoodsStatus.Removed)} ${lock ? sql`for update of g` : sql``}`.execute(
    db,
  );
  return rows[0];
}

function closedText(own: Own): string | null {
  if (isService(own.typeId)) return '服务类商品不支持限时价';
  if (own.status !== GoodsStatus.OnSale) return '商品在售时才能设置限时价';
  if (!own.old) return `上架满 ${SALE_MIN_DAYS} 天的商品才能设置限时价`;
  return null;
}

/** The public sale of a listing, and for its seller the limits of a sale. Throws GOODS_NOT_FOUND. */
export async function saleInfo(
  call: Call,
  { goodsSn }: Parsed<typeof timeSaleInfo>,
): Promise<HandlerResult<typeof timeSaleInfo>> {
  const { ctx, dist } = call;
  const goods = await goodsForDisplay(ctx, goodsSn);
  if (!goods || !showsGame(dist, goods.gameId)) throw new AppError('GOODS_NOT_FOUND');
  if (isPrivateGoods(goods.status) && goods.sellerId !== call.caller.user?.id) throw new AppError('GOODS_NOT_FOUND');
  const [sale, own] = await Promise.all([
    loadSale(ctx.db, goods.id),
    goods.sellerId === call.caller.user?.id ? findOwnSale(ctx.db, goodsSn) : undefined,
  ]);
  const { buyerBp } = siteFees(ctx.dir, dist);
  const bounds = own ? saleBounds(own.referenceFen) : null;
  return {
    now: new Date(),
    sale: sale
      ? {
          price: sale.priceFen,
          was: sale.wasFen,
          allInPrice: sale.priceFen + feeOf(sale.priceFen, buyerBp),
          offPercent: offPercent(sale.priceFen, sale.wasFen),
          leftNum: goods.status === GoodsStatus.OnSale ? Math.min(sale.leftNum, goods.stock) : 0,
          startTime: sale.startsAt,
          endTime: sale.endsAt,
          state: sale.coming ? 'coming' : sale.open && goods.status === GoodsStatus.OnSale ? 'open' : 'over',
        }
      : null,
    own:
      own && bounds
        ? {
            reference: own.referenceFen,
            minPrice: bounds.minFen,
            maxPrice: bounds.maxFen,
            stock: own.stock,
            closed: closedText(own),
          }
        : null,
  };
}

async function open(trx: Trx, own: Own & { id: number }, input: Parsed<typeof saveTimeSale>): Promise<void> {
  const closed = closedText(own);
  if (closed !== null) throw new AppError('GOODS_STATE', { text: closed });
  const { minFen, maxFen } = saleBounds(own.referenceFen);
  const price = input.price ?? 0;
  if (price < minFen || price > maxFen)
    throw new AppError('BAD_INPUT', {
      text: `限时价应在 ${yuanLabel(minFen)} 到 ${yuanLabel(maxFen)} 元之间（近 30 天最低价的 30% 到 95%）`,
      field: 'price',
    });
  const num = Math.min(input.num ?? own.stock, own.stock);
  const starts = sql`now() + make_interval(hours => ${input.startHour})`;
  await sql`insert into time_sale (goods_id, goods_version, price_fen, was_fen, left_num, starts_at, ends_at)
    values (${own.id}, ${own.version}, ${price}, ${own.referenceFen}, ${num}, ${starts}, ${starts} + make_interval(hours => ${input.hours}))`.execute(
    trx,
  );
}

/** The seller opens a sale, which replaces the last one, or stops it. Throws GOODS_NOT_FOUND for another seller's listing, GOODS_STATE, BAD_INPUT. */
export async function saveSale(call: UserCall, input: Parsed<typeof saveTimeSale>): Promise<Record<string, never>> {
  const { ctx, user } = call;
  return await inTransaction(ctx.db, async (trx) => {
    const own = await findOwnSale(trx, input.goodsSn, true);
    if (own?.sellerId !== user.id) throw new AppError('GOODS_NOT_FOUND');
    await sql`update time_sale set status = ${sql.lit(TimeSaleStatus.Ended)} where goods_id = ${own.id} and status = ${sql.lit(TimeSaleStatus.Running)}`.execute(
      trx,
    );
    if (input.act === 'save') await open(trx, own, input);
    return {};
  });
}

/**
 * Reserves items of a sale with one conditional UPDATE: only while it is open, at the price that the buyer saw. Throws GOODS_CHANGED,
 * GOODS_STOCK.
 */
async function take(trx: Trx, orderId: number, sale: SaleRow, num: number): Promise<void> {
  const { rows } = await sql`
    update time_sale set left_num = left_num - ${num} where id = ${sale.id} and status = ${sql.lit(TimeSaleStatus.Running)} and starts_at <= now() and ends_at > now()
      and left_num >= ${num} returning id`.execute(trx);
  if (rows.length === 0) {
    const left = await sql<{
      live: boolean;
    }>`select status = ${sql.lit(TimeSaleStatus.Running)} and ends_at > now() as live from time_sale where id = ${sale.id}`.execute(
      trx,
    );
    throw left.rows[0]?.live === true
      ? new AppError('GOODS_STOCK', { text: '限时数量已抢完，可按原价购买' })
      : new AppError('GOODS_CHANGED', { text: '限时价已结束，可按原价购买' });
  }
  await sql`insert into time_sale_order (order_id, sale_id, num) values (${orderId}, ${sale.id}, ${num})`.execute(trx);
}

/** Places an order at the sale price; listing, sale and order change in one transaction. Of many buyers of the last item one succeeds. */
export async function buyInTime(
  call: UserCall,
  input: Parsed<typeof placeTimePurchase>,
): Promise<HandlerResult<typeof placeTimePurchase>> {
  const { ctx, user, dist } = call;
  const placed = await placeUnlisted(call, async () => {
    const goods = await goodsForOrder(ctx.db, input.goodsSn);
    if (!goods || !showsGame(dist, goods.gameId)) throw new AppError('GOODS_NOT_FOUND');
    if (goods.sellerId === user.id) throw new AppError('GOODS_OWN');
    const sale = await loadSale(ctx.db, goods.id);
    if (!sale || sale.coming)
      throw new AppError('GOODS_CHANGED', { text: sale ? '限时价还没有开始' : '限时价已结束，可按原价购买' });
    if (sale.priceFen !== input.price) throw new AppError('GOODS_CHANGED', { text: '限时价已变更，请刷新后重新确认' });
    const terms = {
      unitFen: sale.priceFen,
      num: input.goodsNum,
      buyer: { id: user.id, inviterId: user.inviterId },
      sellerId: goods.sellerId,
    };
    const deal: UnlistedOrder = {
      ...terms,
      typeId: goods.typeId,
      gameId: goods.gameId,
      price: await unlistedPrice(ctx, dist, { ...terms, markUpBp: dist.markUpBp }),
      offerSn: goods.sn,
      goods: { id: goods.id, version: sale.version },
      snapshot: snapshotOf(goods),
      explain: '买家以限时价提交订单，等待付款',
    };
    return { deal, also: async (trx, { orderId }) => await take(trx, orderId, sale, input.goodsNum) };
  });
  return { ...placed, goodsSn: input.goodsSn, totalPrice: placed.totalFen, createTime: new Date(placed.createTime) };
}
