import { ChatGroupStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import type { Effects } from '#server/jobs/events.ts';
import type { EventPayload } from '#server/jobs/topics.ts';
import { bindCaseEvents } from './case-events.ts';
import { bindDebtEvents } from './debt-events.ts';
import { bindNewsEvents } from './news-events.ts';
import { bindOrderEvents } from './order-events.ts';
import { bindPeopleEvents } from './people-events.ts';
import type { Values } from './rules.ts';
import { notify, notifyMany } from './service.ts';
import { runSender } from './send.ts';

/** The users an event is for, one or many. */
const peopleOf = (e: { userId?: number | undefined; userIds?: number[] | undefined }): number[] => [
  ...(e.userIds ?? []),
  ...(e.userId === undefined ? [] : [e.userId]),
];

/** Notice kind and default text of events about listings. */
const GOODS_EVENTS = {
  'bargain.changed': { kind: 'goods.bargain', text: '议价有新进展。' },
  'want.matched': { kind: 'goods.want', text: '先看看是否合适。' },
  'alert.search': { kind: 'goods.alert', text: '符合您订阅的搜索。' },
  'alert.price_drop': { kind: 'goods.price', text: '降价了。' },
  'alert.back_on_sale': { kind: 'goods.back', text: '先到先得。' },
} as const;

type GoodsTopic = keyof typeof GOODS_EVENTS;

async function goodsDetails(
  ctx: Context,
  goodsId: number,
): Promise<{ sellerId: number; goods: string; goodsSn: string }> {
  const { rows } = await sql<{ sellerId: number; goods: string; goodsSn: string }>`
    select seller_id as "sellerId", title as goods, sn as "goodsSn" from goods where id = ${goodsId}`.execute(ctx.db);
  return rows[0] ?? { sellerId: 0, goods: '', goodsSn: '' };
}

function bindGoods(ctx: Context, effects: Effects): void {
  const reviewed = async (
    { goodsId, version }: EventPayload<'goods.approved'>,
    what: string,
    text: string,
  ): Promise<void> => {
    const { sellerId, goods, goodsSn } = await goodsDetails(ctx, goodsId);
    // Includes the number of the review, since an edited listing is reviewed again.
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from goods_event where goods_id = ${goodsId} and kind in ('approved', 'rejected')`.execute(
      ctx.db,
    );
    const ref = `${goodsId}:${version ?? ''}:${rows[0]?.n ?? 0}`;
    await notify(ctx, { kind: 'goods.review', userIds: [sellerId], ref, values: { what, goods, goodsSn, text } });
  };
  effects.on('goods.approved', (_ctx, p) => reviewed(p, '商品审核通过', '已上架，买家可以搜索到了。'));
  effects.on('goods.rejected', (_ctx, p) => {
    const { reason } = p;
    return reviewed(
      p,
      '商品未通过审核',
      reason === '' ? '未通过审核，请修改后重新提交。' : `未通过审核：${reason}。请修改后重新提交。`,
    );
  });
  effects.on('goods.passwordDue', async (_ctx, { goodsId, orderId }) => {
    const { sellerId, goods, goodsSn } = await goodsDetails(ctx, goodsId);
    await notify(ctx, {
      kind: 'goods.password',
      userIds: [sellerId],
      ref: `${goodsId}:${orderId}`,
      values: { goods, goodsSn },
    });
  });
  for (const topic of Object.keys(GOODS_EVENTS) as GoodsTopic[]) {
    const { kind, text } = GOODS_EVENTS[topic];
    effects.on(topic, async (_ctx, e) => {
      const filled: Values = { goods: e.title, goodsSn: e.goodsSn, text: e.text || text };
      await notify(ctx, { kind, userIds: peopleOf(e), ref: e.ref ?? e.goodsSn, values: filled, link: e.link });
    });
  }
}

function bindMoney(ctx: Context, effects: Effects): void {
  effects.on('payment.paid', async (_ctx, p) => {
    const { rows } = await sql<{ orderSn: string | null; toSource: boolean }>`
      select o.sn as "orderSn", exists (select from refund r where r.payment_id = p.id and r.cause = 'late') as "toSource"
      from payment p left join orders o on o.id = p.order_id where p.id = ${p.paymentId}`.execute(ctx.db);
    const { orderSn = null, toSource = false } = rows[0] ?? {};
    // A payment that reached its order is reported by the order's own notices.
    if (orderSn !== null && !p.late) return;
    const base = { userIds: [p.userId], ref: `${p.paymentId}` };
    if (orderSn === null && p.late) {
      const text = `您的 ${p.text} 元充值是同一笔充值的重复付款，${toSource ? '正在自动退回您的付款账户' : '已转入您的可用余额'}。`;
      const what = toSource ? '正在退回' : '已转入余额';
      return await notify(ctx, { ...base, kind: 'money.duplicate', values: { what, text } });
    }
    if (orderSn === null)
      return await notify(ctx, { ...base, kind: 'money.topup', values: { amount: p.text, text: '' } });
    const [what, text] = toSource
      ? ['付款正在退回', '到账时订单已不再等待付款，正在自动退回您的付款账户']
      : ['付款已退到余额', '到账时订单已不再等待付款，已自动转入您的可用余额'];
    await notify(ctx, { ...base, kind: 'money.refund', values: { what, orderSn, amount: p.text, text } });
  });
  for (const [topic, what, text] of [
    ['withdraw.accept', '请确认收款', '请在 24 小时内到提现页，用微信确认收款，逾期金额退回余额'],
    ['withdraw.paid', '提现已到账', '已打款到您的收款账户，请留意查收'],
    ['withdraw.back', '提现已退回', ''],
  ] as const) {
    effects.on(topic, async (_ctx, { withdrawalId }) => {
      const { rows } = await sql<{ sn: string; userId: number; fen: number; note: string | null; distId: number }>`
        select sn, user_id as "userId", amount_fen as fen, note, dist_id as "distId" from withdrawal where id = ${withdrawalId}`.execute(
        ctx.db,
      );
      const w = rows[0];
      if (!w) return;
      await notify(ctx, {
        kind: 'money.withdraw',
        userIds: [w.userId],
        ref: `${topic}:${withdrawalId}`,
        distId: w.distId,
        values: { what, sn: w.sn, amount: yuanLabel(w.fen), text: text || (w.note ?? '金额已退回余额') },
      });
    });
  }
  effects.on('hold.released', async (_ctx, h) => {
    const { rows } = await sql<{ sn: string }>`select sn from orders where id = ${h.orderId}`.execute(ctx.db);
    const filled = { amount: yuanLabel(h.amountFen), orderSn: rows[0]?.sn ?? '' };
    await notify(ctx, { kind: 'money.released', userIds: [h.userId], ref: `${h.holdId}`, values: filled });
  });
  effects.on('hold.part', async (_ctx, h) => {
    const values = { amount: yuanLabel(h.amountFen), orderSn: h.orderSn };
    await notify(ctx, { kind: 'money.released', userIds: [h.userId], ref: `${h.holdId}:${h.part}`, values });
  });
}

/** Binds the notices for events of lower subjects, and the sender's timer. */
export function bindNoticeEvents(ctx: Context, effects: Effects): void {
  effects.onMany('notice', async (_ctx, requests) => {
    await notifyMany(
      ctx,
      requests.map((request) => ({ ...request, userIds: peopleOf(request) })),
    );
  });
  bindOrderEvents(ctx, effects);
  bindCaseEvents(ctx, effects);
  bindGoods(ctx, effects);
  bindMoney(ctx, effects);
  bindDebtEvents(ctx, effects);
  bindPeopleEvents(ctx, effects);
  bindNewsEvents(ctx, effects);
  effects.on('chat.offline', async (_ctx, e) => {
    const { rows } = await sql<{ sn: string | null; distId: number }>`
      select o.sn, g.dist_id as "distId" from chat_group g left join orders o on o.id = g.order_id where g.id = ${e.groupId} and g.status = ${sql.lit(ChatGroupStatus.Open)}`.execute(
      ctx.db,
    );
    const group = rows[0];
    if (!group) return;
    await notify(ctx, {
      kind: 'chat.offline',
      userIds: [e.userId],
      ref: `${e.groupId}:${e.seq}`,
      distId: group.distId,
      values: { orderSn: group.sn ?? '' },
      ...(group.sn === null && { link: '/customerService' }),
    });
  });
  effects.timer('notice.send', runSender);
}
