import { sql } from 'kysely';
import type { recycleAccept, recycleAnswer, recycleWithdraw } from '#subjects/recycling/contract/account-recycling.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { RECYCLED_ACCOUNT } from '#subjects/orders/rules/order-types.ts';
import { spanText } from '#contract/rules/time/span.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import {
  type UnlistedOrder,
  payByBid,
  placeUnlisted,
  returnRecycled,
  settleRecycled,
} from '#subjects/orders/server/service.ts';
import { returnBids } from './money.ts';
import { type BidRow, bidRows, isPlatforms, lockedRequest, moveTo, requestRows, type RequestRow } from './rows.ts';
import { briefOf, detailsOf, recycleTitle } from './view.ts';

const own = (call: UserCall, requestSn: string) => sql`r.sn = ${requestSn} and r.user_id = ${call.user.id}`;

/** Notifies the owner of a request. */
export async function notifySeller(
  trx: Trx,
  r: Pick<RequestRow, 'id' | 'sn' | 'userId'>,
  what: string,
  text: string,
): Promise<void> {
  await emit(trx, 'notice', {
    kind: 'recycle.seller',
    userId: r.userId,
    ref: `recycle:${r.id}:${what}`,
    values: { what, text, sn: r.sn },
  });
}

/** Notifies the recycler whose bid was accepted. */
export async function notifyRecycler(trx: Trx, r: RequestRow, what: string, text: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select q.recycler_id as id from recycle_quote q join recycler c on c.user_id = q.recycler_id where q.id = ${r.bestQuoteId} and not c.is_platform`.execute(
    trx,
  );
  const userId = rows[0]?.id;
  if (userId !== undefined)
    await emit(trx, 'notice', {
      kind: 'recycle.recycler',
      userId,
      ref: `recycle:${r.id}:${what}`,
      values: { what, text },
    });
}

/** The bid to be accepted. Throws ORDER_STATE, PRICE_CHANGED. */
function takenBid(r: RequestRow, bids: readonly BidRow[], input: Parsed<typeof recycleAccept>): BidRow {
  const isFloor = input.floor === true;
  if (isFloor ? r.status !== 'bidding' : r.status !== 'quoted')
    throw new AppError('ORDER_STATE', {
      text: r.status === 'bidding' ? '竞价还没结束，请稍候或按保底卖' : '报价已失效，请刷新后查看',
    });
  const bid = bids.find((b) => b.status === 'open' && (isFloor ? b.isPlatform : b.id === r.bestQuoteId));
  if (!bid || (!isFloor && (r.dueAt === null || r.dueAt.getTime() <= Date.now())))
    throw new AppError('ORDER_STATE', { text: isFloor ? '这份申请没有平台保底' : '报价已过期，可以再竞价一次' });
  if (bid.amountFen !== input.price)
    throw new AppError('PRICE_CHANGED', { text: `报价现在是 ${yuanLabel(bid.amountFen)} 元，请核对后再接受` });
  return bid;
}

async function loadDeal(call: UserCall, r: RequestRow, bid: BidRow): Promise<UnlistedOrder> {
  const all = await catalogue(call.ctx);
  const setting = call.ctx.dir.setting('recycling');
  const brief = briefOf(r, all);
  const lines = [
    { code: 'goods' as const, label: '回收价', fen: bid.amountFen, rule: '卖家不付手续费' },
    ...(bid.feeFen > 0 ? [{ code: 'service' as const, label: '服务费', fen: bid.feeFen, rule: '回收商承担' }] : []),
  ];
  return {
    typeId: RECYCLED_ACCOUNT,
    gameId: r.gameId,
    buyer: { id: bid.recyclerId, inviterId: null },
    sellerId: r.userId,
    num: 1,
    unitFen: bid.amountFen,
    price: {
      lines,
      goodsFen: bid.amountFen,
      serviceFeeFen: bid.feeFen,
      ensureFen: 0,
      fixEnsureFen: 0,
      discountFen: 0,
      totalFen: bid.amountFen + bid.feeFen,
      commissionFen: 0,
      distShareFen: 0,
      inviteRewardFen: 0,
    },
    offerSn: r.sn,
    snapshot: {
      title: recycleTitle(brief.gameName, brief.areaName),
      gameCode: all.game(r.gameId)?.code ?? '',
      gameName: brief.gameName,
      areaName: brief.areaName,
      serverName: all.server(r.serverId ?? 0)?.name ?? '',
      attrs: r.details,
      picture: { cover: r.sn, v: '' },
      fieldsVersion: 1,
      facts: detailsOf(r, all),
      shipSeconds: setting.handOverSeconds + setting.inspectSeconds,
      handoverType: RECYCLED_ACCOUNT,
      binding: true,
    },
    explain: '卖家接受回收报价，货款由出价托管转入订单',
  };
}

/**
 * Sells at a bid: order placed and paid out of the bid's escrow, the other bids returned, in one transaction or not at all. Of two
 * concurrent calls one succeeds. Throws NOT_FOUND, ORDER_STATE, PRICE_CHANGED, REAL_NAME_*.
 */
export async function acceptBid(
  call: UserCall,
  input: Parsed<typeof recycleAccept>,
): Promise<HandlerResult<typeof recycleAccept>> {
  const { ctx } = call;
  const placed = await placeUnlisted(call, async () => {
    const seen = (await requestRows(ctx.db, own(call, input.requestSn), 1))[0];
    if (!seen) throw errorOf('NOT_FOUND', 'recycling');
    const bid = takenBid(seen, await bidRows(ctx.db, seen.id), input);
    return {
      deal: await loadDeal(call, seen, bid),
      also: async (trx, { orderId, orderSn }) => {
        const r = await lockedRequest(trx, own(call, input.requestSn));
        if (!r || takenBid(r, await bidRows(trx, r.id), input).id !== bid.id) throw new AppError('ORDER_STATE');
        await sql`update recycle_quote set status = 'paid' where id = ${bid.id}`.execute(trx);
        await payByBid(ctx, trx, orderId, bid.id);
        await returnBids(trx, r, bid.id, '的卖家接受了别家的价');
        const { handOverSeconds } = ctx.dir.setting('recycling');
        await moveTo(trx, r.id, 'accepted', { bestQuoteId: bid.id, orderId, dueSeconds: handOverSeconds });
        await schedule(trx, 'recycle.due', r.id, { seconds: handOverSeconds });
        await notifySeller(
          trx,
          r,
          '请密封提交账号',
          `回收单 ${r.sn} 已成交，请在 ${spanText(handOverSeconds)}内到订单 ${orderSn} 密封提交账号，到时没有提交自动关闭。`,
        );
        await notifyRecycler(
          trx,
          { ...r, bestQuoteId: bid.id },
          '卖家接受了您的出价',
          `订单 ${orderSn}，货款已托管，验号通过后您可以查看账号。`,
        );
      },
    };
  });
  return { orderId: placed.orderId, orderSn: placed.orderSn };
}

/** Withdraws a request before it is sold; all bids are returned. Throws NOT_FOUND, ORDER_STATE. */
export async function withdrawRequest(
  call: UserCall,
  input: Parsed<typeof recycleWithdraw>,
): Promise<Record<string, never>> {
  return await inTransaction(call.ctx.db, async (trx) => {
    const r = await lockedRequest(trx, own(call, input.requestSn));
    if (!r) throw errorOf('NOT_FOUND', 'recycling');
    if (r.status === 'withdrawn') return {};
    if (r.status !== 'bidding' && r.status !== 'quoted') throw errorOf('ORDER_STATE', 'recyclingAccepted');
    await returnBids(trx, r, null, '的卖家撤回了申请');
    await moveTo(trx, r.id, 'withdrawn');
    await cancel(trx, 'recycle.due', r.id);
    return {};
  });
}

/**
 * Ends a request whose reduced price was not accepted: the seller keeps the account, and the money is returned. The caller holds the
 * request's lock.
 */
export async function decline(ctx: Context, trx: Trx, r: RequestRow, actor: string, note: string): Promise<void> {
  if (r.orderId === null) throw new AppError('ORDER_STATE');
  await moveTo(trx, r.id, 'declined', { reason: note });
  await returnRecycled(ctx, trx, { orderId: r.orderId, actor, note });
  await cancel(trx, 'recycle.due', r.id);
  await notifyRecycler(trx, r, '回收没有成交', `回收单 ${r.sn}：${note}，货款已退回余额。`);
}

/** Pays the seller of an inspected account, less what was agreed. The caller holds the request's lock. */
export async function settle(
  ctx: Context,
  trx: Trx,
  r: RequestRow,
  who: { cutFen: number; staffId: number | null },
): Promise<void> {
  if (r.orderId === null) throw new AppError('ORDER_STATE');
  await moveTo(trx, r.id, 'paid', { cutFen: who.cutFen });
  const note = who.cutFen > 0 ? `按公布的数减价 ${yuanLabel(who.cutFen)} 元，卖家已同意` : '与填写一致，没有减价';
  const { takeOverSeconds } = ctx.dir.setting('recycling');
  const isHouse = await isPlatforms(trx, r.bestQuoteId);
  const end = { isPlatforms: isHouse, ...who };
  const netFen = await settleRecycled(ctx, trx, { orderId: r.orderId, takeOverSeconds, note, ...end });
  if (isHouse) await schedule(trx, 'recycle.takeOver', r.orderId, { seconds: takeOverSeconds });
  const span = spanText(takeOverSeconds);
  await cancel(trx, 'recycle.due', r.id);
  await notifySeller(
    trx,
    r,
    '验号通过，已付款',
    isHouse
      ? `回收单 ${r.sn}，${yuanLabel(netFen)} 元已付，平台接管账号后到可用余额；${span}内没有接管，转客服处理。`
      : `回收单 ${r.sn}，${yuanLabel(netFen)} 元已付，回收商接管账号后到可用余额，最迟 ${span}。`,
  );
  await notifyRecycler(
    trx,
    r,
    '可以接收账号了',
    `回收单 ${r.sn} 验号通过，请打开密封信息改密改绑，再确认接管；有问题 ${span}内申诉。`,
  );
}

/** Accepts a lower price, or returns the account free of charge. Throws NOT_FOUND, ORDER_STATE, ORDER_DISPUTED. */
export async function answerCut(call: UserCall, input: Parsed<typeof recycleAnswer>): Promise<Record<string, never>> {
  return await inTransaction(call.ctx.db, async (trx) => {
    const r = await lockedRequest(trx, own(call, input.requestSn));
    if (!r) throw errorOf('NOT_FOUND', 'recycling');
    if (r.status !== 'reconfirm') throw errorOf('ORDER_STATE', 'recyclingNoReduction');
    if (input.agree) await settle(call.ctx, trx, r, { cutFen: r.cutFen, staffId: null });
    else await decline(call.ctx, trx, r, `user:${call.user.id}`, '验号有差异，卖家免费取回账号');
    return {};
  });
}
