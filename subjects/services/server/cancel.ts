import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import {
  cancelReasonNames,
  type CancelReason,
  cancelReasons,
  type CancelSplit,
  cancelSplit,
  type ServiceState,
} from '../rules/service.ts';
import type { serviceCancel } from '#subjects/services/contract/services.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { openCaseFor } from '#subjects/disputes/server/service.ts';
import { addProcess, endService, lockedOrder, type OrderTerms } from '#subjects/orders/server/service.ts';
import {
  type ServiceActionResult,
  actorOf,
  closeCancel,
  type PartyService,
  nameOf,
  recordAnswer,
  notifyParty,
  otherRole,
  partyAction,
  stopServiceJobs,
} from './actions.ts';
import {
  type CancelRow,
  isBoosterAbsent,
  isBuyerAbsent,
  loadMilestones,
  loadService,
  openCancel,
  type ServiceRow,
} from './queries.ts';

/** The reason of the case that the clock opens (db/migrations/0001_baseline.sql). */
const UNANSWERED = 'cancel_unanswered';

/** Whether the promised time is over; a pause does not count, nor does the time of a case. */
export const isLate = ({ service }: Pick<PartyService, 'service'>): boolean =>
  service.dueAt !== null && (service.pausedAt ?? service.stoppedAt ?? new Date()).getTime() >= service.dueAt.getTime();

/** The split of a cancellation for a reason now. */
export async function splitNow(
  trx: Trx,
  { order }: Pick<PartyService, 'order'>,
  reason: CancelReason,
): Promise<CancelSplit> {
  return cancelSplit(order, await loadMilestones(trx, order.id), reason);
}

/** Whether a buyer who plays along has waited for the booster as long as a booster waits for a buyer (decision 748). */
const hasBuyerWaited = ({ state, accountFreeAt, ...service }: ServiceRow): boolean =>
  isBoosterAbsent(service) && state === 'working' && accountFreeAt !== null && accountFreeAt.getTime() <= Date.now();

/** Returns the reasons that can be given now: lateness only when the booster is late or did not come, and the buyer has been present. */
export const openReasons = (current: Pick<PartyService, 'service'>): CancelReason[] =>
  cancelReasons.filter(
    (reason) =>
      reason !== 'late' || ((isLate(current) || hasBuyerWaited(current.service)) && !isBuyerAbsent(current.service)),
  );

/**
 * Each party's amount of a cancellation, in one sentence; payments for confirmed stages are part of the booster's
 * amount.
 */
function splitText({ buyerFen, providerFen, paidFen }: CancelSplit): string {
  const paid = paidFen > 0 ? `（含已付的 ${yuanLabel(paidFen)} 元）` : '';
  return `退回买家 ${yuanLabel(buyerFen)} 元，打手扣佣金后共得 ${yuanLabel(providerFen)} 元${paid}`;
}

async function ask(
  ctx: Context,
  trx: Trx,
  current: PartyService,
  input: Parsed<typeof serviceCancel>,
): Promise<ServiceState> {
  const { order, role, service } = current;
  const { reason } = input;
  if (reason === undefined) throw new AppError('BAD_INPUT', { text: '请选择原因', field: 'reason' });
  if (!openReasons(current).includes(reason))
    throw new AppError('BAD_INPUT', {
      text: isBuyerAbsent(service)
        ? '买家没有到场，不能按超时取消，请选择「计划有变」'
        : '还没有超过约定时间，不能按超时取消',
      field: 'reason',
    });
  const split = await splitNow(trx, current, reason);
  if (input.shownBack !== undefined && input.shownBack !== split.buyerFen)
    throw new AppError('ORDER_STATE', {
      text: `进度刚刚更新，现在应退 ${yuanLabel(split.buyerFen)} 元，请核对后再提交`,
    });
  const efficiencyFen = split.efficiencyToBuyer ? service.efficiencyFen : 0;
  // At most one open request per order (service_cancel_one): of two concurrent ones the second is rejected.
  const { rows } = await sql<{ id: number }>`
    insert into service_cancel (order_id, asked_by, reason, pay_fen, cost_efficiency_fen, computed)
    values (${order.id}, ${role === 'buyer' ? 0 : 1}, ${reason}, ${split.sellerFen}, ${efficiencyFen}, ${JSON.stringify(split)}::jsonb)
    on conflict do nothing returning id`.execute(trx);
  if (rows.length === 0) throw errorOf('ORDER_STATE', 'cancelPending');
  const { cancelAnswerSeconds } = ctx.dir.setting('boosting');
  await schedule(trx, 'service.cancelAnswer', order.id, { seconds: cancelAnswerSeconds });
  const text = splitText(split);
  await addProcess(trx, order, `${nameOf(current)}申请取消（${cancelReasonNames[reason]}）：${text}`, actorOf(current));
  await notifyParty(trx, current, otherRole(current), {
    kind: 'service.order',
    ref: `cancel:${rows[0]?.id}`,
    title: '对方申请取消',
    text: `${text}。请在 ${Math.round(cancelAnswerSeconds / 3600)} 小时内答复，未答复转客服裁决`,
  });
  return current.service.state;
}

/** The other party agrees: the split is computed again, and must be the proposed one. */
async function agree(ctx: Context, trx: Trx, current: PartyService, open: CancelRow): Promise<ServiceState> {
  const { order } = current;
  const reason = open.reason as CancelReason;
  const split = await splitNow(trx, current, reason);
  if (split.sellerFen !== open.payFen) throw errorOf('ORDER_STATE', 'cancelOutdated');
  await closeCancel(trx, order.id, 'agreed');
  if (split.efficiencyToBuyer)
    await sql`update service_order set efficiency_to_buyer = true where order_id = ${order.id}`.execute(trx);
  const why = {
    actor: actorOf(current),
    note: cancelReasonNames[reason],
  };
  await endService(ctx, trx, order, split.backFen, why);
  await stopServiceJobs(trx, order.id);
  return 'ended';
}

async function answer(
  ctx: Context,
  trx: Trx,
  current: PartyService,
  action: 'agree' | 'decline' | 'withdraw',
): Promise<ServiceState> {
  const open = await openCancel(trx, current.order.id);
  if (!open) throw errorOf('ORDER_STATE', 'noCancel');
  const isOwn = (open.requestedBy === 0) === (current.role === 'buyer');
  if (isOwn !== (action === 'withdraw'))
    throw new AppError('ORDER_FORBIDDEN', { text: isOwn ? '请等待对方答复' : '只能撤回自己的申请' });
  if (action === 'agree') return await agree(ctx, trx, current, open);
  await closeCancel(trx, current.order.id, action === 'decline' ? 'declined' : 'withdrawn');
  if (action === 'withdraw') {
    await addProcess(trx, current.order, `${nameOf(current)}撤回了取消申请`, actorOf(current));
    return current.service.state;
  }
  await recordAnswer(trx, current);
  await notifyParty(trx, current, open.requestedBy === 0 ? 'buyer' : 'seller', {
    kind: 'service.order',
    ref: `cancel-declined:${open.id}`,
    title: '对方没有同意取消',
    text: '服务继续。仍有分歧可以发起申诉，由客服裁决',
  });
  return current.service.state;
}

/** Requests, answers or withdraws a cancellation. Throws ORDER_*, BAD_INPUT. */
export async function runCancel(call: UserCall, input: Parsed<typeof serviceCancel>): Promise<ServiceActionResult> {
  const { ctx } = call;
  const { act: action } = input;
  return await partyAction(call, input.orderId, 'agree', async (trx, current) =>
    action === 'ask' ? await ask(ctx, trx, current, input) : await answer(ctx, trx, current, action),
  );
}

/** With an open case the cancellation is checked again after this time: the case may be withdrawn, and the cancellation is then still unanswered. */
const RECHECK_SECONDS = 3600;

/**
 * Sends a cancellation that was not answered in time to arbitration: a case opens in the name of the party who requested it, which stops every
 * clock (domain.md 6, decision 308). Does nothing when it was answered meanwhile.
 */
export async function cancelUnanswered(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    const service = await loadService(trx, orderId, true);
    const open = await openCancel(trx, orderId);
    if (!service || !open) return;
    if (order.disputed) return await schedule(trx, 'service.cancelAnswer', orderId, { seconds: RECHECK_SECONDS });
    await arbitrateCancel(ctx, trx, order, { open, why: '超时未答复' });
  });
}

/**
 * Sends an open cancellation to arbitration; `why` is the reason, as text. When no case can be opened, returns false and leaves the cancellation
 * open. The caller holds the order and its service.
 */
export async function arbitrateCancel(
  ctx: Context,
  trx: Trx,
  order: OrderTerms,
  { open, why }: { open: CancelRow; why: '超时未答复' | '超过最长等待时间' },
): Promise<boolean> {
  const asker = open.requestedBy === 0 ? 'buyer' : 'seller';
  const reason = cancelReasonNames[open.reason as CancelReason];
  const split = await splitNow(trx, { order }, open.reason as CancelReason);
  const amounts = `按进度应${splitText(split)}`;
  const opened = await openCaseFor(ctx, trx, order, {
    actor: 'timer',
    party: asker,
    reason: UNANSWERED,
    // A late booster cannot avoid losing the deposit by agreeing in the case, which ends only by a ruling.
    wantFen: split.efficiencyToBuyer ? 0 : split.backFen,
    text: `申请取消（${reason}），${why === '超时未答复' ? '对方' : ''}${why}。${amounts}`,
    explain: `取消申请${why}，转客服裁决`,
  });
  if (!opened) return false;
  await sql`update service_cancel set status = 'arbitration', dispute_id = ${opened.id}, answered_at = now() where id = ${open.id}`.execute(
    trx,
  );
  if (split.efficiencyToBuyer)
    await sql`update service_order set ruled_dispute_id = ${opened.id}, ruled_efficiency_to_buyer = true, ruled_safety_to_buyer = false
      where order_id = ${order.id}`.execute(trx);
  for (const role of ['buyer', 'seller'] as const)
    await notifyParty(trx, { order }, role, {
      kind: 'service.order',
      ref: `cancel-late:${open.id}:${role}`,
      title: `取消申请${why}，已转客服裁决`,
      text: role === asker ? '计时已停，请在申诉里补充进度截图' : '计时已停，请在申诉里答复，未答复按现有证据裁决',
    });
  return true;
}
