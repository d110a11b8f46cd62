import { OrderStatus, orderGroups } from '#subjects/orders/rules/order-status.ts';
import type { ErrorName } from '#contract/codes.ts';
import { account, type Transfer } from '#subjects/ledger/server/rules.ts';
import { type Role, shippedText } from '../rules/transition-texts.ts';
import { couponPart, move, type OrderTerms, refund, release } from './postings.ts';

export { escrowFen, type OrderTerms, sellerDueFen, sellerNetFen } from './postings.ts';

/**
 * The events of a transition, and the clocks that it sets and stops: names of the registry (server/jobs), written by
 * apply-transition.ts.
 */
export type OrderEvent =
  | 'order.paid'
  | 'order.shipped'
  | 'order.completed'
  | 'order.cancelled'
  | 'order.sellerCancelled'
  | 'order.ruled';
export type OrderClock = 'order.expire' | 'order.autoConfirm' | 'order.late' | 'hold.release';

export type { Role } from '../rules/transition-texts.ts';

/** A transition of the process: its states, who may apply it, and its effects (domain.md 2). */
export interface Transition {
  act: string;
  label: string;
  from: readonly number[];
  to: number;
  roles: readonly Role[];
  explain(role: Role, o?: Pick<OrderTerms, 'isRecycledAccount'>): string;
  /** Why the transition is not allowed now, apart from the status; null when it is. */
  closed?(o: OrderTerms, role: Role): ErrorName | null;
  postings(o: OrderTerms): Transfer[];
  stamp?: 'paid' | 'shipped' | 'completed';
  goods?: 'free' | 'sold';
  coupon?: 'return';
  /** Repeats `closed` inside the UPDATE, so that check and change are atomic. */
  only?: (role: Role) => { untouched?: true; undisputed?: true; due?: true; late?: true };
  timers: { set: readonly Exclude<OrderClock, 'order.late'>[]; clear: readonly OrderClock[] };
  events: readonly OrderEvent[];
  /** The seller's part is held until the end of protection. */
  hold?: true;
  /** The confirmation question of the button. */
  confirm?: string;
  primary?: true;
}

const OPEN_TIMERS = ['order.expire', 'order.autoConfirm', 'order.late'] as const;

/** Services are delivered and cancelled by actions of their own subject, which handle their milestones and deposits. */
const closedForService = (o: OrderTerms): ErrorName | null => (o.isService ? 'ORDER_SERVICE_ACT' : null);

/** An account sold to a recycler is handed over only by staff's inspection (decision 274). */
const closedForRecycled = (o: OrderTerms): ErrorName | null => (o.isRecycledAccount ? 'ORDER_RECYCLED' : null);

/** The whole process as one table. Buttons on every screen and the server's permission checks are derived from it. */
export const transitions = {
  payBalance: {
    act: 'pay',
    label: '去付款',
    from: [OrderStatus.Unpaid],
    to: OrderStatus.Paid,
    roles: ['buyer'],
    stamp: 'paid',
    primary: true,
    explain: () => '买家已付款，货款由平台托管',
    postings: (o) => [
      move(o, 'order_pay', account.available(o.buyerId), account.escrow(o.id), o.totalFen),
      ...couponPart(o),
    ],
    timers: { set: [], clear: ['order.expire'] },
    events: ['order.paid'],
  },
  payChannel: {
    act: 'payChannel',
    label: '去付款',
    from: [OrderStatus.Unpaid],
    to: OrderStatus.Paid,
    roles: ['payment'],
    stamp: 'paid',
    explain: () => '买家已付款，货款由平台托管',
    postings: couponPart,
    timers: { set: [], clear: ['order.expire'] },
    events: ['order.paid'],
  },
  expire: {
    act: 'expire',
    label: '超时关闭',
    from: [OrderStatus.Unpaid],
    to: OrderStatus.ClosedUnpaid,
    roles: ['timer'],
    goods: 'free',
    coupon: 'return',
    explain: () => '超过付款时限，订单自动关闭',
    postings: () => [],
    timers: { set: [], clear: ['order.expire'] },
    events: ['order.cancelled'],
  },
  cancelUnpaid: {
    act: 'cancel',
    label: '取消订单',
    from: [OrderStatus.Unpaid],
    to: OrderStatus.BuyerCancelled,
    roles: ['buyer'],
    goods: 'free',
    coupon: 'return',
    explain: () => '买家取消了订单',
    confirm: '确认取消这个订单？',
    postings: () => [],
    timers: { set: [], clear: ['order.expire'] },
    events: ['order.cancelled'],
  },
  cancelPaid: {
    act: 'cancel',
    label: '取消并退款',
    from: [OrderStatus.Paid],
    to: OrderStatus.BuyerCancelled,
    roles: ['buyer'],
    goods: 'free',
    coupon: 'return',
    explain: () => '买家取消了订单，货款全额退还',
    confirm: '取消后货款全额退还，确认取消？',
    // After the ship-by time the buyer may cancel alone only while nothing has been handed over.
    closed: (o) =>
      o.disputed
        ? 'ORDER_STATE'
        : o.isService && o.touched
          ? 'ORDER_SERVICE_ACT'
          : ((o.touched || o.binding) && !o.overdue) || o.buyerOpened || o.delivered
            ? 'ORDER_CANCEL_NEEDS_SELLER'
            : null,
    only: () => ({ untouched: true, undisputed: true }),
    postings: refund,
    timers: { set: [], clear: OPEN_TIMERS },
    events: ['order.cancelled'],
  },
  cancelAgreed: {
    act: 'agreeCancel',
    label: '同意取消',
    from: [OrderStatus.Paid],
    to: OrderStatus.BuyerCancelled,
    roles: ['seller'],
    goods: 'free',
    coupon: 'return',
    explain: () => '卖家同意取消，货款全额退还买家',
    confirm: '同意后订单取消，货款退回买家，确认同意？',
    closed: (o) => (o.disputed || !o.cancelAsked ? 'ORDER_STATE' : closedForService(o)),
    only: () => ({ undisputed: true }),
    postings: refund,
    timers: { set: [], clear: OPEN_TIMERS },
    events: ['order.cancelled'],
  },
  sellerCancel: {
    act: 'sellerCancel',
    label: '取消订单',
    from: orderGroups.inProgress,
    to: OrderStatus.SellerCancelled,
    roles: ['seller'],
    goods: 'free',
    coupon: 'return',
    explain: () => '卖家取消了订单，货款全额退还买家',
    confirm: '取消会计入卖家记录，货款全额退回买家，确认取消？',
    closed: (o) => (o.disputed ? 'ORDER_STATE' : closedForService(o)),
    only: () => ({ undisputed: true }),
    postings: refund,
    timers: { set: [], clear: OPEN_TIMERS },
    events: ['order.cancelled', 'order.sellerCancelled'],
  },
  /**
   * No one acted on a late order: it ends as if its seller had cancelled it, but without the penalty for a broken
   * promise (decision 440).
   */
  lateEnd: {
    act: 'lateEnd',
    label: '超时未发货退款',
    from: [OrderStatus.Paid],
    to: OrderStatus.SellerCancelled,
    roles: ['timer'],
    goods: 'free',
    coupon: 'return',
    explain: () => '卖家超过发货时限仍未发货，订单自动取消，货款全额退还买家',
    closed: (o) => (o.disputed ? 'ORDER_STATE' : (closedForService(o) ?? closedForRecycled(o))),
    only: () => ({ undisputed: true, late: true }),
    postings: refund,
    timers: { set: [], clear: OPEN_TIMERS },
    events: ['order.cancelled'],
  },
  staffClose: {
    act: 'staffClose',
    label: '平台关闭并退款',
    from: orderGroups.inProgress,
    to: OrderStatus.ClosedByPlatform,
    roles: ['staff'],
    goods: 'free',
    coupon: 'return',
    explain: () => '平台关闭了订单，货款全额退还买家',
    confirm: '关闭后货款全额退回买家，确认关闭？',
    // When the parties disagree, the dispute's ruling decides, with its reasons on record.
    closed: (o) => (o.disputed ? 'ORDER_DISPUTED' : o.advanceFen > 0 ? 'ORDER_SERVICE_ACT' : null),
    only: () => ({ undisputed: true }),
    postings: refund,
    timers: { set: [], clear: OPEN_TIMERS },
    events: ['order.cancelled'],
  },
  ship: {
    act: 'ship',
    label: '确认发货',
    from: [OrderStatus.Paid],
    to: OrderStatus.Shipped,
    roles: ['seller', 'staff', 'service', 'timer'],
    stamp: 'shipped',
    primary: true,
    explain: (role, o) => (o?.isRecycledAccount ? '验号通过，等待接管账号' : shippedText(role)),
    confirm: '确认账号或商品已交付给买家？',
    closed: (o, role) => {
      if (o.disputed) return 'ORDER_STATE';
      if (role === 'seller') return closedForService(o) ?? closedForRecycled(o);
      return role === 'service' ? null : closedForService(o);
    },
    only: () => ({ undisputed: true }),
    postings: () => [],
    timers: { set: ['order.autoConfirm'], clear: ['order.late'] },
    events: ['order.shipped'],
  },
  confirm: {
    act: 'confirm',
    label: '确认收货',
    from: [OrderStatus.Shipped],
    to: OrderStatus.Completed,
    roles: ['buyer'],
    stamp: 'completed',
    goods: 'sold',
    hold: true,
    primary: true,
    explain: () => '买家确认收货，交易成功',
    confirm: '确认已收到商品？',
    closed: (o) => (o.disputed ? 'ORDER_STATE' : null),
    only: () => ({ undisputed: true }),
    postings: release,
    timers: { set: ['hold.release'], clear: OPEN_TIMERS },
    events: ['order.completed'],
  },
  autoConfirm: {
    act: 'autoConfirm',
    label: '自动确认',
    from: [OrderStatus.Shipped],
    to: OrderStatus.Completed,
    roles: ['timer'],
    stamp: 'completed',
    goods: 'sold',
    hold: true,
    explain: () => '验收期结束未提出异议，系统自动确认收货',
    closed: (o) => (o.disputed ? 'ORDER_STATE' : null),
    only: () => ({ undisputed: true, due: true }),
    postings: release,
    timers: { set: ['hold.release'], clear: OPEN_TIMERS },
    events: ['order.completed'],
  },
  notAccepted: {
    act: 'notAccepted',
    label: '未接单退款',
    from: [OrderStatus.Paid],
    to: OrderStatus.ClosedByPlatform,
    roles: ['service', 'timer'],
    goods: 'free',
    coupon: 'return',
    explain: () => '服务方没有接单，货款全额退还买家',
    closed: (o) => (o.disputed ? 'ORDER_STATE' : null),
    only: () => ({ untouched: true, undisputed: true }),
    postings: refund,
    timers: { set: [], clear: OPEN_TIMERS },
    events: ['order.cancelled'],
  },
  splitRefund: {
    act: 'splitRefund',
    label: '协商取消',
    from: orderGroups.inProgress,
    to: OrderStatus.ClosedByPlatform,
    roles: ['service'],
    goods: 'free',
    coupon: 'return',
    explain: () => '服务已取消，货款全额退还买家',
    closed: (o) => (o.disputed || o.advanceFen > 0 ? 'ORDER_STATE' : null),
    only: () => ({ undisputed: true }),
    postings: refund,
    timers: { set: [], clear: OPEN_TIMERS },
    events: ['order.cancelled'],
  },
  splitPart: {
    act: 'splitPart',
    label: '按进度取消',
    from: orderGroups.inProgress,
    to: OrderStatus.ClosedByPlatform,
    roles: ['service'],
    goods: 'free',
    hold: true,
    explain: () => '服务已结算，其余货款退还买家',
    closed: (o) => (o.disputed ? 'ORDER_STATE' : null),
    only: () => ({ undisputed: true }),
    // The shares follow from what was done: orders/ruling.ts gives them.
    postings: () => [],
    timers: { set: ['hold.release'], clear: OPEN_TIMERS },
    events: ['order.ruled'],
  },
  ruleRefund: {
    act: 'ruleRefund',
    label: '裁决退款',
    from: orderGroups.inProgress,
    to: OrderStatus.ClosedByPlatform,
    roles: ['timer'],
    goods: 'free',
    coupon: 'return',
    explain: () => '申诉结案，货款全额退还买家',
    postings: refund,
    timers: { set: [], clear: OPEN_TIMERS },
    events: ['order.cancelled'],
  },
  rulePart: {
    act: 'rulePart',
    label: '裁决部分退款',
    from: orderGroups.inProgress,
    to: OrderStatus.ClosedByPlatform,
    roles: ['timer'],
    goods: 'sold',
    hold: true,
    explain: () => '申诉结案，部分货款退还买家，其余归卖家',
    // The shares follow from the ruling: orders/ruling.ts gives them.
    postings: () => [],
    timers: { set: ['hold.release'], clear: OPEN_TIMERS },
    events: ['order.ruled'],
  },
  ruleComplete: {
    act: 'ruleComplete',
    label: '裁决完成',
    from: [OrderStatus.Shipped],
    to: OrderStatus.Completed,
    roles: ['timer'],
    stamp: 'completed',
    goods: 'sold',
    hold: true,
    explain: () => '申诉结案，交易成立，货款归卖家',
    postings: release,
    timers: { set: ['hold.release'], clear: OPEN_TIMERS },
    events: ['order.completed'],
  },
  recycleSettle: {
    act: 'recycleSettle',
    label: '验号通过',
    from: [OrderStatus.Shipped],
    to: OrderStatus.Completed,
    roles: ['timer'],
    stamp: 'completed',
    goods: 'sold',
    hold: true,
    explain: () => '验号通过，货款付给卖家',
    closed: (o) => (o.disputed ? 'ORDER_STATE' : null),
    only: () => ({ undisputed: true }),
    postings: release,
    timers: { set: [], clear: OPEN_TIMERS },
    events: ['order.completed'],
  },
  recycleReturn: {
    act: 'recycleReturn',
    label: '取回账号',
    from: [OrderStatus.Paid],
    to: OrderStatus.ClosedByPlatform,
    roles: ['timer'],
    goods: 'free',
    coupon: 'return',
    explain: () => '回收没有成交，账号由卖家留下，货款已全额退回回收商',
    closed: (o) => (o.disputed ? 'ORDER_DISPUTED' : null),
    only: () => ({ undisputed: true }),
    postings: refund,
    timers: { set: [], clear: OPEN_TIMERS },
    events: ['order.cancelled'],
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** The transition with this name, in its general type. */
export const transition = (name: TransitionName): Transition => transitions[name];

/** The actions of a viewer in a role on an order, with the reason when a button is shown but disabled. */
export function openActions(
  o: OrderTerms,
  role: 'buyer' | 'seller' | 'staff',
): { name: TransitionName; t: Transition; reason: ErrorName | null }[] {
  return (
    (Object.keys(transitions) as TransitionName[])
      .map((name) => ({ name, t: transition(name) }))
      .filter(({ t }) => t.roles.includes(role) && t.from.includes(o.status))
      .filter(({ name }) => name !== 'cancelAgreed' || o.cancelAsked)
      // Only the inspection ships it, never a user.
      .filter(({ name }) => name !== 'ship' || !o.isRecycledAccount)
      .map(({ name, t }) => ({ name, t, reason: t.closed?.(o, role) ?? null }))
  );
}
