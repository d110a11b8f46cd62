import { isEnded, OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { receiptName, BOOSTING, isService, RECYCLED_ACCOUNT } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { scheduleFrom } from '#server/jobs/effect-writer.ts';
import type { Effects } from '#server/jobs/events.ts';
import { type EventPayload, orderIdsOf, type TopicWith } from '#server/jobs/topics.ts';
import { defaultTargets } from '#subjects/payments/server/service.ts';
import { clockText, type Values } from './rules.ts';
import { type NoticeRequest, notify, notifyMany } from './service.ts';

const REMINDER = 'notice.late';
/** The reminder's lead time: this fraction of the period, at most half a day. */
const REMINDER_FRACTION = 0.25;
const REMINDER_MAX_MS = 12 * 3_600_000;

interface OrderDetails {
  id: number;
  sn: string;
  distId: number;
  buyerId: number;
  sellerId: number;
  tradedTypeId: number;
  status: number;
  totalFen: number;
  netFen: number;
  title: string;
  paidAt: Date | null;
  shippedAt: Date | null;
  shipBy: Date | null;
  autoConfirmAt: Date | null;
  disputed: boolean;
  lastExplain: string;
  lastActor: string;
}

/** The existing orders among these, by number. */
async function loadOrders(ctx: Context, orderIds: readonly number[]): Promise<OrderDetails[]> {
  const { rows } = await sql<OrderDetails>`
    select o.id, o.sn, o.dist_id as "distId", o.buyer_id as "buyerId", o.seller_id as "sellerId", coalesce(nullif((o.snapshot->>'handoverType')::int, 0), o.type_id) as "tradedTypeId", o.status, o.total_fen as "totalFen",
      o.goods_fen - o.commission_fen as "netFen", coalesce(o.snapshot->>'title', '') as title, o.paid_at as "paidAt", o.shipped_at as "shippedAt",
      o.ship_by as "shipBy", o.auto_confirm_at as "autoConfirmAt", o.disputed, coalesce(p.explain, '') as "lastExplain", coalesce(p.actor, '') as "lastActor"
    from orders o left join lateral (select explain, actor from order_process where order_id = o.id order by id desc limit 1) p on true
    where o.id = any(${[...orderIds]}::bigint[]) order by o.id`.execute(ctx.db);
  return rows;
}

async function loadOrder(ctx: Context, orderId: number): Promise<OrderDetails | undefined> {
  return (await loadOrders(ctx, [orderId]))[0];
}

type SendNotice = (
  o: OrderDetails,
  kind: string,
  userIds: readonly number[],
  ref: string,
  values?: Values,
) => Promise<void>;

/** A notice about an order; `ref` distinguishes it from the order's other notices of the same kind. */
const noticeOf = (
  o: OrderDetails,
  kind: string,
  userIds: readonly number[],
  ref: string,
  values: Values = {},
): NoticeRequest => ({
  kind,
  userIds,
  ref: `order:${o.id}${ref}`,
  distId: o.distId,
  values: { goods: o.title, orderSn: o.sn, amount: yuanLabel(o.totalFen), ...values },
});

const noticeSender =
  (ctx: Context): SendNotice =>
  (...about) =>
    notify(ctx, noticeOf(...about));

/** A reminder of an order's due action, by its key. */
interface Reminder {
  ref: string;
  at: Date;
}

function reminderBefore(ref: string, from: Date | null, until: Date | null): Reminder[] {
  if (!from || !until) return [];
  const leadMs = Math.min(REMINDER_MAX_MS, (until.getTime() - from.getTime()) * REMINDER_FRACTION);
  return [{ ref, at: new Date(until.getTime() - leadMs) }];
}

async function scheduleReminders(ctx: Context, reminders: readonly Reminder[]): Promise<void> {
  if (reminders.length === 0) return;
  const [refs, times] = [reminders.map(({ ref }) => ref), reminders.map(({ at }) => at)];
  const from = sql`from unnest(${refs}::text[], ${times}::timestamptz[]) as r(ref, at) order by ref`;
  await scheduleFrom(ctx.relaxed, REMINDER, { key: sql`ref`, at: sql`at`, from });
}

/** Reminds the party who has to ship or confirm an order; nothing is sent when it was done meanwhile or the order is disputed. */
async function remind(ctx: Context, ref: string): Promise<void> {
  const [what, orderId] = ref.split(':');
  const o = await loadOrder(ctx, Number(orderId));
  if (!o || o.disputed) return;
  const send = noticeSender(ctx);
  // The due action for a recycled account is the inspection, which the seller does not perform.
  if (what === 'ship' && o.status === OrderStatus.Paid && o.shipBy && o.tradedTypeId !== RECYCLED_ACCOUNT)
    await send(o, 'order.late', [o.sellerId], ':ship', {
      what: isService(o.tradedTypeId) ? '服务' : '发货',
      deadline: clockText(o.shipBy),
      after: isService(o.tradedTypeId) ? '超时后买家可以按超时取消，效率保证金归买家' : '超时后买家可以直接取消订单',
    });
  if (what === 'confirm' && o.status === OrderStatus.Shipped && o.autoConfirmAt)
    await send(o, 'order.late', [o.buyerId], ':confirm', {
      what: '验收',
      deadline: clockText(o.autoConfirmAt),
      after: `到期自动${receiptName(o.tradedTypeId)}，货款进入保护期`,
    });
}

/** Notifies the actor of the next hand-over step; customer service sees it in its workbench. */
async function notifyNextStep(ctx: Context, o: OrderDetails): Promise<void> {
  const { rows } = await sql<{ step: number; title: string; actor: string; minutes: number }>`
    select step, title, case when exchange is not null then 'buyer' else actor end as actor, minutes from order_handover
    where order_id = ${o.id} and done_at is null and (${o.status === OrderStatus.Shipped} or before_ship) order by step limit 1`.execute(
    ctx.db,
  );
  const next = rows[0];
  if (!next || next.actor === 'staff' || isEnded(o.status)) return;
  await noticeSender(ctx)(
    o,
    'order.handover',
    [next.actor === 'buyer' ? o.buyerId : o.sellerId],
    `:step:${next.step}`,
    {
      step: String(next.step),
      stepTitle: next.title,
      minutes: String(next.minutes),
    },
  );
}

/** The notices that an event of orders causes, and the reminders that it schedules. */
interface OrderNotices {
  notices: readonly NoticeRequest[];
  reminders?: readonly Reminder[];
}

/** Excludes orders of recycled accounts: they are neither shipped nor confirmed, and recycling notifies both parties itself. */
const notRecycled = (orders: readonly OrderDetails[]): OrderDetails[] =>
  orders.filter((o) => o.tradedTypeId !== RECYCLED_ACCOUNT);

function paid(orders: readonly OrderDetails[]): OrderNotices {
  // The subject services notifies the provider, who must accept rather than ship.
  const goods = notRecycled(orders).filter((o) => !isService(o.tradedTypeId));
  // The minutes of companion play are measured by the clock: neither party can be late with them.
  const timed = orders.filter((o) => !isService(o.tradedTypeId) || o.tradedTypeId === BOOSTING);
  return {
    notices: goods.map((o) =>
      noticeOf(o, 'order.paid', [o.sellerId], ':paid', { deadline: o.shipBy ? clockText(o.shipBy) : '' }),
    ),
    reminders: timed.flatMap((o) => reminderBefore(`ship:${o.id}`, o.paidAt, o.shipBy)),
  };
}

function shipped(all: readonly OrderDetails[]): OrderNotices {
  const orders = notRecycled(all);
  return {
    notices: orders.map((o) => {
      const deadline = o.autoConfirmAt ? clockText(o.autoConfirmAt) : '';
      if (!isService(o.tradedTypeId)) return noticeOf(o, 'order.shipped', [o.buyerId], ':shipped', { deadline });
      return noticeOf(o, 'service.order', [o.buyerId], ':shipped', {
        what: '服务已完成，请验收',
        text: `已全部完成，请核对后确认；${deadline} 前未提出异议将自动验收`,
      });
    }),
    reminders: orders.flatMap((o) => reminderBefore(`confirm:${o.id}`, o.shippedAt, o.autoConfirmAt)),
  };
}

async function cancelled(ctx: Context, orders: readonly OrderDetails[]): Promise<OrderNotices> {
  const paidOrders = orders.filter((o) => o.paidAt !== null);
  const { rows } = await sql<{ orderId: number; fen: number }>`
    select order_id as "orderId", sum(amount_fen)::bigint as fen from ledger_transfer
    where order_id = any(${paidOrders.map(({ id }) => id)}::bigint[]) and code = 'order_refund' group by order_id`.execute(
    ctx.db,
  );
  // Refunds to a channel have their own notice, with the arrival time (payments/refund-default.ts).
  const toChannel = new Map(
    (
      await defaultTargets(
        ctx,
        ctx.db,
        paidOrders.map(({ id }) => id),
      )
    ).map((t) => [t.orderId, t.stays === null ? Math.min(t.backFen, t.paidFen) : 0]),
  );
  const refunded = new Map(rows.map(({ orderId, fen }) => [orderId, fen - (toChannel.get(orderId) ?? 0)]));
  const notices = orders.flatMap((o) => {
    const actor = Number(/^user:(\d+)$/.exec(o.lastActor)?.[1] ?? 0);
    // The seller was never notified of an unpaid order.
    const parties = o.paidAt === null ? [o.buyerId] : [o.buyerId, o.sellerId];
    const others = parties.filter((id) => id !== actor);
    const ended = noticeOf(o, 'order.cancelled', others, ':cancelled', { text: o.lastExplain });
    const fen = refunded.get(o.id) ?? 0;
    if (fen <= 0) return [ended];
    const values = { what: '退款到账', amount: yuanLabel(fen), text: '已退回您的余额' };
    return [ended, noticeOf(o, 'money.refund', [o.buyerId], '', values)];
  });
  return { notices };
}

async function completed(ctx: Context, all: readonly OrderDetails[]): Promise<OrderNotices> {
  const orders = notRecycled(all);
  const { rows } = await sql<{ orderId: number; userId: number; at: Date | null }>`
    select ref::bigint as "orderId", user_id as "userId", release_at as at from hold
    where code = 'sale_protection' and ref = any(${orders.map(({ id }) => String(id))}::text[])`.execute(ctx.db);
  const notices = orders.flatMap((o) => {
    const at = rows.find(({ orderId, userId }) => orderId === o.id && userId === o.sellerId)?.at;
    const until = at ? `，保护期到 ${clockText(at)}，之后可以提现` : '';
    const text = `已成交，货款 ${yuanLabel(o.netFen)} 元${until}。`;
    const toSeller = noticeOf(o, 'order.done', [o.sellerId], ':done', { text });
    if (o.lastActor.startsWith('user:')) return [toSeller];
    const confirmed = `验收期已结束，系统自动${receiptName(o.tradedTypeId)}。`;
    return [toSeller, noticeOf(o, 'order.done', [o.buyerId], ':done', { text: confirmed })];
  });
  return { notices };
}

/** Notifies the other parties that a sealed form was opened. */
async function opened(
  ctx: Context,
  { orderId, opening, name, party, purpose }: EventPayload<'order.opened'>,
): Promise<void> {
  const o = await loadOrder(ctx, orderId);
  if (!o) return;
  const people = [...(party === 'buyer' ? [] : [o.buyerId]), ...(party === 'seller' ? [] : [o.sellerId])];
  await noticeSender(ctx)(o, 'order.opened', people, `:opening:${opening}`, { who: name, purpose });
}

/** Notifies both parties of the steps that keep the money in escrow. */
async function notifyMissingSteps(send: SendNotice, o: OrderDetails, missing: string): Promise<void> {
  const what = '必做步骤未完成，自动确认已停止';
  await send(o, 'order.steps', [o.buyerId], ':stopped:buyer', {
    what,
    text: `还差${missing}，货款继续由平台托管，客服已介入。请不要提前确认收货。`,
  });
  await send(o, 'order.steps', [o.sellerId], ':stopped:seller', {
    what,
    text: `还差${missing}，完成后才会重新计算验收时间并放款。`,
  });
}

/** Notices of the steps of orders, sent for many orders in one batch. */
function bindSteps(ctx: Context, effects: Effects): void {
  const notifyOn = (
    topic: TopicWith<{ orderId: number }>,
    noticesOf: (orders: readonly OrderDetails[]) => OrderNotices | Promise<OrderNotices>,
  ): void =>
    effects.onMany(topic, async (_ctx, events) => {
      const { notices, reminders = [] } = await noticesOf(await loadOrders(ctx, orderIdsOf(events)));
      await notifyMany(ctx, notices);
      await scheduleReminders(ctx, reminders);
    });
  notifyOn('order.paid', paid);
  notifyOn('order.shipped', shipped);
  notifyOn('order.completed', (orders) => completed(ctx, orders));
  notifyOn('order.cancelled', (orders) => cancelled(ctx, orders));
}

/** Notices about orders to buyer and seller. */
export function bindOrderEvents(ctx: Context, effects: Effects): void {
  bindSteps(ctx, effects);
  const send = noticeSender(ctx);
  const on = (
    topic: TopicWith<{ orderId: number }> | 'order.handover',
    work: (o: OrderDetails) => Promise<void>,
  ): void =>
    effects.on(topic, async (_ctx, { orderId }) => {
      const o = await loadOrder(ctx, orderId);
      if (o) await work(o);
    });
  // The subject services notifies its parties itself.
  on('order.handover', async (o) => {
    if (!isService(o.tradedTypeId)) await notifyNextStep(ctx, o);
  });
  effects.on('order.opened', (_ctx, payload) => opened(ctx, payload));
  effects.on('order.confirmStopped', async (_ctx, { orderId, missing }) => {
    const o = await loadOrder(ctx, orderId);
    if (o) await notifyMissingSteps(send, o, missing);
  });
  on('order.confirmResumed', async (o) => {
    if (!o.autoConfirmAt) return;
    const deadline = clockText(o.autoConfirmAt);
    await send(o, 'order.steps', [o.buyerId], `:resumed:${o.autoConfirmAt.getTime()}`, {
      what: '必做步骤已全部完成，请验收',
      text: `验收时间重新计算到 ${deadline}，到期自动${receiptName(o.tradedTypeId)}。`,
    });
    await scheduleReminders(ctx, reminderBefore(`confirm:${o.id}`, new Date(), o.autoConfirmAt));
  });
  // Requests and rejections may repeat; the length of the history makes the ref unique.
  const cancelRequested = async (o: OrderDetails, who: number, what: string): Promise<void> => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from order_process where order_id = ${o.id}`.execute(ctx.db);
    await send(o, 'order.cancel_ask', [who], `:ask:${rows[0]?.n ?? 0}`, { what, text: o.lastExplain });
  };
  on('order.cancelAsked', (o) => cancelRequested(o, o.sellerId, '买家申请取消订单'));
  on('order.cancelDeclined', (o) => cancelRequested(o, o.buyerId, '卖家拒绝了取消申请'));
  effects.on('order.offline', async (_ctx, { orderId, userId, what, text }) => {
    const o = await loadOrder(ctx, orderId);
    if (o) await send(o, 'order.offline', [userId], `:offline:${userId}`, { what, text });
  });
  effects.on('middleman.accepted', async (_ctx, { orderId, openerId }) => {
    const o = await loadOrder(ctx, orderId);
    if (!o) return;
    const text = openerId === o.buyerId ? '等您付款，付款后由平台托管货款。' : '等待对方付款，付款后会再通知您。';
    await send(o, 'order.deal', [openerId], ':deal', { what: '对方已接受担保交易', text });
  });
  effects.timer(REMINDER, (_ctx, ref) => remind(ctx, ref));
}
