/** How a boosting order begins: both deposits, the account, and only then the promised time (decision 380). */
import { sql } from 'kysely';
import { refundableFen } from '#subjects/disputes/rules/ruling.ts';
import type { ServiceState } from '../rules/service.ts';
import { yuanLabel } from '#contract/wire.ts';
import { spanText } from '#contract/rules/time/span.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { account, openHold, post } from '#subjects/ledger/server/service.ts';
import {
  accountIsSealed,
  endService,
  lockedOrder,
  markServiceAccepted,
  type OrderTerms,
} from '#subjects/orders/server/service.ts';
import {
  closeCancel,
  type PartyService,
  notifyParty,
  requireFree,
  stopServiceJobs,
  notifyAccepted,
} from './actions.ts';
import { expectProof, stopProof } from './proof.ts';
import { loadService, needsPresence, openCancel } from './queries.ts';

const HOUR_SECONDS = 3600;
/** Delay before the next check while a dispute is open. */
const RECHECK_SECONDS = HOUR_SECONDS;

const DEPOSITS = [
  ['service_safety', 'safetyFen', '安全保证金'],
  ['service_efficiency', 'efficiencyFen', '效率保证金'],
] as const;

/** Holds both deposits out of the booster's balance until the order ends (`service_follows_order`). Throws BALANCE_LOW. */
async function holdDeposits(trx: Trx, { order, service }: PartyService): Promise<void> {
  for (const [code, field, name] of DEPOSITS) {
    const fen = service[field];
    if (fen === 0) continue;
    const reason = `订单 ${order.sn} 的${name}，订单结束后退回`;
    await openHold(trx, { userId: order.sellerId, amountFen: fen, code, reason, ref: String(order.id) });
    await post(trx, [
      {
        code: 'service_deposit_in',
        ref: `${code}:${order.id}`,
        debit: account.available(order.sellerId),
        credit: account.frozen(order.sellerId),
        fen,
        dist: order.distId,
        order: order.id,
      },
    ]);
  }
}

/**
 * A booster takes an order: both deposits are held, and the promised time begins, unless the account has to be handed over first. Throws
 * SERVICE_CLOSED when no more can be open, BALANCE_LOW.
 */
export async function accept(ctx: Context, trx: Trx, current: PartyService): Promise<ServiceState> {
  const { order, service } = current;
  await requireFree(trx, current);
  await holdDeposits(trx, current);
  await cancel(trx, 'service.accept', order.id);
  if (service.mode === 'account' && !(await accountIsSealed(ctx, trx, order.id)))
    return await awaitAccount(ctx, trx, current);
  const { rows } = await sql<{
    due: Date;
  }>`update service_order set state = 'working', accepted_at = now(), due_at = now() + make_interval(mins => minutes),
      started_at = case when ${needsPresence(service)} then null else now() end
    where order_id = ${order.id} returning due_at as due`.execute(trx);
  await beginPromise(trx, order.id, rows[0]?.due ?? new Date());
  await expectProof(ctx, trx, order.id);
  const text =
    service.mode === 'account'
      ? '账号资料已提交，约定时间从现在算起'
      : '请留意聊天，打手会约您上线；上线后请在订单页点「我到了」，约定时间从双方到场算起';
  const process = needsPresence(service) ? '双方点「我到了」后开始计时' : '开始计时';
  await notifyAccepted(trx, current, { process, text });
  return 'working';
}

/**
 * Sets the promised time of a boosting order, after which it ends by rule if neither party acts (decision 395). The
 * caller holds the order's lock.
 */
export async function beginPromise(trx: Trx, orderId: number, due: Date): Promise<void> {
  await markServiceAccepted(trx, orderId, due);
  await schedule(trx, 'service.late', orderId, due);
}

/** Accepted, but the account is missing: its clocks begin, and both are notified of what happens without it. */
async function awaitAccount(ctx: Context, trx: Trx, current: PartyService): Promise<ServiceState> {
  const { order } = current;
  const { accountSeconds, accountFreeSeconds } = ctx.dir.setting('boosting');
  const { rows } = await sql<{ by: Date }>`
    update service_order set state = 'waiting', accepted_at = now(), account_free_at = now() + make_interval(secs => ${accountFreeSeconds})
    where order_id = ${order.id} returning now() + make_interval(secs => ${accountSeconds}) as by`.execute(trx);
  await markServiceAccepted(trx, order.id, rows[0]?.by ?? new Date());
  await schedule(trx, 'service.account', order.id, { seconds: accountSeconds });
  await schedule(trx, 'service.proof', order.id, { seconds: accountFreeSeconds });
  await notifyAccepted(trx, current, {
    process: '等买家提交账号资料，提交后开始计时',
    text: `请在订单页提交账号资料，只有接单打手能打开，约定时间从提交起算。${spanText(accountFreeSeconds)}内未提交，打手可免责放弃；${spanText(accountSeconds)}内未提交，订单自动全额退款`,
  });
  return 'waiting';
}

/** The buyer has handed the account over, and the promised time runs (`service_follows_account`): the booster is notified. */
export async function accountCame(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    const service = await loadService(trx, orderId, true);
    if (!service || service.mode !== 'account') return;
    if (service.state !== 'working' && service.state !== 'paused') return;
    if (service.proofDueAt !== null) return await accountChanged(trx, order);
    await expectProof(ctx, trx, orderId);
    // Paused before this ran: its clock waits for the end of the pause, which adds the elapsed time.
    if (service.state === 'paused') {
      await sql`update service_order set proof_due_at = proof_due_at - (now() - paused_at) where order_id = ${orderId}`.execute(
        trx,
      );
      await stopProof(trx, orderId);
    }
    await notifyParty(trx, { order }, 'seller', {
      kind: 'service.order',
      ref: 'account-came',
      title: '买家已提交账号资料',
      text: '约定时间从现在算起，请在订单页打开账号资料',
    });
  });
}

/** The buyer submitted a newer version of the account: notifies the booster, and counts it as an action on a late order. Idempotent. */
async function accountChanged(trx: Trx, order: OrderTerms): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    update service_order s set acted_at = greatest(s.acted_at, c.created_at)
    from (select version, created_at from sealed_credential where order_id = ${order.id} and from_user = ${order.buyerId}
      order by created_at desc, version desc limit 1) c
    where s.order_id = ${order.id} and c.version > 1 returning c.version`.execute(trx);
  const version = rows[0]?.version;
  if (version === undefined) return;
  await notifyParty(trx, { order }, 'seller', {
    kind: 'service.order',
    ref: `account-changed:${version}`,
    title: '买家更新了账号资料',
    text: `第 ${version} 版已提交，请重新打开账号资料；仍然登不上，请再按「登不上账号」`,
  });
}

/**
 * The account was not submitted in time: all money and both deposits are returned. Postponed while a dispute is open.
 */
export async function accountMissing(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    const service = await loadService(trx, orderId, true);
    if (service?.state !== 'waiting' || service.mode !== 'account') return;
    if (order.disputed) return await schedule(trx, 'service.account', orderId, { seconds: RECHECK_SECONDS });
    if (await openCancel(trx, orderId)) await closeCancel(trx, orderId, 'withdrawn');
    const hours = spanText(ctx.dir.setting('boosting').accountSeconds);
    const note = `买家 ${hours}内没有提交账号资料`;
    const { buyerFen } = await endService(ctx, trx, order, refundableFen(order), { actor: 'timer', note });
    await stopServiceJobs(trx, orderId);
    const texts = {
      buyer: `${hours}内没有提交账号资料，${yuanLabel(buyerFen)} 元退还给您`,
      seller: `${note}，订单已结束，两笔保证金已退回您`,
    };
    for (const role of ['buyer', 'seller'] as const)
      await notifyParty(trx, { order }, role, {
        kind: 'service.order',
        ref: `account-missing:${role}`,
        title: '未提交账号，订单已全额退款',
        text: texts[role],
      });
  });
}

/**
 * Reminds the buyer of the missing account; the booster is notified once that giving up is free of charge. The caller
 * holds the order.
 */
export async function remindAccount(ctx: Context, trx: Trx, current: Pick<PartyService, 'order'>): Promise<void> {
  const { order } = current;
  const { accountFreeSeconds } = ctx.dir.setting('boosting');
  await schedule(trx, 'service.proof', order.id, { seconds: accountFreeSeconds });
  const { rows } = await sql<{ title: string; at: number; by: Date | null }>`
    select coalesce(snapshot->>'title', '') as title, extract(epoch from now())::bigint as at,
      (select due_at from timer where kind = 'service.account' and ref = ${String(order.id)}) as by
    from orders where id = ${order.id}`.execute(trx);
  const left = rows[0]?.by ? Math.max(0, (rows[0].by.getTime() - Date.now()) / 1000) : 0;
  await emit(trx, 'notice', {
    kind: 'boost.proof',
    userId: order.buyerId,
    ref: `service:${order.id}:account:${rows[0]?.at ?? 0}`,
    values: {
      what: '请提交账号资料',
      goods: rows[0]?.title ?? '',
      text: `打手在等您的账号资料，提交后才开始计时。${spanText(left)}后仍未提交，订单自动全额退款`,
      orderSn: order.sn,
    },
  });
  await notifyParty(trx, current, 'seller', {
    kind: 'service.order',
    ref: 'account-free',
    title: '买家还没有提交账号资料',
    text: `已提醒买家。现在放弃订单不扣保证金；${spanText(left)}后仍未提交，订单自动退款，保证金退回您`,
  });
}
