import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule, scheduleFrom } from '#server/jobs/effect-writer.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { spanText } from '#contract/rules/time/span.ts';
import { refundableFen } from '#subjects/disputes/rules/ruling.ts';
import { LATE_REASON, openCaseFor } from '#subjects/disputes/server/service.ts';
import {
  lateSeconds,
  lockedOrder,
  type OrderTerms,
  returnRecycled,
  WARN_SECONDS,
} from '#subjects/orders/server/service.ts';
import { decline, notifyRecycler, notifySeller } from './decide.ts';
import { returnBids } from './money.ts';
import { awaitingTakeOver, bidRows, lockedRequest, moveTo, type RequestRow } from './rows.ts';

/** A request whose order is in a case is checked again after this time. */
const RECHECK_SECONDS = 6 * 3600;

/** Ends bidding: the best bid becomes binding and the others are returned; without a bid the request ends. */
async function endBidding(ctx: Context, trx: Trx, r: RequestRow): Promise<void> {
  const best = (await bidRows(trx, r.id)).find((b) => b.status === 'open');
  if (!best) {
    await moveTo(trx, r.id, 'expired', { reason: '没有人出价' });
    await notifySeller(trx, r, '没有人出价', `回收单 ${r.sn} 的竞价结束，没有人出价，可以再竞价一次或自己定价卖。`);
    return;
  }
  const { bindSeconds } = ctx.dir.setting('recycling');
  await returnBids(trx, r, best.id, '竞价结束，没有选中您的出价');
  await moveTo(trx, r.id, 'quoted', { bestQuoteId: best.id, dueSeconds: bindSeconds });
  await schedule(trx, 'recycle.due', r.id, { seconds: bindSeconds });
  const span = spanText(bindSeconds);
  await notifySeller(
    trx,
    r,
    '竞价结束',
    `回收单 ${r.sn} 最高 ${yuanLabel(best.amountFen)} 元，货款已托管，${span}内由您决定。`,
  );
  await notifyRecycler(
    trx,
    { ...r, bestQuoteId: best.id },
    '您的出价最高',
    `回收单 ${r.sn}，${span}内等卖家决定，期间不能撤回。`,
  );
}

async function expireOffer(trx: Trx, r: RequestRow): Promise<void> {
  await returnBids(trx, r, null, '的卖家没有按时接受');
  await moveTo(trx, r.id, 'expired', { reason: '期限内没有接受' });
  await notifySeller(trx, r, '报价已过期', `回收单 ${r.sn} 的报价已过期，可以再竞价一次。`);
}

/**
 * If nothing was handed over in time, the order ends. If something was handed over, it waits for the inspector, and goes to
 * customer service when it is not read in time (decision 440). An open case takes precedence; withdrawing a case does not let its
 * opener keep the money.
 */
async function lateHandOver(ctx: Context, trx: Trx, r: RequestRow, order: OrderTerms | null): Promise<void> {
  if (order?.status !== OrderStatus.Paid) return;
  const { rows } = await sql<{ isSealed: boolean; isUnread: boolean }>`
    select s.at is not null as "isSealed",
      coalesce(greatest(s.at, d.at) <= now() - make_interval(secs => ${lateSeconds})
        and (d.withdrawn is null or d.withdrawn <= now() - make_interval(secs => ${WARN_SECONDS})), false) as "isUnread"
    from (select min(created_at) as at from sealed_credential where order_id = ${order.id}) s,
      (select max(closed_at) filter (where outcome is distinct from 'withdrawn') as at,
        max(closed_at) filter (where outcome = 'withdrawn' and reason_code = ${LATE_REASON}) as withdrawn from dispute where order_id = ${order.id}) d`.execute(
    trx,
  );
  const isSealed = rows[0]?.isSealed === true;
  if (order.disputed || isSealed) await schedule(trx, 'recycle.due', r.id, { seconds: RECHECK_SECONDS });
  if (!order.disputed && rows[0]?.isUnread === true)
    await openCaseFor(ctx, trx, order, {
      actor: 'timer',
      party: 'buyer',
      reason: LATE_REASON,
      wantFen: refundableFen(order),
      text: '账号已提交，验号没有按时完成。请客服处理',
      explain: '验号没有按时完成，转客服裁决',
    });
  if (order.disputed || isSealed) return;
  await moveTo(trx, r.id, 'closed', { reason: '没有按时提交账号' });
  await returnRecycled(ctx, trx, { orderId: order.id, actor: 'timer', note: '卖家没有按时密封提交账号' });
  await notifySeller(trx, r, '回收已关闭', `回收单 ${r.sn} 没有按时提交账号，已关闭，货款退回回收商。`);
  await notifyRecycler(trx, r, '回收没有成交', `回收单 ${r.sn} 的卖家没有按时提交账号，货款已退回余额。`);
}

/** Handles the expired clock of a request. Runs from the timer, and again after a crash; does nothing when the state has changed meanwhile. */
export async function onDue(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    // A sold request keeps its order. Lock the order first, in the same order as code that ends an order.
    const { rows } = await sql<{ orderId: number | null }>`
      select order_id as "orderId" from recycle_request where id = ${id} and due_at <= now()`.execute(trx);
    const orderId = rows[0]?.orderId ?? null;
    const order = orderId === null ? null : await lockedOrder(trx, orderId);
    const r = await lockedRequest(trx, sql`r.id = ${id} and r.due_at <= now()`);
    if (!r || r.orderId !== orderId) return;
    if (r.status === 'bidding') await endBidding(ctx, trx, r);
    else if (r.status === 'quoted') await expireOffer(trx, r);
    else if (r.status === 'accepted') await lateHandOver(ctx, trx, r, order);
    else if (r.status === 'reconfirm') {
      await decline(ctx, trx, r, 'timer', '卖家没有按时答复减价，账号由卖家留下');
      await notifySeller(trx, r, '账号已取回', `回收单 ${r.sn} 没有在时限内答复，按免费取回处理，请修改密码。`);
    }
  });
}

/** The reason code of a case about an account that was not taken over. */
const NOT_AS_READ = 'not_as_described';

/**
 * Opens a case when an account bought by the platform was not taken over; two people decide it. It requests no remedy, so the seller, who is
 * not responsible for the delay, need not respond. An open case takes precedence. Idempotent.
 */
export async function takeOverDue(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    const r = await awaitingTakeOver(trx, orderId);
    if (!r) return;
    await schedule(trx, 'recycle.takeOver', orderId, { seconds: RECHECK_SECONDS });
    if (order.disputed) return;
    const opened = await openCaseFor(ctx, trx, order, {
      actor: 'timer',
      party: 'buyer',
      reason: NOT_AS_READ,
      wantFen: 0,
      text: '平台收下的账号没有在时限内接管。请没有验号的同事登录核对后裁决',
      explain: '平台没有按时接管账号，转客服裁决',
    });
    if (opened)
      await notifySeller(
        trx,
        r,
        '转客服处理',
        `回收单 ${r.sn} 的账号平台没有按时接管，已转客服核对，货款继续冻结到裁决。`,
      );
  });
}

/** Maximum number of requests processed per run. */
const BATCH = 500;

/**
 * Adds the missing clocks of accepted requests and of the platform's purchases: during an upgrade an earlier build that is still running
 * deletes the clock of a sealed account and sets none for a take-over.
 */
export async function scheduleMissingTimers({ db }: Context): Promise<{ seconds: number }> {
  await scheduleFrom(
    db,
    'recycle.due',
    {
      key: sql`r.id::text`,
      at: sql`greatest(r.due_at, now())`,
      from: sql`from (select r.id, r.due_at from recycle_request r where r.status = 'accepted' and r.due_at is not null
        and not exists (select from timer t where t.kind = 'recycle.due' and t.ref = r.id::text)
        and not exists (select from dead_letter l where l.what = 'job' and l.name = 'recycle.due' and l.ref = r.id::text and l.status = 'open')
        order by r.due_at limit ${BATCH}) r`,
    },
    'keep',
  );
  await scheduleFrom(
    db,
    'recycle.takeOver',
    {
      key: sql`r.id::text`,
      at: sql`r.at`,
      from: sql`from (select o.id, greatest(h.release_at, now()) as at from recycle_request q join orders o on o.id = q.order_id
        join recycler c on c.user_id = o.buyer_id and c.is_platform
        join hold h on h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is null and h.release_at is not null
        where q.status = 'paid' and not exists (select from timer t where t.kind = 'recycle.takeOver' and t.ref = o.id::text)
          and not exists (select from dead_letter l where l.what = 'job' and l.name = 'recycle.takeOver' and l.ref = o.id::text and l.status = 'open')
        order by h.release_at limit ${BATCH}) r`,
    },
    'keep',
  );
  return { seconds: RECHECK_SECONDS };
}
