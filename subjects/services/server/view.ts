import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { EARLY_MS } from '../rules/companion-slots.ts';
import { OrderStatus, isInProgress } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import {
  cancelReasonNames,
  type CancelReason,
  cancelSplit,
  type ServiceAction,
  serviceStateName,
} from '../rules/service.ts';
import { serviceDueKind, serviceHeadline } from '../rules/service-due.ts';
import type { serviceOrder } from '#subjects/services/contract/services.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { imageUrl } from '#subjects/media/server/service.ts';
import { depositsPaid, saleHeld } from '#subjects/ledger/server/service.ts';
import {
  accountIsSealed,
  escrowFen,
  sellerNetFen,
  loadServiceDue,
  termsForParty,
} from '#subjects/orders/server/service.ts';
import { providerById } from '#subjects/providers/server/service.ts';
import { type PartyService, isFreeToLeave, allowsAction } from './actions.ts';
import { hasBlocked } from './blocks.ts';
import { isLate, openReasons } from './cancel.ts';
import {
  type CancelRow,
  isAnyoneAbsent,
  loadClocks,
  loadGoodsSn,
  type MilestoneRow,
  loadMilestones,
  openCancel,
  loadService,
} from './queries.ts';
import { mayTip } from './companions/tips.ts';
import { companionView } from './companions/view.ts';
import { lateView } from './late.ts';
import { mayConfirmPresence, presenceView } from './presence.ts';
import { isKept } from './progress.ts';
import { modeName } from './terms.ts';
import { boostingView } from './boosting-view.ts';

type View = HandlerResult<typeof serviceOrder>;
type Action = View['acts'][number];

/** Whether the agreed hour is near enough for a party to report being present. */
const mayCome = ({ startsAt, prolongsId }: PartyService['service']): boolean =>
  startsAt !== null &&
  startsAt.getTime() - EARLY_MS <= Date.now() &&
  (prolongsId === null || startsAt.getTime() <= Date.now());

/** The actions that the viewer has now, in the order of their buttons. */
function actionsOf(
  current: PartyService,
  milestones: readonly MilestoneRow[],
  cancel: CancelRow | undefined,
): Action[] {
  const now = milestones.find((m) => m.state !== 'accepted');
  const can = (action: ServiceAction): boolean => allowsAction(current, action);
  const mayReport = can('submit') && now !== undefined && now.state !== 'submitted' && !isAnyoneAbsent(current.service);
  const own = cancel && (cancel.requestedBy === 0) === (current.role === 'buyer');
  const list: [Action, boolean][] = [
    ['accept', can('accept')],
    ['decline', can('decline')],
    ['progress', mayReport],
    ['submit', mayReport],
    ['confirm', can('confirm') && now?.state === 'submitted'],
    ['refuse', can('confirm') && now?.state === 'submitted'],
    ['pause', can('pause')],
    ['resume', can('resume')],
    ['askCancel', can('agree') && cancel === undefined],
    ['answerCancel', can('agree') && cancel !== undefined && !own],
    [
      'start',
      can('start') &&
        (current.service.typeId === BOOSTING
          ? mayConfirmPresence(current)
          : mayCome(current.service) &&
            !(current.role === 'buyer' ? current.service.buyerStartAt : current.service.sellerStartAt)),
    ],
    ['agreeEnd', can('agreeEnd') && (current.service.endBy === 0) !== (current.role === 'buyer')],
    ['end', can('end')],
    ['giveUp', can('giveUp')],
    ['stop', can('stop')],
  ];
  return list.filter(([, open]) => open).map(([action]) => action);
}

/** The actions of a buyer on a session of companion play that runs or is over, besides those of its states. */
function playActions(current: PartyService, play: View['play']): Action[] {
  const isRunning =
    current.service.state === 'working' && current.service.typeId !== BOOSTING && !current.order.disputed;
  return [
    ...(current.role === 'buyer' && isRunning && (play?.prolongedSn ?? null) === null ? (['prolong'] as const) : []),
    ...(mayTip(current) && Number(play?.tipLeft ?? 0) > 0 ? (['tip'] as const) : []),
  ];
}

function milestoneView(m: MilestoneRow, confirmTime: Date | null, current: PartyService): View['milestones'][number] {
  const isOpen = isInProgress(current.order.status);
  return {
    seq: m.seq,
    title: m.title,
    amount: m.shareFen,
    state: m.state,
    progressPercent: m.progressPercent,
    note: m.note,
    pictures: m.pictures.map(({ key }) => ({ url: imageUrl(key), thumb: imageUrl(key, 320) })),
    refuseReason: m.refuseReason,
    submitTime: m.submittedAt,
    confirmTime: m.state === 'submitted' ? confirmTime : null,
    paid: m.paidFen,
    keeps: isOpen && isKept(m),
    mayPay: isKept(m) && allowsAction(current, 'confirm'),
    silencePays: m.state === 'submitted' && current.service.silencePaidAt === null,
  };
}

/** The account that a boosting order waits for: the deadline, and what giving up costs the booster; null for other orders and during a case. */
function accountWait({ order, service }: PartyService, by: Date | undefined): View['waits'] {
  if (service.typeId !== BOOSTING || service.state !== 'waiting' || order.disputed || !by) return null;
  return { by, freeTime: service.accountFreeAt, isFree: isFreeToLeave({ service }) };
}

/** A cancellation without an answer yet, with what each party would get. */
const cancelView = (
  cancel: CancelRow,
  answerBy: Date | null,
  splitView: (reason: CancelReason) => View['splits'][number],
): NonNullable<View['cancel']> => ({
  askedBy: cancel.requestedBy === 0 ? 'buyer' : 'seller',
  reason: cancelReasonNames[cancel.reason as CancelReason],
  answerBy,
  split: splitView(cancel.reason as CancelReason),
});

/**
 * What each party would get by a cancellation for a reason. A buyer sees only their own amounts: the payment for the
 * finished part, whose commission concerns only the booster, and the part of the service fee that is kept.
 */
const splitViewOf =
  ({ order, service, role }: PartyService, milestones: readonly MilestoneRow[]) =>
  (reason: CancelReason): View['splits'][number] => {
    const split = cancelSplit(order, milestones, reason);
    const isBuyer = role === 'buyer';
    return {
      reason,
      reasonName: cancelReasonNames[reason],
      buyer: split.buyerFen,
      provider: isBuyer ? order.goodsFen - split.backFen : split.providerFen,
      paid: isBuyer ? order.advanceGoodsFen : split.paidFen,
      fee: isBuyer ? split.serviceFen : split.feeFen,
      efficiency: service.efficiencyFen,
      efficiencyToBuyer: split.efficiencyToBuyer,
    };
  };

/** The data of a service order for its parties. Throws ORDER_NOT_FOUND. */
export async function serviceView(call: UserCall, { orderSn }: Parsed<typeof serviceOrder>): Promise<View> {
  const { ctx, user } = call;
  return await inTransaction(ctx.db, async (trx) => {
    const order = await termsForParty(trx, { sn: orderSn }, user.id);
    const service = order && (await loadService(trx, order.id));
    if (!order || !service) throw new AppError('ORDER_NOT_FOUND');
    const current: PartyService = { order, service, role: order.buyerId === user.id ? 'buyer' : 'seller' };
    const [milestones, cancel, provider] = [
      await loadMilestones(trx, order.id),
      await openCancel(trx, order.id),
      await providerById(trx, service.providerId),
    ];
    const splitView = splitViewOf(current, milestones);
    const dueInput = await loadServiceDue(trx, order.id);
    if (!dueInput) throw new AppError('ORDER_NOT_FOUND');
    const clocks = await loadClocks(trx, order.id);
    const play = await companionView(ctx, trx, current);
    const sale = await saleHeld(trx, order.id);
    const isRunning = service.typeId === BOOSTING && ['waiting', 'working', 'paused'].includes(service.state);
    const needsAccount = service.mode === 'account' && isInProgress(order.status);
    return {
      orderId: order.id,
      orderSn: order.sn,
      goodsSn: await loadGoodsSn(trx, service.packageId),
      typeId: order.typeId,
      viewer: current.role,
      state: service.state,
      stateName: serviceStateName(service.state, service.typeId),
      due: { ...serviceHeadline(dueInput, current.role), kind: serviceDueKind(dueInput) },
      mode: service.mode,
      modeName: service.form.parent === undefined ? modeName(service.mode, service.typeId) : '追加',
      area: service.form.area ?? '',
      note: service.form.note ?? '',
      providerName: provider?.name ?? '',
      disputed: order.disputed,
      isBlocked: await hasBlocked(trx, user.id, current.role === 'buyer' ? order.sellerId : order.buyerId),
      accountReady: needsAccount ? await accountIsSealed(ctx, trx, order.id) : null,
      acceptBy:
        service.state === 'pending' && order.status === OrderStatus.Paid && !order.disputed ? service.acceptBy : null,
      offer: {
        price: order.goodsFen,
        net: current.role === 'seller' ? sellerNetFen(order) : null,
        minutes: service.minutes,
        startTime: service.bookedAt,
      },
      waits: accountWait(current, clocks['service.account']),
      presence: presenceView(ctx, current),
      dueTime: service.dueAt,
      isLate: isRunning && isLate(current),
      late: cancel ? null : lateView(ctx, current, milestones, clocks['service.late']),
      pausedTime: service.pausedAt,
      safetyDeposit: service.safetyFen,
      efficiencyDeposit: service.efficiencyFen,
      depositPaid: service.state === 'done' || service.state === 'ended' ? await depositsPaid(trx, order.id) : null,
      paid: order.advanceFen + sale.releasedFen,
      held: isInProgress(order.status) ? escrowFen(order) : 0,
      frozen: sale.frozenFen,
      milestones: milestones.map((m) => milestoneView(m, clocks['service.milestone'] ?? null, current)),
      play,
      way: await boostingView(trx, current),
      cancel: cancel ? cancelView(cancel, clocks['service.cancelAnswer'] ?? null, splitView) : null,
      splits: isRunning ? openReasons(current).map(splitView) : [],
      acts: [...actionsOf(current, milestones, cancel), ...playActions(current, play)],
    };
  });
}
