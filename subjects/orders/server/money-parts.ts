import type { HandlerResult } from '#contract/endpoint.ts';
import type { orderDetail } from '#subjects/orders/contract/order.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { receiptName, BOOSTING, RECYCLED_ACCOUNT } from '../rules/order-types.ts';
import { OrderStatus, isCancelled, isInProgress } from '../rules/order-status.ts';
import { blockingRelease } from './handover/steps-gate.ts';
import type { OrderRow } from './list.ts';
import type { HoldStage } from '#subjects/ledger/server/service.ts';

type Part = HandlerResult<typeof orderDetail>['money']['parts'][number];

/** The protection hold of an order. */
export interface HoldState {
  /** The amount still held; for an ended hold, the amount held until its end. */
  fen: number;
  stages: readonly HoldStage[];
  releaseAt: Date | null;
  releasedAt: Date | null;
}

/** The use of a fee of this code when the trade succeeds. */
const AT_SUCCESS: Readonly<Record<string, readonly [running: string, done: string]>> = {
  service: ['交易成功时收取', '已收取'],
  ensure: ['交易成功时开始生效', '已生效'],
  fixEnsure: ['交易成功时开始生效', '已生效'],
};

/** Whether an account was sold to a recycler: inspected by staff, then taken over, without a receipt to confirm. */
export const isRecycled = (r: Pick<OrderRow, 'snapshot'>): boolean => r.snapshot.handoverType === RECYCLED_ACCOUNT;

const dayTime = (at: Date): string => fullTime(at.getTime()).slice(5);

/** The time until which the price itself is held, for a running order. */
function goodsUntil(r: OrderRow, viewer: 'buyer' | 'seller'): string {
  const who = viewer === 'buyer' ? '您' : '买家';
  if (r.disputed) return '裁决后按结果处理';
  if (r.snapshot.service === true && r.status === OrderStatus.Paid)
    return r.type_id === BOOSTING ? `${who}确认一段付一段，最后一段再过保护期` : `结束后按分钟结算，再过保护期`;
  if (isRecycled(r)) return `验号通过，再到${r.platform_buys ? '平台' : who}接管账号`;
  const isClockRunning = r.confirm_stopped_at === null && blockingRelease(r.open_steps).length === 0;
  if (r.status === OrderStatus.Shipped && r.auto_confirm_at && isClockRunning)
    return `${who}${receiptName(r.type_id)}，最晚 ${dayTime(r.auto_confirm_at)}，再过保护期放款`;
  return `${who}${receiptName(r.type_id)}，再过保护期放款`;
}

/** Describes the effect on a part if the order is cancelled now; of an accepted service, completed work is paid. */
function cancelText(r: OrderRow, viewer: 'buyer' | 'seller'): string {
  if (r.snapshot.service === true && r.touched_at !== null) return r.type_id === BOOSTING ? '按进度结算' : '按分钟结算';
  return viewer === 'buyer' ? '全额退您' : '全额退买家';
}

function runningPart(
  r: OrderRow,
  viewer: 'buyer' | 'seller',
  code: string,
): Pick<Part, 'state' | 'until' | 'onCancel'> {
  const isPartPaid = code === 'goods' && r.advance_fen > 0;
  const state = r.disputed ? '冻结中' : isPartPaid ? '部分已付' : '托管中';
  return { state, until: AT_SUCCESS[code]?.[0] ?? goodsUntil(r, viewer), onCancel: cancelText(r, viewer) };
}

function goodsDone(
  r: OrderRow,
  viewer: 'buyer' | 'seller',
  { hold, refundedFen }: { hold: HoldState | null; refundedFen: number },
): Pick<Part, 'state' | 'until'> {
  if (refundedFen > 0) return { state: '按裁决处理', until: '见申诉结果' };
  if (!hold || hold.releasedAt) return { state: '已放款', until: hold?.releasedAt ? dayTime(hold.releasedAt) : '' };
  if (r.take_over === 'platform') return { state: '等待接管，冻结中', until: '平台接管后放款' };
  const isStaged = viewer === 'seller' && hold.stages.length > 0;
  // Confirmed stages of a boosting order are paid already, so only the rest is frozen.
  const isPartOut = r.advance_fen > 0 || hold.stages.some(({ releasedAt }) => releasedAt !== null);
  return {
    state: isPartOut ? '部分已放款' : '保护期内冻结',
    until: hold.releaseAt ? `${dayTime(hold.releaseAt)} ${isStaged ? '前分段放款' : '放款'}` : '处理中，暂停计时',
  };
}

function partOf(
  r: OrderRow,
  viewer: 'buyer' | 'seller',
  code: string,
  { hold, refundedFen }: { hold: HoldState | null; refundedFen: number },
): Pick<Part, 'state' | 'until' | 'onCancel'> {
  if (code === 'coupon') return { state: '已抵扣', until: '', onCancel: '' };
  if (isCancelled(r.status)) {
    const isParted = hold !== null || refundedFen < r.total_fen;
    return { state: isParted ? '按结果处理' : '已退回', until: '', onCancel: '' };
  }
  if (isInProgress(r.status)) return runningPart(r, viewer, code);
  if (code === 'goods') return { ...goodsDone(r, viewer, { hold, refundedFen }), onCancel: '' };
  return { state: AT_SUCCESS[code]?.[1] ?? '已收取', until: '', onCancel: '' };
}

/** The parts of the payment: where each is, until when, and what happens to it if the order is cancelled. Empty before payment. */
export function moneyParts(
  r: OrderRow,
  viewer: 'buyer' | 'seller',
  state: { hold: HoldState | null; refundedFen: number },
): Part[] {
  if (!r.paid_at) return [];
  const parts = r.fees.map(({ code, label, fen }) => ({
    code,
    label,
    amount: code === 'goods' ? fen - r.cut_fen : fen,
    ...partOf(r, viewer, code, state),
  }));
  if (r.cut_fen === 0) return parts;
  const cut = { label: '验号减价', amount: r.cut_fen, state: '已退回', until: '', onCancel: '' };
  return [...parts.slice(0, 1), { code: 'cut', ...cut }, ...parts.slice(1)];
}
