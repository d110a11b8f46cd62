import { BARGAINS_OPEN } from '#server/states/state-lists.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import { BargainStatus } from '../rules/bargain.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { cancel, emit } from '#server/jobs/effect-writer.ts';
import type { Effects } from '#server/jobs/events.ts';
import { orderIdsOf } from '#server/jobs/topics.ts';
import { notifyParty } from './bargain-actions.ts';
import { bargainRows } from './bargain-rows.ts';
import type { EndedWhy } from './rules.ts';

const EXPIRED = BargainStatus.Expired;

/** Ends open offers that satisfy `where` (on bargain `b`) and notifies their buyers. */
async function end(ctx: Context, where: ReturnType<typeof sql>, why: EndedWhy): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      update bargain b set status = ${EXPIRED}, ended_why = ${why}, updated_at = now()
      where b.status in ${BARGAINS_OPEN} and ${where} returning b.id`.execute(trx);
    if (rows.length === 0) return;
    const ids = rows.map((r) => r.id);
    const ended = await bargainRows(trx, sql`b.id = any(${ids}::bigint[])`, { limit: ids.length });
    for (const row of ended) await notifyParty(trx, row, EXPIRED, 'buyer');
    await cancel(trx, 'bargain.expire', ids);
  });
}

/**
 * Restores the agreed prices after orders that were never paid, for the rest of their day; a paid order uses it up (docs/decisions/030).
 * Not restored when the buyer has made a new offer.
 */
async function restoreAgreedPrices(ctx: Context, orderIds: readonly number[]): Promise<void> {
  await sql`update bargain b set status = case when b.counter_fen is null then 1 else 3 end, order_id = null, updated_at = now()
    from orders o where o.id = any(${[...orderIds]}::bigint[]) and o.bargain_id = b.id and b.order_id = o.id and b.status = ${sql.lit(BargainStatus.Ordered)} and o.status in (${sql.lit(OrderStatus.ClosedUnpaid)}, ${sql.lit(OrderStatus.BuyerCancelled)})
      and o.paid_at is null and b.expires_at > now()
      and not exists (select from bargain x where x.goods_id = b.goods_id and x.buyer_id = b.buyer_id and x.status in ${BARGAINS_OPEN})`.execute(
    ctx.db,
  );
}

interface BargainedOrder {
  id: number;
  goodsId: number;
  hasOffers: boolean;
  bargainFen: number | null;
  thenFen: number | null;
}

/** Paid orders with an agreed price or with offers of others on their account; most have neither. */
async function bargainedAmong(ctx: Context, orderIds: readonly number[]): Promise<BargainedOrder[]> {
  // A locked listing accepts no offers, so none can appear after this query.
  const hasOffers = sql<boolean>`o.type_id = any(${[...accountTypes]}::int[]) and exists (
    select from bargain x where x.goods_id = o.goods_id and x.status in ${BARGAINS_OPEN})`;
  const { rows } = await sql<BargainedOrder>`
    select o.id, o.goods_id as "goodsId", coalesce(b.counter_fen, b.offer_fen) as "bargainFen", b.price_fen as "thenFen", ${hasOffers} as "hasOffers"
    from orders o left join bargain b on b.id = o.bargain_id
    where o.id = any(${[...orderIds]}::bigint[]) and o.goods_id is not null and (b.id is not null or ${hasOffers}) order by o.id`.execute(
    ctx.db,
  );
  return rows;
}

/** After a payment: ends the other offers on the account, which is sold once, and posts the agreed price as a card in the order's chat. */
async function afterPayment(ctx: Context, order: BargainedOrder): Promise<void> {
  if (order.hasOffers) await end(ctx, sql`b.goods_id = ${order.goodsId}`, 'sold');
  if (order.bargainFen === null || order.thenFen === null) return;
  const payload = {
    orderId: order.id,
    key: 'bargain',
    card: 'bargain',
    title: `议价成交 ¥${yuanLabel(order.bargainFen)}`,
    content: `出价时标价 ¥${yuanLabel(order.thenFen)}，双方谈定的价格已写入本单，不再变动`,
  };
  await emit(ctx.db, 'chat.card', payload);
}

/** SQL: the listing of a bargain `b` was edited since the offer, in a way that needed a review; price, stock and terms do not. */
const IS_CHANGED = sql`exists (select from goods_event e where e.goods_id = b.goods_id and e.kind = 'edited' and e.created_at > b.created_at
  and e.detail->'changed' ?| array['title', 'description', 'place', 'attrs', 'pictures', 'account'])`;

/** Binds the expiry of offers and their end with an order or listing. */
export function bindBargainJobs(effects: Effects): void {
  effects.timer('bargain.expire', async (ctx, ref) => {
    await end(ctx, sql`b.id = ${Number(ref)} and b.expires_at <= now()`, 'timeout');
  });
  effects.onMany('order.cancelled', async (ctx, events) => await restoreAgreedPrices(ctx, orderIdsOf(events)));
  effects.onMany('order.paid', async (ctx, events) => {
    for (const order of await bargainedAmong(ctx, orderIdsOf(events))) await afterPayment(ctx, order);
  });
  // A listing under review again is no longer the item that the price was agreed for; it cannot be ordered before its approval.
  effects.on('goods.submitted', async (ctx, { goodsId }) => {
    await end(ctx, sql`b.goods_id = ${Number(goodsId)} and ${IS_CHANGED}`, 'changed');
  });
  effects.on('goods.removed', async (ctx, { goodsId }) => {
    await end(ctx, sql`b.goods_id = ${Number(goodsId)}`, 'removed');
  });
}
