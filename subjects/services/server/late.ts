/** Ends a late boosting order on which neither party acts: by rule, or by a case for customer service when there is work to judge (decision 395). */
import { sql } from 'kysely';
import { refundableFen } from '#subjects/disputes/rules/ruling.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import type { serviceOrder } from '#subjects/services/contract/services.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { yuanLabel } from '#contract/wire.ts';
import { spanText } from '#contract/rules/time/span.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { openCaseFor } from '#subjects/disputes/server/service.ts';
import { endService, lockedOrder } from '#subjects/orders/server/service.ts';
import { type PartyService, notifyParty, stopServiceJobs } from './actions.ts';
import { arbitrateCancel, isLate } from './cancel.ts';
import {
  type CancelRow,
  isAnyoneAbsent,
  isBuyerAbsent,
  loadMilestones,
  type MilestoneRow,
  needsPresence,
  openCancel,
  loadParent,
  type ServiceRow,
  loadService,
} from './queries.ts';
import { isKept } from './progress.ts';

/** The reason of the case that the clock opens (db/migrations/0001_baseline.sql). */
const REASON = 'service_late';
/** An order is checked again after this time while something with a separate deadline has precedence. */
const RECHECK_SECONDS = 6 * 3600;

/** Schedules the next check of an order for which something with a separate deadline has precedence. */
const checkLater = async (trx: Trx, orderId: number): Promise<void> =>
  await schedule(trx, 'service.late', orderId, { seconds: RECHECK_SECONDS });

const RUNNING = new Set(['working', 'paused']);
const PARTIES = ['buyer', 'seller'] as const;

/** Whether both parties reported being present, so that no rule can decide which of them did not play. */
const haveBothCome = (service: ServiceRow): boolean =>
  needsPresence(service) && service.buyerStartAt !== null && service.sellerStartAt !== null;

/**
 * Whether a person has to judge the order: the booster has shown work that was not paid, or has reported that the account cannot be logged in
 * to and shown no work since, or both parties were present. A newer version of the account does not change that, since no rule can check
 * whether it opens.
 */
const needsJudgement = (service: ServiceRow, milestones: readonly MilestoneRow[]): boolean =>
  service.isLogInTold ||
  haveBothCome(service) ||
  milestones.some((m) => isKept(m) || (m.state !== 'accepted' && m.progressPercent > 0));

/** The latest end of an order whose parties were notified at `toldMs` that it is late, whatever they do. */
const lastAt = (ctx: Context, toldMs: number): number => toldMs + ctx.dir.setting('boosting').lateMaxSeconds * 1000;

/** The time by which a party has to act on an order whose parties were notified at `toldMs` that it is late. */
function endsAt(ctx: Context, service: Pick<ServiceRow, 'actedAt'>, toldMs: number): Date {
  const { lateSeconds } = ctx.dir.setting('boosting');
  const quietFrom = Math.max(toldMs, service.actedAt?.getTime() ?? 0);
  return new Date(Math.min(quietFrom + lateSeconds * 1000, lastAt(ctx, toldMs)));
}

/**
 * What a late order shows its parties: the time by which one of them has to act, and whether customer service decides after it; null while the
 * order is not late. `clock` is the time of its next check, at which parties who were not notified yet are notified.
 */
export function lateView(
  ctx: Context,
  { order, service }: Pick<PartyService, 'order' | 'service'>,
  milestones: readonly MilestoneRow[],
  clock: Date | undefined,
): HandlerResult<typeof serviceOrder>['late'] {
  const isOpen = service.typeId === BOOSTING && RUNNING.has(service.state) && !order.disputed;
  if (!isOpen || !isLate({ service }) || milestones.some(({ state }) => state === 'submitted')) return null;
  // An addition may first wait for the end of the order that it belongs to.
  if (service.lateToldAt === null && (service.form.parent !== undefined || !clock)) return null;
  const toldMs = (service.lateToldAt ?? clock ?? new Date()).getTime();
  return { by: endsAt(ctx, service, toldMs), isJudged: needsJudgement(service, milestones) };
}

/**
 * Runs when the promised time of an order is over. The first run notifies both parties; when neither acts within the set time, a later run ends
 * the order. Whatever has a separate deadline has precedence: a case, a cancellation without an answer, a stage that the buyer has to confirm,
 * and, for an addition, the order that it belongs to.
 */
export async function lateDue(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    const service = await loadService(trx, orderId, true);
    if (service?.typeId !== BOOSTING || !RUNNING.has(service.state)) return;
    const milestones = await loadMilestones(trx, orderId);
    if (order.disputed) return await checkLater(trx, orderId);
    const current: PartyService = { order, service, role: 'buyer' };
    const after = await parentEnd(trx, service);
    if (after !== null || !isLate(current)) return await withdrawNotice(trx, current, after);
    const open = await openCancel(trx, orderId);
    if (!open && milestones.some(({ state }) => state === 'submitted')) return await checkLater(trx, orderId);
    if (service.lateToldAt === null) return await notifyLate(ctx, trx, current, milestones);
    if (open) return await withCancel(ctx, trx, current, { open, toldMs: service.lateToldAt.getTime() });
    const end = endsAt(ctx, service, service.lateToldAt.getTime());
    if (end.getTime() > Date.now()) return await schedule(trx, 'service.late', orderId, end);
    if (needsJudgement(service, milestones)) return await toCustomerService(ctx, trx, current);
    await endByRule(ctx, trx, current);
  });
}

/**
 * When an addition is checked again because the order that it belongs to is still in progress; null when that order is over, and for orders that
 * are no additions. The booster works on that order first, so its actions, pauses and cases do not count for the addition.
 */
async function parentEnd(trx: Trx, { form }: ServiceRow): Promise<Date | null> {
  const parent = form.parent === undefined ? undefined : await loadParent(trx, form.parent);
  if (!parent) return null;
  const [dueMs, laterMs] = [parent.dueAt?.getTime() ?? 0, Date.now() + RECHECK_SECONDS * 1000];
  if (parent.disputed || RUNNING.has(parent.state)) return new Date(Math.max(dueMs, laterMs));
  return dueMs > Date.now() ? new Date(dueMs) : null;
}

/** A cancellation waits for its answer up to the order's latest end; otherwise requesting and withdrawing it in turn would postpone the end. */
async function withCancel(
  ctx: Context,
  trx: Trx,
  { order }: PartyService,
  { open, toldMs }: { open: CancelRow; toldMs: number },
): Promise<void> {
  const isOver = lastAt(ctx, toldMs) <= Date.now();
  if (isOver && (await arbitrateCancel(ctx, trx, order, { open, why: '超过最长等待时间' }))) return;
  await checkLater(trx, order.id);
}

/** Withdraws the notification: more time was agreed on, a pause moved the promised time, or the order that an addition belongs to continues. */
async function withdrawNotice(trx: Trx, { order, service }: PartyService, after: Date | null): Promise<void> {
  await sql`update service_order set late_told_at = null where order_id = ${order.id}`.execute(trx);
  if (after !== null) return await schedule(trx, 'service.late', order.id, after);
  const isStill = service.state === 'paused' || service.dueAt === null || service.dueAt.getTime() <= Date.now();
  await schedule(trx, 'service.late', order.id, isStill ? { seconds: RECHECK_SECONDS } : (service.dueAt ?? new Date()));
}

/** Whether the buyer receives the efficiency deposit when the clock ends the order: never one who was not present. */
const losesDeposit = (service: ServiceRow): boolean => service.efficiencyFen > 0 && !isBuyerAbsent(service);

/** How a late order ends if neither party acts, as text for one of them. */
function consequence(
  ctx: Context,
  { service }: PartyService,
  milestones: readonly MilestoneRow[],
  to: 'buyer' | 'seller',
): string {
  const hours = spanText(ctx.dir.setting('boosting').lateSeconds);
  if (needsJudgement(service, milestones)) return `${hours}内双方都没有操作，转客服核对进度后裁决`;
  const whose = to === 'buyer' ? '您' : '买家';
  return `${hours}内双方都没有操作，未确认的货款自动退回${whose}${losesDeposit(service) ? `，效率保证金归${whose}` : ''}`;
}

/** What a booster can do after the promised time. Nothing can be reported before both who play together have come. */
function boosterChoices(service: ServiceRow): string {
  if (isAnyoneAbsent(service))
    return service.sellerStartAt === null
      ? '请上线并在订单页点「我到了」，或协商取消'
      : '买家没有到场，您可以放弃订单或协商取消';
  const hint = service.mode === 'account' ? '；登不上账号请在密封信息旁按「登不上账号」' : '';
  return `请提交进度截图，或申请加时、协商取消${hint}`;
}

async function notifyLate(
  ctx: Context,
  trx: Trx,
  current: PartyService,
  milestones: readonly MilestoneRow[],
): Promise<void> {
  const { order, service } = current;
  const { lateSeconds } = ctx.dir.setting('boosting');
  const { rows } = await sql<{ at: number }>`
    update service_order set late_told_at = now() where order_id = ${order.id} returning (extract(epoch from now()) * 1000)::bigint as at`.execute(
    trx,
  );
  await schedule(trx, 'service.late', order.id, { seconds: lateSeconds });
  const may = {
    buyer: isBuyerAbsent(service)
      ? '打手在等您，请上线并在订单页点「我到了」，或申请取消'
      : '您可以按超时取消、同意加时或发起申诉',
    seller: boosterChoices(service),
  } as const;
  for (const role of PARTIES)
    await notifyParty(trx, current, role, {
      kind: 'service.order',
      ref: `late:${role}:${rows[0]?.at ?? 0}`,
      title: '已超过约定时间',
      text: `${may[role]}。${consequence(ctx, current, milestones, role)}`,
    });
}

/** Whether the delay is the buyer's: the account cannot be logged in to, or a newer version was submitted only after the promised time. */
const isBuyersDelay = ({ isLogInOpen, isLogInTold, accountAt, dueAt }: ServiceRow): boolean =>
  isLogInOpen || (isLogInTold && accountAt !== null && dueAt !== null && accountAt > dueAt);

const whyJudged = (service: ServiceRow): string => {
  const { isLogInOpen, isLogInTold } = service;
  if (haveBothCome(service)) return '双方都确认过到场，已超过约定时间仍未完成。请客服核对聊天和进度截图后裁决';
  if (isLogInOpen) return '打手反映登不上账号，买家没有更新资料，已超过约定时间。请客服核对账号资料后裁决';
  if (isLogInTold)
    return '打手反映过登不上账号，买家之后更新了资料，已超过约定时间。请客服核对资料的更新和打开时间后裁决';
  return '已超过约定时间，仍未完成。请客服核对进度截图后裁决';
};

/**
 * Opens a case in the buyer's name, which stops every clock: a person has to judge unpaid work that was shown, or an account that cannot be
 * logged in to. The delay counts as the booster's unless it is the buyer's; staff may decide otherwise.
 */
async function toCustomerService(ctx: Context, trx: Trx, current: PartyService): Promise<void> {
  const { order, service } = current;
  const opened = await openCaseFor(ctx, trx, order, {
    actor: 'timer',
    party: 'buyer',
    reason: REASON,
    // The case asks for nothing that the booster could agree to, so it ends by a ruling, which also decides about the deposit.
    wantFen: 0,
    text: whyJudged(service),
    explain: '超过约定时间仍未完成，转客服裁决',
  });
  if (!opened) return await checkLater(trx, order.id);
  await sql`update service_order set ruled_dispute_id = ${opened.id}, ruled_efficiency_to_buyer = ${!isBuyersDelay(service) && !isBuyerAbsent(service)}, ruled_safety_to_buyer = false
    where order_id = ${order.id}`.execute(trx);
  for (const role of PARTIES)
    await notifyParty(trx, current, role, {
      kind: 'service.order',
      ref: `late-case:${opened.id}:${role}`,
      title: '超时订单已转客服裁决',
      text: role === 'buyer' ? '计时已停，请在申诉里说明您看到的进度' : '计时已停，请在申诉里补充进度截图',
    });
}

/** Ends an order without unpaid work: the rest is returned, and the buyer gets the efficiency deposit, unless the buyer never came. */
async function endByRule(ctx: Context, trx: Trx, current: PartyService): Promise<void> {
  const { order, service } = current;
  const deposit = losesDeposit(service);
  if (deposit) await sql`update service_order set efficiency_to_buyer = true where order_id = ${order.id}`.execute(trx);
  const { buyerFen } = await endService(ctx, trx, order, refundableFen(order), {
    actor: 'timer',
    note: `${isBuyerAbsent(service) ? '买家一直没有到场，订单超过约定时间' : '超过约定时间仍未完成'}，未确认的货款退回买家`,
  });
  await stopServiceJobs(trx, order.id);
  const texts = {
    buyer: `仍未完成，未确认的 ${yuanLabel(buyerFen)} 元退还给您${deposit ? '，效率保证金归您' : ''}`,
    seller: `仍未完成，未确认的 ${yuanLabel(buyerFen)} 元退还买家${deposit ? '，效率保证金归买家，安全保证金退回您' : '，保证金退回您'}`,
  };
  for (const role of PARTIES)
    await notifyParty(trx, current, role, {
      kind: 'service.order',
      ref: `late-ended:${role}`,
      title: '超过约定时间，订单已结束',
      text: texts[role],
    });
}
