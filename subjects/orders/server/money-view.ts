import type { HandlerResult } from '#contract/endpoint.ts';
import type { orderDetail } from '#subjects/orders/contract/order.ts';
import { yuanLabel } from '#contract/wire.ts';
import { OrderStatus, isCancelled, isEnded, isInProgress, isPaidFor } from '../rules/order-status.ts';
import { BOOSTING } from '../rules/order-types.ts';
import { blockingRelease } from './handover/steps-gate.ts';
import type { OrderRow } from './list.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import type { HoldStage } from '#subjects/ledger/server/service.ts';
import { type HoldState, moneyParts } from './money-parts.ts';
import { isRecycled } from './money-parts.ts';
import { escrowFen, sellerNetFen } from './rules.ts';

type Money = HandlerResult<typeof orderDetail>['money'];

/** The amount refunded to the buyer, and the part of it taken from the seller's hold, in fen. */
export interface Refunds {
  refundedFen: number;
  takenFen: number;
  /** The part that could not be collected and is owed to the buyer, and the part of that paid since. */
  owedFen: number;
  repaidFen: number;
}

/**
 * A channel's payment that arrived too late for the order, in fen: the part credited to the balance, the part refunded to its source, and
 * the state of that refund.
 */
export interface LatePayments {
  toBalanceFen: number;
  toSourceFen: number;
  /** The part of `toSourceFen` whose refund the channel has confirmed, or rejected for good (then it is on the balance). */
  arrivedFen: number;
  failedFen: number;
}

const NO_LATE: LatePayments = { toBalanceFen: 0, toSourceFen: 0, arrivedFen: 0, failedFen: 0 };

interface Seen {
  r: OrderRow;
  released: boolean;
  cancelled: boolean;
  /** A ruling refunded a part; the rest belongs to the seller. */
  parted: boolean;
  refunds: Refunds;
  late: LatePayments;
  /** For an active hold. */
  stages: readonly HoldStage[];
}

const isPartOut = ({ stages, released }: Seen): boolean => !released && stages.some((s) => s.releasedAt !== null);

const lateFen = ({ late }: Seen): number => late.toBalanceFen + late.toSourceFen;

/** Whether all late money has reached its source or the balance. */
const isLateBack = ({ toSourceFen, arrivedFen, failedFen }: LatePayments): boolean =>
  arrivedFen + failedFen >= toSourceFen;

function lateOutcome(late: LatePayments): string {
  if (late.toSourceFen === 0 || late.failedFen >= late.toSourceFen) return '付款已退到余额';
  return isLateBack(late) ? '付款已原路退回' : '付款正在原路退回';
}

/** The explanation of a payment that arrived late, or a second time. */
function lateReason(seen: Seen): string {
  const { late, cancelled } = seen;
  const arrival = cancelled
    ? `订单关闭后才收到付款 ${yuanLabel(lateFen(seen))} 元，没有进入交易`
    : `另有一笔付款 ${yuanLabel(lateFen(seen))} 元在订单付清后到达，没有进入交易`;
  const ends = [
    ...(late.toBalanceFen > 0 ? ['已自动转入您的可用余额'] : []),
    ...(late.failedFen > 0 ? ['原路退回未成功的部分已转入您的可用余额'] : []),
    ...(late.toSourceFen > late.failedFen
      ? [late.arrivedFen + late.failedFen >= late.toSourceFen ? '已退回付款账户' : '正在自动退回付款账户，到账后完成']
      : []),
  ];
  return `${arrival}，${ends.join('，')}。`;
}

function whereOf(seen: Seen): string {
  const { r, released, cancelled, parted, refunds } = seen;
  if (cancelled && !r.paid_at) return lateFen(seen) > 0 ? lateOutcome(seen.late) : '未付款';
  if (parted) return released ? '部分退款，其余已放款给卖家' : '部分退款，其余保护期内冻结';
  if (cancelled) return '已退还买家';
  if (r.status === OrderStatus.Unpaid) return '等待付款';
  if (!isEnded(r.status)) return '平台托管中';
  if (refunds.refundedFen > 0) return '申诉结案，货款已按裁决处理';
  if (r.disputed) return '申诉处理中，平台冻结中';
  if (isPartOut(seen)) return '保护期内，货款已按卖家等级放出一部分';
  if (r.take_over !== null) return '等待接管账号，平台冻结中';
  return released ? '已放款给卖家' : '保护期内，平台冻结中';
}

function reasonOf(seen: Seen): string {
  if (lateFen(seen) === 0) return ownReason(seen);
  return seen.cancelled && !seen.r.paid_at ? lateReason(seen) : `${ownReason(seen)}${lateReason(seen)}`;
}

function ownReason(seen: Seen): string {
  const { r, released, cancelled, parted, refunds } = seen;
  if (cancelled && !r.paid_at) return '订单未付款，没有产生资金。';
  const isService = r.snapshot.service === true;
  if (parted)
    return isService
      ? `没有完成的部分退还买家，其余${released ? '已归服务方' : '归服务方，保护期后可用'}。`
      : '按申诉结果，一部分货款退还买家，其余归卖家；依据见申诉详情。';
  if (cancelled) return '订单取消，货款全额退还买家。';
  if (r.status === OrderStatus.Unpaid) return '付款后货款由平台托管，放款前卖家无法提取。';
  if (r.disputed) return '申诉处理中，计时已停止，货款不会放出。';
  if (r.status === OrderStatus.Paid && isService) return '服务未完成，货款由平台托管；没有完成的部分按服务进度退回。';
  if (r.status === OrderStatus.Paid && isRecycled(r))
    return '货款由平台托管到验号通过；卖家没有按时提交账号或不接受减价，全额退回买家。';
  if (r.status === OrderStatus.Paid)
    return r.buyer_opened_at !== null || r.delivered_at !== null
      ? '交付未完成，货款由平台托管；买家已拿到账号资料或商品，取消需双方同意或由客服裁决。'
      : '交付未完成，货款由平台托管；超过发货时限买家可直接取消并全额退款，一直未发货的自动退款。';
  if (r.status === OrderStatus.Shipped && r.confirm_stopped_at !== null)
    return '卖家或客服还有必做步骤没有完成，自动确认已停止；完成前货款不会放给卖家。';
  if (r.status === OrderStatus.Shipped && blockingRelease(r.open_steps).length > 0)
    return '卖家已发货，后面还有必做的步骤；全部完成前不会自动确认，货款由平台托管。';
  if (r.status === OrderStatus.Shipped)
    return `${isService ? '服务已完成' : '卖家已发货'}，验收期内买家不确认也不申诉，到时自动确认。`;
  if (refunds.refundedFen > 0) return '按申诉结果，货款从冻结中退回买家，其余归卖家；依据见申诉详情。';
  if (released) return `${isRecycled(r) ? '账号已交出' : '保护期已结束'}，货款已转入卖家可用余额。`;
  if (r.take_over === 'platform')
    return '验号已通过。平台接管账号后货款马上转入卖家可用余额；没有按时接管转客服裁决，不会自动放款。';
  if (isRecycled(r) && r.platform_buys) return '验号已通过。货款按裁决处理，处理完之前继续冻结。';
  if (isRecycled(r)) return '验号已通过。买家确认接管账号后货款马上转入卖家可用余额，到期没有申诉也自动转入。';
  if (isPartOut(seen)) return '保护期内买家仍可申诉，可退金额不受已放出部分影响；其余货款到期自动转入卖家可用余额。';
  return '保护期内买家仍可申诉；到期没有申诉，货款自动转入卖家可用余额。';
}

const stateOf = (at: boolean, now: boolean): 'done' | 'current' | 'waiting' =>
  at ? 'done' : now ? 'current' : 'waiting';

/** An early part, as shown to its seller. */
const stagePoint = (stage: HoldStage): Money['points'][number] => ({
  title: `第 ${stage.seq} 段提前放款`,
  amount: stage.amountFen,
  text: stage.releasedAt
    ? '已放款'
    : stage.dueAt
      ? `${fullTime(stage.dueAt.getTime()).slice(5)} 放出`
      : '处理中，暂停计时',
  state: stateOf(stage.releasedAt !== null, false),
});

/** The amount still owed to the buyer, collected from the seller's income (platform rule 6.3); empty if none. */
function owedText({ owedFen, repaidFen }: Refunds, viewer: 'buyer' | 'seller'): string {
  if (owedFen === 0) return '';
  const [who, where] = viewer === 'buyer' ? ['对方欠您', '到您的余额'] : ['您欠买家', '给买家'];
  const rest =
    owedFen > repaidFen
      ? `还剩 ${yuanLabel(owedFen - repaidFen)} 元，从卖家之后的收入中自动偿还${where}`
      : '已全部还清';
  return `另有 ${yuanLabel(owedFen)} 元为${who}的款项，已偿还 ${yuanLabel(repaidFen)} 元，${rest}。`;
}

/** The text about the money between payment and release. */
function heldText(seen: Seen): string {
  const { cancelled, released, refunds } = seen;
  if (refunds.refundedFen > 0) return '退还买家';
  if (cancelled || released) return '';
  return isPartOut(seen) ? '一部分已按卖家等级放出，申诉仍可退全部' : '放款前卖家无法提取';
}

/**
 * The buyer's payment in escrow, without the coupon's part: amounts on the buyer's page are parts of the buyer's
 * payment.
 */
const escrowOfPaid = ({ total_fen, discount_fen, advance_fen }: OrderRow): number =>
  Math.min(total_fen, escrowFen({ totalFen: total_fen, discountFen: discount_fen, advanceFen: advance_fen }));

/**
 * The amount still held between payment and release. For a hold with released stages the seller sees the rest, the
 * buyer the same share of the price: amounts on the buyer's page are parts of the payment.
 */
function heldFen({ r, stages }: Seen, sellerFen: number | null): number {
  const outFen = stages.reduce((sum, s) => sum + (s.releasedAt ? s.amountFen : 0), 0);
  if (outFen === 0) return isInProgress(r.status) ? escrowOfPaid(r) : r.total_fen - r.cut_fen;
  const netFen = sellerNetFen({ goodsFen: r.goods_fen, commissionFen: r.commission_fen });
  return sellerFen === null ? r.goods_fen - Math.floor((r.goods_fen * outFen) / netFen) : sellerFen - outFen;
}

/** The seller's part of the payment: the price, unless a ruling has divided it. */
const buyersPart = ({ r, cancelled, refunds }: Seen): number | null =>
  cancelled || refunds.refundedFen > 0 ? null : r.goods_fen - r.cut_fen;

/** When a provider is paid: boosting stage by stage, companion play by the minutes at its end. */
const serviceRelease = (r: OrderRow): string =>
  r.type_id === BOOSTING ? '每段确认后付；最后一段过保护期' : '按分钟结算，过保护期';

function pointsOf(seen: Seen, sellerFen: number | null): Money['points'] {
  const { r, released, cancelled, parted, refunds } = seen;
  const back = refunds.refundedFen;
  const paid = r.paid_at !== null;
  // Nothing was paid, so nothing is refunded.
  if (cancelled && !paid && lateFen(seen) > 0) {
    return [
      { title: '付款晚到', amount: lateFen(seen), text: '订单已关闭', state: 'done' },
      {
        title: '退回',
        amount: lateFen(seen),
        text: lateOutcome(seen.late),
        state: stateOf(isLateBack(seen.late), true),
      },
    ];
  }
  if (cancelled && !paid)
    return [
      { title: '未付款', amount: null, text: '买家没有付款', state: 'waiting' },
      { title: '订单已关闭', amount: null, text: '没有资金进出', state: 'done' },
    ];
  const points: Money['points'] = [
    {
      title: paid ? '已收款' : '待收款',
      amount: paid ? r.total_fen : null,
      text: r.paid_at ? fullTime(r.paid_at.getTime()).slice(5) : '等待付款',
      state: stateOf(paid, r.status === OrderStatus.Unpaid),
    },
    {
      title: cancelled || back > 0 ? '已退款' : released ? '平台托管' : '平台托管中',
      amount: cancelled || back > 0 ? back : isPaidFor(r.status) ? heldFen(seen, sellerFen) : null,
      text: heldText(seen),
      state: stateOf(released || cancelled || back > 0, paid && !released),
    },
  ];
  if (cancelled && !parted) return points;
  return [
    ...points,
    ...(sellerFen === null ? [] : seen.stages.map(stagePoint)),
    {
      title: '放款给卖家',
      amount: sellerFen === null ? buyersPart(seen) : sellerFen - seen.stages.reduce((sum, s) => sum + s.amountFen, 0),
      text: released
        ? '已放款'
        : r.snapshot.service === true
          ? isInProgress(r.status)
            ? serviceRelease(r)
            : '保护期满后'
          : isRecycled(r)
            ? `验号通过，${r.platform_buys ? '平台' : '买家'}接管后`
            : isPartOut(seen)
              ? // The seller's stages have points before this one.
                sellerFen === null
                ? '已放出一部分，其余待保护期满'
                : '保护期满后'
              : '确认收货且保护期满后',
      state: stateOf(released, false),
    },
  ];
}

/**
 * The seller's money of an order, in fen: the price less the commission, a reduction after the inspection and rulings; of a cancelled order
 * the part that a ruling or the progress of a service left.
 */
export function sellerGetsFen(
  r: OrderRow,
  { holdFen, takenFen }: { holdFen: number | null; takenFen: number },
): number {
  if (isCancelled(r.status) && r.paid_at) return holdFen ?? 0;
  return sellerNetFen({ goodsFen: r.goods_fen, commissionFen: r.commission_fen }) - r.cut_fen - takenFen;
}

/**
 * Where the money is, and why: received, held until, released. The seller's part is the seller's to see, and
 * `late` the payer's.
 */
export function moneyOf(
  r: OrderRow,
  viewer: 'buyer' | 'seller',
  hold: HoldState | null,
  { late = NO_LATE, ...refunds }: Refunds & { late?: LatePayments },
): Money {
  const cancelled = isCancelled(r.status);
  const seen: Seen = {
    r,
    released: Boolean(hold?.releasedAt),
    cancelled,
    parted: cancelled && hold !== null,
    refunds,
    late,
    stages: hold && hold.releasedAt === null ? hold.stages : [],
  };
  const sellerFen = sellerGetsFen(r, { holdFen: hold?.fen ?? null, takenFen: refunds.takenFen });
  const visibleFen = viewer === 'seller' ? sellerFen : null;
  return {
    where: whereOf(seen),
    reason: `${reasonOf(seen)}${owedText(refunds, viewer)}`,
    paid: r.paid_at ? r.total_fen : 0,
    refunded: refunds.refundedFen,
    late: lateFen(seen),
    held: !isInProgress(r.status) ? null : visibleFen === null ? escrowOfPaid(r) : visibleFen - r.advance_fen,
    sellerGets: visibleFen,
    // For an order that was cancelled or partly refunded, the seller's amount is not the price less the commission.
    commission:
      viewer === 'buyer' || (r.commission_fen > 0 && (cancelled || refunds.takenFen > 0)) ? null : r.commission_fen,
    releaseTime: r.take_over === 'platform' ? null : (hold?.releaseAt ?? null),
    staged: viewer === 'seller' && seen.stages.length > 0,
    released: seen.released,
    points: pointsOf(seen, visibleFen),
    parts: moneyParts(r, viewer, { hold, refundedFen: refunds.refundedFen }),
  };
}
