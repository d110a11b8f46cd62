import { sql } from 'kysely';
import { orderStatusName, OrderStatus } from '#contract/rules/order-status.ts';
import { offerStatusName } from '#contract/rules/offer.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { WebhookEvent } from '#contract/rules/webhooks.ts';
import { yuanText } from '#contract/wire.ts';
import type { Binding } from '#server/binding.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { scheduleFrom } from '#server/jobs/door.ts';
import { bodyOf, SEND } from './webhook-endpoints.ts';

interface Told {
  sellerId: number;
  /** The event's identity: published repeatedly, it is stored once. */
  subject: string;
  data: Readonly<Record<string, unknown>>;
}

/** Stores an event for each endpoint of the seller that wants it, and schedules the sending. */
async function publish(ctx: Context, event: WebhookEvent, { sellerId, subject, data }: Told): Promise<void> {
  const body = bodyOf(event, new Date(), data);
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      insert into webhook_delivery (endpoint_id, event, subject, body)
      select id, ${event}, ${`${event}:${subject}`}, ${body} from webhook_endpoint
      where user_id = ${sellerId} and status = 'on' and removed_at is null and ${event} = any(events)
      on conflict (endpoint_id, subject) do nothing returning id`.execute(trx);
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
  sellerId: number;
  sn: string;
  importKey: string | null;
  status: number;
  priceFen: number;
  stock: number;
  note: string | null;
  change: number | null;
}

/** A listing with the number of its last change, which tells one taking-off from the next. */
async function loadListing(ctx: Context, goodsId: number): Promise<ListingDetails | undefined> {
  const { rows } = await sql<ListingDetails>`
    select g.seller_id as "sellerId", g.sn, g.import_key as "importKey", g.status, g.price_fen as "priceFen", g.stock, g.review_note as note,
      (select max(e.id) from goods_event e where e.goods_id = g.id) as change
    from goods g where g.id = ${goodsId}`.execute(ctx.db);
  return rows[0];
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
  const g = await loadListing(ctx, goodsId);
  if (g)
    await publish(ctx, event, {
      sellerId: g.sellerId,
      subject: `${goodsId}:${g.change ?? 0}`,
      data: goodsData(g, event),
    });
}

interface OrderDetails {
  sellerId: number;
  typeId: number;
  sn: string;
  goodsId: number | null;
  goodsSn: string | null;
  goodsNum: number;
  goodsFen: number;
  status: number;
}

/** Publishes an event of an order, and what it means for its listing; without a read of either where the seller has no endpoint. */
async function publishOrder(
  ctx: Context,
  event: WebhookEvent,
  orderId: number,
  more: { disputeSn?: string } = {},
): Promise<void> {
  const { rows } = await sql<OrderDetails>`
    select seller_id as "sellerId", type_id as "typeId", sn, goods_id as "goodsId", goods_sn as "goodsSn", goods_num as "goodsNum", goods_fen as "goodsFen", status
    from orders o where id = ${orderId} and exists (
      select from webhook_endpoint w where w.user_id = o.seller_id and w.status = 'on' and w.removed_at is null)`.execute(
    ctx.db,
  );
  const o = rows[0];
  if (!o) return;
  const { sellerId } = o;
  const data = {
    orderSn: o.sn,
    goodsSn: o.goodsSn,
    goodsNum: o.goodsNum,
    goodsPrice: yuanText(o.goodsFen),
    status: o.status,
    statusName: orderStatusName(o.status, o.typeId),
    ...more,
  };
  await publish(ctx, event, { sellerId, subject: `${orderId}:${more.disputeSn ?? ''}`, data });
  if (event !== 'order.completed' || o.goodsId === null || o.status !== OrderStatus.Completed) return;
  const g = await loadListing(ctx, o.goodsId);
  if (g?.status === GoodsStatus.Sold)
    await publish(ctx, 'goods.sold', {
      sellerId,
      subject: `${o.goodsId}:${orderId}`,
      data: { ...goodsData(g, 'goods.sold'), orderSn: o.sn },
    });
}

/** Tells sellers' programs of what happens to their listings and orders. */
export function bindWebhookEvents({ effects }: Binding): void {
  for (const topic of ['goods.approved', 'goods.rejected', 'goods.off', 'goods.removed'] as const)
    effects.on(topic, async (ctx, { goodsId }) => await publishListing(ctx, topic, goodsId));
  for (const topic of ['order.paid', 'order.shipped', 'order.completed', 'order.cancelled'] as const)
    effects.on(topic, async (ctx, { orderId }) => await publishOrder(ctx, topic, orderId));
  effects.on('order.sellerCancelled', async (ctx, { orderId }) => await publishOrder(ctx, 'order.cancelled', orderId));
  effects.on(
    'dispute.opened',
    async (ctx, { orderId, disputeSn }) => await publishOrder(ctx, 'dispute.opened', orderId, { disputeSn }),
  );
}
