import { sql } from 'kysely';
import { transactionCacheContactInfo } from '#subjects/orders/contract/contact.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { findDiscount } from '#subjects/orders/contract/discount.ts';
import { inviteList, inviteStats } from '#subjects/orders/contract/invite.ts';
import { distEnsureList, getScaleConf, latestDealRecord } from '#subjects/orders/contract/site-figures.ts';
import { rateText } from '#contract/rules/fee.ts';
import { orderStatusName, OrderStatus } from '../rules/order-status.ts';
import { yuanLabel } from '#contract/wire.ts';
import { reasonLines } from '#subjects/guarantees/rules/guarantee.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { siteFees } from '#server/directory/directory.ts';
import { publishable } from '#server/contacts.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { releaseHold, releaseStages } from '#subjects/ledger/server/service.ts';
import { catalogueOf, guaranteesOf, onSaleCounts } from '#subjects/games/server/service.ts';
import type { Binding } from '#server/binding.ts';
import { reschedule } from '#server/jobs/effect-writer.ts';
import { orderIdsOf } from '#server/jobs/topics.ts';
import { bindDays } from './figures/days.ts';
import { completedSales, saleCounts, siteCounts } from './placing/completed-sales.ts';
import { loadDetail } from './detail.ts';
import { discountsFor } from './placing/discounts.ts';
import { eraseContacts, saveContact } from './contact.ts';
import { completeStep, shipAfterCase, skipStep } from './handover/complete-step.ts';
import { requireCredential, submitCredential, storeCredential } from './handover/credentials.ts';
import { recordingOtherAccount } from './handover/listed-account.ts';
import { moveExchange } from './handover/exchange.ts';
import { openExchanged } from './handover/exchange-open.ts';
import { ensureHandovers } from './handover/handover.ts';
import { listOrders, oneOrder, loadProcess } from './list.ts';
import { startLateClocks } from './handover/late.ts';
import { scheduleMissingLateTimers } from './handover/late-missing.ts';
import { openForm } from './handover/openings.ts';
import { listInvited, loadStats } from './placing/invites.ts';
import { answerOffline, shipOffline } from './offline.ts';
import { termsForParty, termsForSystem } from './queries.ts';
import { bindRetention } from './retention.ts';
import { bindFigures } from './figures/daily-sums.ts';
import { requestOrDeclineCancel, partyStep, placeOrder, quote } from './service.ts';
import { type TransitionResult, applyTransition } from './apply-transition.ts';
import { stopConfirm } from './handover/steps-gate.ts';
import { listItemOf } from './view.ts';
import { ORDERS_ENDED } from '#server/states/order-states.ts';

/** Services have separate actions, so no action of this list applies to them. */
const named = (s: TransitionResult): HandlerResult<typeof c.cancelOrder> => ({
  orderId: s.orderId,
  orderSn: s.orderSn,
  status: s.status,
  statusName: orderStatusName(s.status, null),
});

function timeOf(text: string | undefined, field: 'minTime' | 'maxTime'): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || at.getFullYear() > 9999 || at.getFullYear() < 1970)
    throw new AppError('BAD_INPUT', { text: '时间格式不正确', field });
  return at;
}

/**
 * Parses `details`: keywords, or the JSON text as returned by the list (product.md 3: gameName, areaName, serverName).
 */
function detailsOf(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith('{')) return text;
  let named: Record<string, unknown>;
  try {
    named = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new AppError('BAD_INPUT', { text: '商品信息格式不正确', field: 'details' });
  }
  const known = ['gameName', 'areaName', 'serverName'] as const;
  const parts = known.map((name) => named[name]).filter((part) => typeof part === 'string' && part !== '');
  // Other keys are rejected: they would be ignored, and the list would only look filtered.
  if (parts.length === 0 && Object.keys(named).length > 0 && !known.some((name) => name in named))
    throw new AppError('BAD_INPUT', { text: `商品信息可以包含 ${known.join('、')}`, field: 'details' });
  return parts.length > 0 ? parts.join(' ') : undefined;
}

function bindReads({ ctx, server }: Binding): void {
  server.serve(c.quoteOrder, async (call, input) => {
    const { goods, price } = await quote(call, input);
    return {
      lines: price.lines.map((l) => ({ code: l.code, label: l.label, amount: l.fen, rule: l.rule })),
      totalPrice: price.totalFen,
      goodsVersion: goods.version,
    };
  });
  server.serve(c.queryOrderList, async ({ user }, input) => {
    const limit = input.pageSize ?? 20;
    const { rows, next, counts } = await listOrders(ctx.db, {
      userId: user.id,
      belong: input.belong,
      status: input.status,
      typeId: input.goodsTypeId,
      keyWord: input.keyWord,
      minTime: timeOf(input.minTime, 'minTime'),
      maxTime: timeOf(input.maxTime, 'maxTime'),
      isRecovery: input.isRecovery,
      details: detailsOf(input.details),
      cursor: input.cursor,
      limit,
      offset: ((input.pages ?? 1) - 1) * limit,
    });
    const total = input.status === undefined ? (counts.all ?? 0) : (counts[String(input.status)] ?? 0);
    return {
      orderList: rows.map((r) => listItemOf(r, r.buyer_id === user.id ? 'buyer' : 'seller')),
      counts,
      total: Math.min(total, 1000),
      totalCapped: total > 1000,
      next,
    };
  });
  server.serve(c.orderDetail, async ({ user }, { orderSn }) => await loadDetail(ctx, orderSn, { userId: user.id }));
  server.serve(c.listOrderProcess, async ({ user }, { orderSn }) => {
    const order = await oneOrder(ctx.db, orderSn, user.id);
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    return { list: await loadProcess(ctx.db, order.id) };
  });
}

/** A reason shown to the other party in the order's record. Throws BAD_INPUT. */
const publicReason = (ctx: Context, reason: string | undefined): string | undefined =>
  reason === undefined ? undefined : publishable(ctx.blockedWords, '原因', reason, 'reason');

function bindWrites({ ctx, server }: Binding): void {
  server.serve(c.placeOrder, async (call, input) => {
    const placed = await placeOrder(call, input);
    return { ...placed, totalPrice: placed.totalFen, createTime: new Date(placed.createTime) };
  });
  server.serve(c.cancelOrder, async (call, { orderId, reason }) =>
    named(
      await partyStep(
        call,
        orderId,
        (o, role) =>
          role === 'seller'
            ? 'sellerCancel'
            : o.status === OrderStatus.Unpaid || o.status === OrderStatus.BuyerCancelled
              ? 'cancelUnpaid'
              : 'cancelPaid',
        publicReason(ctx, reason),
      ),
    ),
  );
  server.serve(c.requestCancel, async (call, { orderId, act: action, reason }) =>
    named(
      action === 'agree'
        ? await partyStep(call, orderId, () => 'cancelAgreed', publicReason(ctx, reason))
        : await requestOrDeclineCancel(call, orderId, action, publicReason(ctx, reason)),
    ),
  );
  server.serve(c.offlineTranSub, async (call, { orderId, isRecovery }) =>
    named(isRecovery ? await shipOffline(call, orderId, isRecovery) : await partyStep(call, orderId, () => 'ship')),
  );
  server.serve(c.offlineTranAnswer, async (call, { orderId, agree }) =>
    named(await answerOffline(call, orderId, agree === 1)),
  );
  server.serve(c.confirmRecGoods, async (call, { orderId }) => named(await partyStep(call, orderId, () => 'confirm')));
  server.serve(c.deleteOrder, async ({ user }, { orderId }) => {
    const { rows } = await sql`
      update orders set hidden_buyer = hidden_buyer or buyer_id = ${user.id}, hidden_seller = hidden_seller or seller_id = ${user.id}
      where id = ${orderId} and ${user.id} in (buyer_id, seller_id) and status in ${ORDERS_ENDED} and not disputed
        and not exists (select from hold h where h.code = 'sale_protection' and h.ref = orders.id::text and h.released_at is null)
      returning id`.execute(ctx.db);
    if (rows.length === 0) {
      if (!(await termsForParty(ctx.db, { id: orderId }, user.id))) throw new AppError('ORDER_NOT_FOUND');
      throw errorOf('ORDER_STATE', 'deleteTooEarly');
    }
    return {};
  });
  server.serve(transactionCacheContactInfo, saveContact);
}

function bindHandover({ ctx, server }: Binding): void {
  server.serve(c.handoverDone, async ({ user }, { orderId, step, pictures, fields }) => {
    const order = await termsForParty(ctx.db, { id: orderId }, user.id);
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    const role = order.buyerId === user.id ? 'buyer' : 'seller';
    await recordingOtherAccount(ctx.db, { orderId, actor: `user:${user.id}` }, () =>
      completeStep(ctx, order, { role, userId: user.id }, { step, pictures }, async (trx) => {
        if (fields) await storeCredential(ctx, trx, { orderId, userId: user.id }, step, fields);
        else await requireCredential(trx, orderId, step);
      }),
    );
    return {};
  });
  server.serve(c.sealSecret, async (call, { orderId, step, fields }) => ({
    version: await submitCredential(call, orderId, step, fields),
  }));
  server.serve(c.handoverSkip, async ({ user }, { orderId, step }) => {
    const order = await termsForParty(ctx.db, { id: orderId }, user.id);
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    await skipStep(ctx, order, user.id, step);
    return {};
  });
  server.serve(c.exchangeMove, async (call, input) => {
    await moveExchange(call, input);
    return {};
  });
  server.serve(c.exchangeOpen, openExchanged);
  server.serve(c.revealSecret, async ({ user }, { orderId, step }) => {
    const order = await termsForParty(ctx.db, { id: orderId }, user.id);
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    const party = order.buyerId === user.id ? 'buyer' : 'seller';
    return await openForm(ctx, orderId, { party, actor: `user:${user.id}`, name: user.nickName }, step);
  });
}

function bindPublic({ ctx, server }: Binding): void {
  server.serve(inviteStats, loadStats);
  server.serve(inviteList, listInvited);
  server.serve(findDiscount, discountsFor);
  server.serve(latestDealRecord, async ({ dist }, { pageSize }) => ({
    list: (await completedSales(ctx.db, { games: dist.games, limit: pageSize ?? 10 })).list,
  }));
  server.serve(c.everydayDealOrderList, async ({ dist }, { pageSize, cursor, gameId, goodsTypeId, day }) => {
    const { games } = dist;
    const [page, counts] = await Promise.all([
      completedSales(ctx.db, { games, gameId, typeId: goodsTypeId, day, limit: pageSize ?? 20, cursor }),
      saleCounts(ctx, { games, gameId }),
    ]);
    const all = catalogueOf(ctx);
    return {
      ...page,
      days: counts.days,
      games: counts.games.map((g) => ({ ...g, gameName: all.known(g.gameId)?.name ?? '' })),
    };
  });
  server.serve(c.distCount, async ({ dist }) => {
    const [onSale, counts] = await Promise.all([onSaleCounts(ctx), siteCounts(ctx)]);
    const visible = [...onSale].filter(([gameId]) => dist.games?.includes(gameId) ?? true);
    const sum = visible.flatMap(([, types]) => [...types.values()]).reduce((total, count) => total + count, 0);
    return { ...counts, onSale: sum };
  });
  server.serve(distEnsureList, (_call, { gameId }) =>
    Promise.resolve({
      list: guaranteesOf(ctx, gameId).map((g) => ({
        id: g.id,
        kind: g.kind,
        name: g.name,
        rateText: rateText(g.bp),
        rateBp: g.bp,
        minimum: g.minFen,
        coverText: g.coverText,
        exclusions: g.exclusions,
        chaseDays: g.chaseDays,
        reasons: g.reasonsOfRate,
        pays: reasonLines(g.reasons, g.payoutBp).map(({ name, text }) => ({ name, text })),
        baseText: rateText(g.baseBp),
        parts: g.parts.map(({ label, bp }) => ({ label, share: rateText(bp) })),
      })),
    }),
  );
  server.serve(getScaleConf, ({ dist }) => {
    const fees = siteFees(ctx.dir, dist);
    const withdraw = ctx.dir.setting('withdraw');
    return Promise.resolve({
      sellerCommission: `成交价的 ${rateText(fees.sellerBp)}，最高 ${yuanLabel(fees.sellerMaxFen)} 元`,
      sellerCommissionBp: fees.sellerBp,
      sellerCommissionMax: fees.sellerMaxFen,
      buyerServiceFee: `商品价的 ${rateText(fees.buyerBp)}`,
      buyerServiceFeeBp: fees.buyerBp,
      withdrawFee: withdraw.feeFen === 0 ? '免手续费' : `每笔 ${yuanLabel(withdraw.feeFen)} 元`,
      withdrawMinimum: withdraw.minFen,
      withdrawDayCount: withdraw.dayCount,
      withdrawDayMax: withdraw.dayMaxFen,
      holdBySellerLevel: ctx.dir.setting('hold_hours').map((hours, level) => ({ level, hours })),
    });
  });
}

function bindEffects({ ctx, effects }: Binding): void {
  effects.onMany('order.paid', async (_ctx, events) => {
    await inTransaction(ctx.relaxed, async (trx) => {
      const orderIds = orderIdsOf(events);
      await ensureHandovers(ctx, trx, orderIds);
      await startLateClocks(trx, orderIds);
    });
  });
  for (const topic of ['order.completed', 'order.cancelled', 'order.ruled'] as const)
    effects.onMany(topic, async (_ctx, events) => await eraseContacts(ctx, orderIdsOf(events)));
  effects.on('dispute.closed', async (_ctx, { orderId }) => await shipAfterCase(ctx, orderId));
  effects.timer('order.expire', async (_ctx, ref) => {
    const order = await termsForSystem(ctx.db, { id: Number(ref) });
    if (order) await applyTransition(ctx, ctx.db, { name: 'expire', order, role: 'timer', actor: 'timer' });
  });
  effects.timer('order.autoConfirm', async (_ctx, ref) => await autoConfirm(ctx, ref));
  effects.timer('hold.release', async (_ctx, ref) => {
    const next = await releaseStages(ctx.db, Number(ref));
    if (next === null) return;
    if (await releaseHold(ctx.db, { orderId: Number(ref) })) return;
    // A dispute that stopped the hold meanwhile has removed its timer, so there is none to move.
    await reschedule(ctx.db, 'hold.release', ref, next);
  });
}

/** At the end of the inspection time of a shipped order: completes it, or stops its clock for missing steps. */
async function autoConfirm(ctx: Context, orderId: number): Promise<void> {
  const order = await termsForSystem(ctx.db, { id: orderId });
  if (!order) return;
  try {
    await applyTransition(ctx, ctx.db, { name: 'autoConfirm', order, role: 'timer', actor: 'timer' });
  } catch (error) {
    if (asAppError(error)?.error !== 'ORDER_HANDOVER_OPEN') throw error;
    await stopConfirm(ctx, orderId);
  }
}

/** Calls and effects of orders. */
export async function bindOrders(binding: Binding): Promise<void> {
  bindReads(binding);
  bindWrites(binding);
  bindHandover(binding);
  bindPublic(binding);
  bindEffects(binding);
  bindDays(binding);
  await bindRetention(binding.ctx, binding.effects);
  binding.effects.every('order.lateMissing', scheduleMissingLateTimers);
  bindFigures(binding.effects);
}
