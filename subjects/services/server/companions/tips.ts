import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { companionTip } from '#subjects/services/contract/companions.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { TIP_DAYS, TIP_MAX_FEN } from '../../rules/companion-slots.ts';
import { spanText } from '#contract/rules/time/span.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { saleHold } from '#subjects/deposits/server/service.ts';
import { account, endHold, openHold, post, type Transfer } from '#subjects/ledger/server/service.ts';
import { addProcess, commissionOf, lockedOrder } from '#subjects/orders/server/service.ts';
import { actorOf, type PartyService, lockedService, notifyParty } from '../actions.ts';
import type { ServiceRow } from '../queries.ts';

/** Tips after companion play carry commission, are held like sales, and never exceed what was paid for play (decision 520). */

const DAY_MS = 86_400_000;
const HOUR_SECONDS = 3600;
/** Delay before a tip is checked again when its order has an open case. */
const RECHECK_SECONDS = HOUR_SECONDS;

/** Returns an order's tips so far, the amount that can still be tipped, and what was paid for play, all in fen. */
export async function loadTips(
  db: Trx,
  orderId: number,
): Promise<{ tippedFen: number; leftFen: number; paidFen: number }> {
  const { rows } = await sql<{ tippedFen: number; paidFen: number }>`
    select coalesce((select sum(amount_fen) from service_tip where order_id = ${orderId}), 0)::bigint as "tippedFen",
      coalesce(paid_for_play(${orderId}), 0) as "paidFen"`.execute(db);
  const { tippedFen, paidFen } = rows[0] ?? { tippedFen: 0, paidFen: 0 };
  return { tippedFen, paidFen, leftFen: Math.max(0, Math.min(TIP_MAX_FEN, paidFen) - tippedFen) };
}

/** Whether a tip can be given, apart from its amount: the play is over, and ended recently. */
export function mayTip({ order, service, role }: PartyService): boolean {
  const isOver = service.state === 'done' || service.state === 'ended';
  return role === 'buyer' && isOver && !order.disputed && wasPlayed(service) && isFresh(service);
}

const wasPlayed = ({ typeId, startedAt, playedMinutes }: ServiceRow): boolean =>
  typeId === COMPANION_PLAY && startedAt !== null && (playedMinutes ?? 0) > 0;
const isFresh = ({ finishedAt }: ServiceRow): boolean =>
  finishedAt !== null && finishedAt.getTime() + TIP_DAYS * DAY_MS > Date.now();

/** Requires that a tip of `fen` can be given. Throws ORDER_FORBIDDEN, ORDER_STATE, BAD_INPUT (field amount) above the remaining amount. */
async function requireRoom(trx: Trx, current: PartyService, fen: number): Promise<void> {
  if (current.role !== 'buyer') throw new AppError('ORDER_FORBIDDEN');
  if (!mayTip(current)) throw new AppError('ORDER_STATE', { text: `陪玩结算后 ${TIP_DAYS} 天内可以打赏` });
  const { paidFen, leftFen } = await loadTips(trx, current.order.id);
  if (paidFen === 0) throw errorOf('ORDER_STATE', 'tipWithoutFee');
  if (fen > leftFen)
    throw new AppError('BAD_INPUT', {
      text: `打赏合计不超过这一单实付的陪玩费用，最多 ${yuanLabel(Math.min(TIP_MAX_FEN, paidFen))} 元，还可以打赏 ${yuanLabel(leftFen)} 元`,
      field: 'amount',
    });
}

/** Splits a tip into the commission and the companion's share, both in fen. */
function divided(ctx: Context, fen: number): { feeFen: number; netFen: number } {
  const feeFen = commissionOf(fen, ctx.dir.setting('fees'));
  return { feeFen, netFen: fen - feeFen };
}

/** Gives a tip, under the lock of the order. Throws as requireRoom, BALANCE_LOW. */
async function give(ctx: Context, trx: Trx, current: PartyService, fen: number): Promise<void> {
  const { order } = current;
  await requireRoom(trx, current, fen);
  const { rows } = await sql<{ id: number }>`
    insert into service_tip (order_id, amount_fen) values (${order.id}, ${fen}) returning id`.execute(trx);
  const id = rows[0]?.id ?? 0;
  const ref = `tip:${id}`;
  const { feeFen, netFen } = divided(ctx, fen);
  const { hours } = await saleHold(ctx, trx, order.sellerId, order.buyerId);
  const seconds = hours * HOUR_SECONDS;
  const reason = `订单 ${order.sn} 的打赏，满 ${spanText(seconds)}后解冻`;
  await openHold(trx, { userId: order.sellerId, amountFen: netFen, code: 'service_tip', ref, reason, seconds });
  await schedule(trx, 'service.tip', id, { seconds });
  const same = { ref, debit: account.available(order.buyerId), dist: order.distId, order: order.id };
  const lines: Transfer[] = [
    { ...same, code: 'service_tip', credit: account.frozen(order.sellerId), fen: netFen },
    { ...same, code: 'service_tip_fee', credit: account.platform('fee', order.id), fen: feeFen },
  ];
  await post(
    trx,
    lines.filter((line) => line.fen > 0),
  );
  await addProcess(trx, order, `买家打赏了 ${yuanLabel(fen)} 元`, actorOf(current));
  await notifyParty(trx, current, 'seller', {
    kind: 'service.order',
    ref,
    title: '收到打赏',
    text: `买家打赏了 ${yuanLabel(fen)} 元，扣平台佣金后 ${yuanLabel(netFen)} 元，${spanText(seconds)}后到您的余额`,
  });
}

/** Gives a tip after companion play. Throws as `give`, ORDER_NOT_FOUND, PAY_PASSWORD_*. */
export async function tipCompanion(
  call: UserCall,
  { orderId, amount, payPassword }: Parsed<typeof companionTip>,
): Promise<HandlerResult<typeof companionTip>> {
  const { ctx, user, idem } = call;
  return await orEarlier(ctx.db, idem, async () => {
    await requireStepUp(call, 'pay', { payPassword });
    return await inTransaction(ctx.db, (trx) =>
      idempotent(trx, idem, async () => {
        await give(ctx, trx, await lockedService(trx, orderId, user.id), amount);
        const { tippedFen, leftFen } = await loadTips(trx, orderId);
        return { tipped: tippedFen, left: leftFen };
      }),
    );
  });
}

/**
 * The hold of a tip is over: its money becomes available, or returns to the buyer when refunds have left less paid for play than was tipped.
 * A case over the order stops it. Idempotent.
 */
export async function releaseTip(ctx: Context, tipId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ orderId: number; fen: number }>`
      select order_id as "orderId", amount_fen as fen from service_tip where id = ${tipId}`.execute(trx);
    const tip = rows[0];
    if (!tip) return;
    const order = await lockedOrder(trx, tip.orderId);
    if (order.disputed) return await schedule(trx, 'service.tip', tipId, { seconds: RECHECK_SECONDS });
    const ref = `tip:${tipId}`;
    const hold = await endHold(trx, { code: 'service_tip', ref }, '保护期结束');
    if (!hold) return;
    const { tippedFen, paidFen } = await loadTips(trx, order.id);
    const isExcess = tippedFen > paidFen;
    const same = { ref, dist: order.distId, order: order.id };
    const [frozen, buyer] = [account.frozen(order.sellerId), account.available(order.buyerId)];
    const fee = account.platform('fee', order.id);
    const lines: Transfer[] = isExcess
      ? [
          { ...same, code: 'service_tip_back', debit: frozen, credit: buyer, fen: hold.fen },
          { ...same, code: 'service_tip_fee_back', debit: fee, credit: buyer, fen: tip.fen - hold.fen },
        ]
      : [{ ...same, code: 'service_tip_end', debit: frozen, credit: account.available(order.sellerId), fen: hold.fen }];
    await post(
      trx,
      lines.filter((line) => line.fen > 0),
    );
  });
}
