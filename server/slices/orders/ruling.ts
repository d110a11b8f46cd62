import { sql } from 'kysely';
import { type HeldSplit, rulingOutcome, splitEscrow, splitHeld } from '#contract/rules/ruling.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { account, lockedBalance, post, type Transfer } from '#server/slices/ledger/service.ts';
import { termsForSystem } from './queries.ts';
import type { OrderTerms } from './rules.ts';
import { takeStep } from './step.ts';

/** What was left of each of an order's clocks when a dispute stopped them, in seconds. */
export interface Stopped {
  holdSeconds?: number;
  confirmSeconds?: number;
  shipSeconds?: number;
}

/** An order's terms with its row locked, so that no step, release or other dispute passes meanwhile. */
export async function lockedOrder(trx: Trx, orderId: number): Promise<OrderTerms> {
  await sql`select id from orders where id = ${orderId} for update`.execute(trx);
  const order = await termsForSystem(trx, { id: orderId });
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  return order;
}

/**
 * Stops an order's timers and its hold, under its lock; `why` is what the seller reads beside the hold. Answers what was left of them;
 * null when a completed order is held no more, so that nothing is left to stop.
 */
export async function stopClocks(trx: Trx, order: OrderTerms, why: string): Promise<Stopped | null> {
  const ref = String(order.id);
  const { rows } = await sql<{ ship: number | null; confirm: number | null }>`
    select case when status = 1 then greatest(0, extract(epoch from ship_by - now()))::int end as ship,
      case when status = 2 then greatest(0, extract(epoch from auto_confirm_at - now()))::int end as confirm from orders where id = ${order.id}`.execute(
    trx,
  );
  const held = await sql<{ id: number; left: number }>`
    select id, greatest(0, extract(epoch from release_at - now()))::int as left from hold
    where code = 'sale_protection' and ref = ${ref} and released_at is null for update`.execute(trx);
  const hold = held.rows[0];
  if (order.status === 3 && !hold) return null;
  await sql`delete from timer where ref = ${ref} and kind in ('order.autoConfirm', 'hold.release')`.execute(trx);
  if (hold)
    await sql`update hold set release_at = null, reason = ${`订单 ${order.sn} ${why}`} where id = ${hold.id}`.execute(
      trx,
    );
  const clocks = rows[0];
  return {
    ...(hold && { holdSeconds: hold.left }),
    ...(clocks && clocks.ship !== null && { shipSeconds: clocks.ship }),
    ...(clocks && clocks.confirm !== null && { confirmSeconds: clocks.confirm }),
  };
}

/** Lets an order's clocks go on with what was left of them. */
export async function resumeClocks(trx: Trx, order: OrderTerms, stopped: Stopped): Promise<void> {
  const { holdSeconds, confirmSeconds, shipSeconds } = stopped;
  if (shipSeconds !== undefined && order.status === 1)
    await sql`update orders set ship_by = now() + make_interval(secs => ${shipSeconds}) where id = ${order.id}`.execute(
      trx,
    );
  if (confirmSeconds !== undefined && order.status === 2) {
    await sql`update orders set auto_confirm_at = now() + make_interval(secs => ${confirmSeconds}) where id = ${order.id}`.execute(
      trx,
    );
    await setTimer(trx, 'order.autoConfirm', order.id, confirmSeconds);
  }
  if (holdSeconds !== undefined && order.status === 3) {
    await sql`update hold set release_at = now() + make_interval(secs => ${holdSeconds}),
        reason = ${`订单 ${order.sn} 处理已结束，保护期继续计时，到期自动解冻`}
      where code = 'sale_protection' and ref = ${String(order.id)} and released_at is null`.execute(trx);
    const { rows } = await sql<{ first: number | null }>`
      select max(s.before_end) as first from hold h join hold_stage s on s.hold_id = h.id and s.released_at is null
      where h.code = 'sale_protection' and h.ref = ${String(order.id)} and h.released_at is null`.execute(trx);
    await setTimer(trx, 'hold.release', order.id, Math.max(0, holdSeconds - (rows[0]?.first ?? 0)));
  }
}

async function setTimer(trx: Trx, kind: string, orderId: number, seconds: number): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) values (${kind}, ${String(orderId)}, now() + make_interval(secs => ${seconds}))
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0`.execute(trx);
}

/** What came of it: in fen, and whether the order goes on where it stood. */
export interface CarriedOut {
  buyerFen: number;
  sellerFen: number;
  goesOn: boolean;
}

/**
 * Carries out what was decided on a disputed order, under its lock: `backFen` of the goods' price goes back to the buyer. Paid and shipped
 * orders are closed, in part or in whole, and a shipped one with nothing back is completed; of a completed one the seller's hold is
 * divided; a paid one with nothing back goes on. Throws ORDER_STATE when the hold is gone.
 */
export async function carryOut(
  ctx: Context,
  trx: Trx,
  order: OrderTerms,
  backFen: number,
  why: { actor: string; note: string; stopped: Stopped },
): Promise<CarriedOut> {
  const outcome = rulingOutcome(order, order.status, backFen);
  if (order.status === 3) {
    if (backFen > 0) await divideHold(trx, order, backFen, why);
    else await resumeClocks(trx, order, why.stopped);
    return { ...outcome, goesOn: backFen === 0 };
  }
  if (order.status === 1 && backFen === 0) {
    await resumeClocks(trx, order, why.stopped);
    return { buyerFen: 0, sellerFen: 0, goesOn: true };
  }
  const split = splitEscrow(order, backFen);
  const step = { order, role: 'timer', actor: why.actor, note: why.note } as const;
  if (backFen === order.goodsFen) await takeStep(ctx, trx, { ...step, name: 'ruleRefund' });
  else if (backFen === 0) await takeStep(ctx, trx, { ...step, name: 'ruleComplete' });
  else
    await takeStep(ctx, trx, {
      ...step,
      name: 'rulePart',
      extra: escrowLines(order, split),
      holdFen: split.sellerFen,
    });
  return { ...outcome, goesOn: false };
}

/** The escrow of a partly refunded order, to everybody who has a part in it; shares come out of the commission first. */
function escrowLines(o: OrderTerms, s: ReturnType<typeof splitEscrow>): Transfer[] {
  const line = (code: Transfer['code'], credit: string, fen: number): Transfer => ({
    code,
    ref: `order:${o.id}`,
    debit: account.escrow(o.id),
    credit,
    fen,
    dist: o.distId,
    order: o.id,
  });
  const fee = account.platform('fee', o.id);
  const shares = s.distFen + s.inviteFen;
  const fromCommission = Math.min(shares, s.commissionFen);
  const lines = [
    line('order_refund', account.available(o.buyerId), s.buyerFen),
    line('order_refund_coupon', account.platform('coupon_expense', o.id), s.couponFen),
    line('ruling_to_seller', account.frozen(o.sellerId), s.sellerFen),
    line('sale_commission', fee, s.commissionFen - fromCommission),
    line('service_fee', fee, s.serviceFen - (shares - fromCommission)),
    line('dist_share', account.commission(o.distId), s.distFen),
    ...(o.inviterId === null ? [] : [line('invite_reward', account.available(o.inviterId), s.inviteFen)]),
  ];
  return lines.filter((t) => t.fen > 0);
}

/**
 * Takes up to `upToFen` of what is still held of a sale into the guarantee fund, for a claim that the fund has paid, and gives the rest
 * of the hold free (platform rule 5.3). Under the order's lock. Answers what was taken, in fen; 0 when nothing is held.
 */
export async function takeForFund(trx: Trx, o: OrderTerms, upToFen: number, claimId: number): Promise<number> {
  const { rows } = await sql<{ id: number; amountFen: number }>`
    update hold set released_at = now(), release_note = '包赔已赔付，货款按规则 5.3 收回'
    where code = 'sale_protection' and ref = ${String(o.id)} and released_at is null returning id, amount_fen as "amountFen"`.execute(
    trx,
  );
  const hold = rows[0];
  if (!hold) return 0;
  const fen = Math.min(upToFen, hold.amountFen);
  const same = { debit: account.frozen(o.sellerId), dist: o.distId, order: o.id };
  const lines: Transfer[] = [
    { ...same, code: 'claim_recourse', ref: `claim:${claimId}`, credit: account.platform('guarantee_fund', o.id), fen },
    {
      ...same,
      code: 'hold_end',
      ref: `hold:${hold.id}`,
      credit: account.available(o.sellerId),
      fen: hold.amountFen - fen,
    },
  ];
  await post(
    trx,
    lines.filter((t) => t.fen > 0),
  );
  return fen;
}

/** Where what goes back comes from: the hold, then the balances of who had the money, then the guarantee fund (rules 6.1, 7.2). */
interface TakenBack {
  heldFen: number;
  balanceFen: number;
  distFen: number;
  inviterFen: number;
  /** What the seller's balance has not. */
  shortFen: number;
  fundFen: number;
}

/** What an account gives of what it owes: no more than it has. The account stays locked. */
async function givesBack(trx: Trx, key: string, owedFen: number): Promise<number> {
  if (owedFen === 0) return 0;
  return Math.max(0, Math.min(await lockedBalance(trx, key), owedFen));
}

/** Only money that left the hold or the fees early makes them fall short, so the buyer's protection depends on nobody's level or share. */
async function takenBack(trx: Trx, o: OrderTerms, holdFen: number, s: HeldSplit): Promise<TakenBack> {
  const heldFen = Math.min(holdFen, s.fromSellerFen);
  const owedFen = s.fromSellerFen - heldFen;
  const distFen = await givesBack(trx, account.commission(o.distId), s.fromDistFen);
  const inviterFen = o.inviterId === null ? 0 : await givesBack(trx, account.available(o.inviterId), s.fromInviterFen);
  // An inviter may be the seller: what he gave for the one is not there for the other.
  const spentFen = o.inviterId === o.sellerId ? inviterFen : 0;
  const reachFen = await givesBack(trx, account.available(o.sellerId), owedFen > 0 ? owedFen + spentFen : 0);
  const balanceFen = Math.min(owedFen, Math.max(0, reachFen - spentFen));
  const shortFen = owedFen - balanceFen;
  const fundFen = shortFen + (s.fromDistFen - distFen) + (s.fromInviterFen - inviterFen);
  return { heldFen, balanceFen, distFen, inviterFen, shortFen, fundFen };
}

/** Takes money back from the seller's hold, the platform's income and the shares paid out of it, gives the rest of the hold free, and writes it on the record. */
async function divideHold(
  trx: Trx,
  o: OrderTerms,
  backFen: number,
  why: { actor: string; note: string },
): Promise<void> {
  const { rows } = await sql<{ id: number; amount_fen: number }>`
    update hold set released_at = now(), release_note = ${why.note}
    where code = 'sale_protection' and ref = ${String(o.id)} and released_at is null returning id, amount_fen`.execute(
    trx,
  );
  const hold = rows[0];
  if (!hold) throw new AppError('ORDER_STATE', { text: '卖家的货款已解冻，不能从中退款' });
  const s = splitHeld(o, backFen);
  const taken = await takenBack(trx, o, hold.amount_fen, s);
  const same = { ref: `order:${o.id}`, dist: o.distId, order: o.id };
  const [buyer, frozen, free] = [
    account.available(o.buyerId),
    account.frozen(o.sellerId),
    account.available(o.sellerId),
  ];
  const fund = account.platform('guarantee_fund', o.id);
  const lines: Transfer[] = [
    { ...same, code: 'ruling_take_back', debit: frozen, credit: buyer, fen: taken.heldFen },
    { ...same, code: 'ruling_from_balance', debit: free, credit: buyer, fen: taken.balanceFen },
    { ...same, code: 'ruling_from_fund', debit: fund, credit: buyer, fen: taken.fundFen },
    { ...same, code: 'dist_share_back', debit: account.commission(o.distId), credit: buyer, fen: taken.distFen },
    ...(o.inviterId === null
      ? []
      : [
          {
            ...same,
            code: 'invite_reward_back' as const,
            debit: account.available(o.inviterId),
            credit: buyer,
            fen: taken.inviterFen,
          },
        ]),
    { ...same, code: 'ruling_fee_back', debit: account.platform('fee', o.id), credit: buyer, fen: s.fromFeeFen },
    {
      ...same,
      code: 'ruling_coupon',
      debit: buyer,
      credit: account.platform('coupon_expense', o.id),
      fen: s.couponFen,
    },
    {
      ...same,
      code: 'hold_end',
      ref: `hold:${hold.id}`,
      debit: frozen,
      credit: free,
      fen: hold.amount_fen - taken.heldFen,
    },
  ];
  await post(
    trx,
    lines.filter((t) => t.fen > 0),
  );
  if (taken.shortFen > 0) await sql`update hold set short_fen = ${taken.shortFen} where id = ${hold.id}`.execute(trx);
  const from = taken.heldFen < s.fromSellerFen ? '冻结与已放出的货款' : '冻结';
  await sql`insert into order_process (order_id, order_status, explain, actor)
    values (${o.id}, ${o.status}, ${`申诉结案，部分或全部货款从${from}中退回买家：${why.note}`}, ${why.actor})`.execute(
    trx,
  );
  await sql`insert into outbox (topic, payload) values ('order.ruled', ${JSON.stringify({ orderId: o.id })}::jsonb)`.execute(
    trx,
  );
}
