import { sql } from 'kysely';
import { orderStatusName, OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { WebhookEvent } from '../rules/webhooks.ts';
import { yuanText } from '#contract/wire.ts';
import type { Binding } from '#server/binding.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { scheduleFrom } from '#server/jobs/effect-writer.ts';
import { orderIdsOf } from '#server/jobs/topics.ts';
import { bodyOf, SEND } from './webhook-endpoints.ts';

interface SellerEvent {
  sellerId: number;
  /** The event's identity: published repeatedly, it is stored once. */
  subject: string;
  data: Readonly<Record<string, unknown>>;
}

/** Stores the event of each subject for each endpoint of its seller that subscribes to it, and schedules the delivery. */
async function publish(ctx: Context, event: WebhookEvent, subjects: readonly SellerEvent[]): Promise<void> {
  if (subjects.length === 0) return;
  const now = new Date();
  const list = subjects.map(({ sellerId, subject, data }, n) => ({
    n,
    sellerId,
    subject: `${event}:${subject}`,
    body: bodyOf(event, now, data),
  }));
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      insert into webhook_delivery (endpoint_id, event, subject, body)
      select e.id, ${event}::text, t.subject, t.body
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as t(n int, "sellerId" bigint, subject text, body text)
        join webhook_endpoint e on e.user_id = t."sellerId" and e.status = 'on' and e.removed_at is null and ${event} = any(e.events)
      order by t.n, e.id on conflict (endpoint_id, subject) do nothing returning id`.execute(trx);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await scheduleFrom(
      trx,
      SEND,
      { key: sql`id`, at: sql`now()`, from: sql`from unnest(${ids}::bigint[]) as n(id)` },
      'keep',
    );
  });
}

interface ListingDetails {
  id: number;
  sellerId: number;
  sn: string;
  importKey: string | null;
  status: number;
  priceFen: number;
  stock: number;
  note: string | null;
  change: number | null;
}

/** Listings with the number of their last change, by which one removal from sale differs from the next. */
async function loadListings(ctx: Context, goodsIds: readonly number[]): Promise<ListingDetails[]> {
  const { rows } = await sql<ListingDetails>`
    select g.id, g.seller_id as "sellerId", g.sn, g.import_key as "importKey", g.status, g.price_fen as "priceFen", g.stock, g.review_note as note,
      (select max(e.id) from goods_event e where e.goods_id = g.id) as change
    from goods g where g.id = any(${[...goodsIds]}::bigint[])`.execute(ctx.db);
  return rows;
}

const goodsData = (g: ListingDetails, event: WebhookEvent) => ({
  goodsSn: g.sn,
  ...(g.importKey !== null && !g.importKey.startsWith('row:') && { merchantNo: g.importKey }),
  status: g.status,
  statusName: offerStatusName(g.status),
  price: yuanText(g.priceFen),
  stock: g.stock,
  ...(event === 'goods.rejected' && { reason: g.note ?? '' }),
});

async function publishListing(ctx: Context, event: WebhookEvent, goodsId: number): Promise<void> {
  const listings = await loadListings(ctx, [goodsId]);
  await publish(
    ctx,
    event,
    listings.map((g) => ({
      sellerId: g.sellerId,
      subject: `${g.id}:${g.change ?? 0}`,
      data: goodsData(g, event),
    })),
  );
}

interface OrderDetails {
  id: number;
  sellerId: number;
  typeId: number;
  sn: string;
  goodsId: number | null;
  goodsSn: string | null;
  goodsNum: number;
  goodsFen: number;
  status: number;
}

/** Publishes an event of orders and the events of their listings that follow from it. Reads neither when no seller has an endpoint. */
async function publishOrders(
  ctx: Context,
  event: WebhookEvent,
  orderIds: readonly number[],
  more: { disputeSn?: string } = {},
): Promise<void> {
  const { rows } = await sql<OrderDetails>`
    select id, seller_id as "sellerId", type_id as "typeId", sn, goods_id as "goodsId", goods_sn as "goodsSn", goods_num as "goodsNum", goods_fen as "goodsFen", status
    from orders o where id = any(${[...orderIds]}::bigint[]) and exists (
      select from webhook_endpoint w where w.user_id = o.seller_id and w.status = 'on' and w.removed_at is null) order by id`.execute(
    ctx.db,
  );
  await publish(
    ctx,
    event,
    rows.map((o) => ({
      sellerId: o.sellerId,
      subject: `${o.id}:${more.disputeSn ?? ''}`,
      data: {
        orderSn: o.sn,
        goodsSn: o.goodsSn,
        goodsNum: o.goodsNum,
        goodsPrice: yuanText(o.goodsFen),
        status: o.status,
        statusName: orderStatusName(o.status, o.typeId),
        ...more,
      },
    })),
  );
  if (event === 'order.completed')
    await publishSold(
      ctx,
      rows.filter((o) => o.status === OrderStatus.Completed),
    );
}

/** Publishes that the listings of completed orders are sold. */
async function publishSold(ctx: Context, orders: readonly OrderDetails[]): Promise<void> {
  const goodsIds = orders.flatMap(({ goodsId }) => goodsId ?? []);
  if (goodsIds.length === 0) return;
  const listings = new Map((await loadListings(ctx, goodsIds)).map((g) => [g.id, g]));
  const sold = orders.flatMap((o): SellerEvent[] => {
    const g = listings.get(o.goodsId ?? 0);
    if (g?.status !== GoodsStatus.Sold) return [];
    const data = { ...goodsData(g, 'goods.sold'), orderSn: o.sn };
    return [{ sellerId: o.sellerId, subject: `${g.id}:${o.id}`, data }];
  });
  await publish(ctx, 'goods.sold', sold);
}

/** Registers the listeners that notify sellers' programs of changes to their listings and orders. */
export function bindWebhookEvents({ effects }: Binding): void {
  for (const topic of ['goods.approved', 'goods.rejected', 'goods.off', 'goods.removed'] as const)
    effects.on(topic, async (ctx, { goodsId }) => await publishListing(ctx, topic, goodsId));
  for (const topic of ['order.paid', 'order.shipped', 'order.completed', 'order.cancelled'] as const)
    effects.onMany(topic, async (ctx, events) => await publishOrders(ctx, topic, orderIdsOf(events)));
  effects.on(
    'order.sellerCancelled',
    async (ctx, { orderId }) => await publishOrders(ctx, 'order.cancelled', [orderId]),
  );
  effects.on(
    'dispute.opened',
    async (ctx, { orderId, disputeSn }) => await publishOrders(ctx, 'dispute.opened', [orderId], { disputeSn }),
  );
}
