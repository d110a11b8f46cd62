import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/services/contract/boosting.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { cancel } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { countedDeposit } from '#subjects/deposits/server/service.ts';
import { type Catalogue, catalogue } from '#subjects/games/server/service.ts';
import {
  type UnlistedOrder,
  lockedOrder,
  payByRequest,
  placeUnlisted,
  type Price,
} from '#subjects/orders/server/service.ts';
import { loadProvider, type ProviderRow } from '#subjects/providers/server/service.ts';
import { accept } from '../begin.ts';
import { areBlocked } from '../blocks.ts';
import { loadService } from '../queries.ts';
import { beginText, kindOf, modeName } from '../terms.ts';
import { lockedRequest, requestRows, type RequestRow, sharesOf, titleOf } from './rows.ts';

/** Why a booster cannot claim an open order in its present state; null when the claim may be tried. */
export function closedFor(r: RequestRow, booster: ProviderRow, limits: { orderFen: number | null }): string | null {
  if (r.buyerId === booster.userId) return '这是您自己发的单';
  if (r.status === 'taken') return '已被其他打手接走';
  if (r.status !== 'open' || r.expiresAt.getTime() <= Date.now()) return '这笔发单已经结束';
  if (!booster.games.includes(r.gameId)) return '这个游戏不在您的资料里，请先添加';
  if (limits.orderFen !== null && r.goodsFen > limits.orderFen)
    return `超过您保证金等级的单笔上限 ${yuanLabel(limits.orderFen)} 元`;
  return null;
}

/**
 * The maximum price of one order of a booster by the deposit level, in fen; null for no limit. Throws SHOP_DEPOSIT
 * without a deposit.
 */
export async function orderLimit(db: Trx, userId: number): Promise<number | null> {
  const { reached } = await countedDeposit(db, userId, kindOf(BOOSTING));
  if (!reached) throw new AppError('SHOP_DEPOSIT', { text: '请先缴纳代练保证金，再接单' });
  return reached.limits.orderFen ?? null;
}

/** The amounts that were fixed when it was posted; a booster earns no reward for inviting their own customer. */
const priceOf = (r: RequestRow, sellerId: number): Price =>
  r.inviterId === sellerId ? { ...r.price, inviteRewardFen: 0 } : r.price;

function dealOf(r: RequestRow, sellerId: number, all: Catalogue): UnlistedOrder {
  const game = all.game(r.gameId);
  return {
    typeId: BOOSTING,
    gameId: r.gameId,
    buyer: { id: r.buyerId, inviterId: r.inviterId },
    sellerId,
    num: 1,
    unitFen: r.goodsFen,
    price: priceOf(r, sellerId),
    offerSn: r.sn,
    snapshot: {
      title: `${game?.name ?? ''} ${titleOf(r)}`.trim().slice(0, 120),
      gameCode: game?.code ?? '',
      gameName: game?.name ?? '',
      areaName: r.area,
      serverName: '',
      attrs: {},
      picture: null,
      fieldsVersion: 1,
      facts: [
        { label: '服务方式', value: modeName(r.mode, BOOSTING) },
        { label: '从哪到哪', value: titleOf(r) },
        { label: '约定用时', value: `${Math.round(r.minutes / 60)} 小时内，从${beginText(r.mode)}起算，暂停不计` },
        { label: '区服', value: r.area },
        ...(r.note === '' ? [] : [{ label: '要求', value: r.note }]),
      ],
      shipSeconds: r.minutes * 60,
      service: true,
      ...(r.mode === 'together' && { together: true as const }),
    },
    explain: '打手接了买家的发单，货款由发单托管转入订单',
  };
}

async function storeService(trx: Trx, orderId: number, r: RequestRow, providerId: number): Promise<void> {
  await sql`insert into service_order (order_id, package_id, provider_id, type_id, units, minutes, mode, form, safety_fen, efficiency_fen)
    values (${orderId}, null, ${providerId}, ${BOOSTING}, 1, ${r.minutes}, ${r.mode}, ${JSON.stringify({ area: r.area, note: r.note })}::jsonb,
      ${r.safetyFen}, ${r.efficiencyFen})`.execute(trx);
  const shares = sharesOf(r);
  for (const [i, m] of r.milestones.entries())
    await sql`insert into service_milestone (order_id, seq, title, share_fen) values (${orderId}, ${i + 1}, ${m.title}, ${shares[i] ?? 0})`.execute(
      trx,
    );
}

/** The booster who may claim. Throws PROVIDER_REQUIRED, PROVIDER_STATE. */
async function claimant({ ctx, user }: UserCall): Promise<ProviderRow> {
  const booster = await loadProvider(ctx.db, user.id, 'booster');
  if (!booster) throw new AppError('PROVIDER_REQUIRED', { text: '请先申请成为代练，通过后才能接单' });
  if (booster.status !== 'approved') throw new AppError('PROVIDER_STATE', { text: '代练资格审核通过后才能接单' });
  return booster;
}

/**
 * Claims an open order: the order is placed, paid out of the open order's escrow and accepted with both deposits, in one transaction or not
 * at all. Of two claims, and of a claim and a withdrawal, one wins. Throws PROVIDER_*, SHOP_DEPOSIT, NOT_FOUND, ORDER_STATE, SERVICE_CLOSED,
 * BALANCE_LOW, REAL_NAME_*.
 */
export async function takeRequest(
  call: UserCall,
  { requestSn }: Parsed<typeof c.boostTake>,
): Promise<HandlerResult<typeof c.boostTake>> {
  const { ctx, user, dist } = call;
  const placed = await placeUnlisted(call, async () => {
    const booster = await claimant(call);
    const limits = { orderFen: await orderLimit(ctx.db, user.id) };
    const seen = (await requestRows(ctx.db, sql`r.sn = ${requestSn} and r.dist_id = ${dist.id}`, { limit: 1 }))[0];
    if (!seen) throw errorOf('NOT_FOUND', 'boostRequest');
    requireFree(seen, booster, limits);
    if (await areBlocked(ctx.db, user.id, seen.buyerId))
      throw new AppError('SERVICE_CLOSED', { text: '对方暂不接您的服务' });
    return {
      deal: dealOf(seen, user.id, await catalogue(ctx)),
      also: async (trx, { orderId }) => {
        const r = await lockedRequest(trx, { sn: requestSn });
        if (!r) throw new AppError('NOT_FOUND');
        requireFree(r, booster, limits);
        await sql`update boost_request set status = 'taken', order_id = ${orderId}, ended_at = now() where id = ${r.id}`.execute(
          trx,
        );
        await storeService(trx, orderId, r, booster.id);
        await payByRequest(ctx, trx, orderId, r.id);
        await cancel(trx, 'boost.expire', r.id);
        const service = await loadService(trx, orderId, true);
        if (!service) throw new Error('a service was not stored');
        await accept(ctx, trx, { order: await lockedOrder(trx, orderId), service, role: 'seller' });
      },
    };
  });
  return { orderId: placed.orderId, orderSn: placed.orderSn };
}

function requireFree(r: RequestRow, booster: ProviderRow, limits: { orderFen: number | null }): void {
  const closed = closedFor(r, booster, limits);
  if (closed === null) return;
  throw new AppError(r.buyerId === booster.userId ? 'GOODS_OWN' : 'ORDER_STATE', { text: closed });
}
