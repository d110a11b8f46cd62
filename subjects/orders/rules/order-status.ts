import { isService } from './order-types.ts';

/** The states of an order (domain.md 2). */
export const OrderStatus = {
  Unpaid: 0,
  Paid: 1,
  Shipped: 2,
  Completed: 3,
  ClosedUnpaid: 6,
  BuyerCancelled: 7,
  SellerCancelled: 8,
  ClosedByPlatform: 9,
} as const;
export type OrderStatus = (typeof OrderStatus)[keyof typeof OrderStatus];

/**
 * The groups of states. Checks of a single order and the lists in SQL statements (server/states/order-states.ts) are built
 * from them, so a new state is added only here.
 */
export const orderGroups = {
  /** Not ended: unpaid, or with its money in escrow. */
  open: [OrderStatus.Unpaid, OrderStatus.Paid, OrderStatus.Shipped],
  /** Paid, and not yet completed or cancelled: the money is in escrow. */
  inProgress: [OrderStatus.Paid, OrderStatus.Shipped],
  /** Paid and not cancelled. */
  paidFor: [OrderStatus.Paid, OrderStatus.Shipped, OrderStatus.Completed],
  /** Not cancelled. */
  valid: [OrderStatus.Unpaid, OrderStatus.Paid, OrderStatus.Shipped, OrderStatus.Completed],
  /** Completed or cancelled. */
  ended: [
    OrderStatus.Completed,
    OrderStatus.ClosedUnpaid,
    OrderStatus.BuyerCancelled,
    OrderStatus.SellerCancelled,
    OrderStatus.ClosedByPlatform,
  ],
  /** By either party, staff or a timeout. */
  cancelled: [
    OrderStatus.ClosedUnpaid,
    OrderStatus.BuyerCancelled,
    OrderStatus.SellerCancelled,
    OrderStatus.ClosedByPlatform,
  ],
} as const satisfies Record<string, readonly number[]>;

const isOneOf = (states: readonly number[], status: number): boolean => states.includes(status);

/** Whether an order was cancelled, by either party, staff or a timeout. */
export const isCancelled = (status: number): boolean => isOneOf(orderGroups.cancelled, status);
/** Whether an order has ended: completed or cancelled. */
export const isEnded = (status: number): boolean => isOneOf(orderGroups.ended, status);
/** Whether an order is paid and not yet completed. */
export const isInProgress = (status: number): boolean => isOneOf(orderGroups.inProgress, status);
/** Whether an order is paid and was not cancelled. */
export const isPaidFor = (status: number): boolean => isOneOf(orderGroups.paidFor, status);

/**
 * The colour of a state: 'attention' while a party must act, 'good' after success, 'none' when the order was cancelled.
 */
export function orderTone(status: number): 'attention' | 'good' | 'none' {
  if (status === OrderStatus.Unpaid || status === OrderStatus.Paid) return 'attention';
  return isPaidFor(status) ? 'good' : 'none';
}

/** Order status codes and their display names (product.md 4, domain.md 2). */
export const orderStatusNames: Readonly<Record<number, string>> = {
  [OrderStatus.Unpaid]: '待付款',
  [OrderStatus.Paid]: '待发货',
  [OrderStatus.Shipped]: '待收货',
  [OrderStatus.Completed]: '交易成功',
  [OrderStatus.ClosedUnpaid]: '已取消',
  [OrderStatus.BuyerCancelled]: '已取消',
  [OrderStatus.SellerCancelled]: '已取消',
  [OrderStatus.ClosedByPlatform]: '已取消',
} satisfies Record<OrderStatus, string>;

/** The names of states in boosting and companion play. What ends with a part of the money paid out was not cancelled. */
const serviceStatusNames: Readonly<Record<number, string>> = {
  [OrderStatus.Paid]: '待完成',
  [OrderStatus.Shipped]: '待验收',
  [OrderStatus.ClosedByPlatform]: '已结束',
} satisfies Partial<Record<OrderStatus, string>>;

/** The filter value that lists every cancelled order (product.md 4). */
export const FAILED_TAB = -1;
/** Status codes behind the tab 'failed'. */
export const failedStatuses = orderGroups.cancelled;

/** The chat page's four tabs, by the status that they filter by (product.md 2). */
export const chatTabs = [
  { status: OrderStatus.Paid, name: '待发货' },
  { status: OrderStatus.Shipped, name: '已发货' },
  { status: OrderStatus.Completed, name: '交易成功' },
  { status: FAILED_TAB, name: '交易失败' },
] as const;

/** The tab that lists an order; null for an unpaid one, which has no chat. */
export function chatTabOf(status: number): 1 | 2 | 3 | -1 | null {
  if (status === OrderStatus.Paid || status === OrderStatus.Shipped || status === OrderStatus.Completed) return status;
  return status === OrderStatus.Unpaid ? null : FAILED_TAB;
}

/**
 * The display name of an order's status; every status outside a running or completed trade is displayed as cancelled
 * (product.md 4). Services are completed and accepted, not shipped, so the name needs the order's type; null for orders of which none is a service.
 */
export const orderStatusName = (status: number, typeId: number | null): string =>
  (typeId !== null && isService(typeId) ? serviceStatusNames[status] : undefined) ??
  orderStatusNames[status] ??
  '已取消';
/** The text in place of an order's deadline while a dispute has stopped its clock. */
export const CLOCK_STOPPED = '申诉处理中，计时已停止';

/** Why no action is possible on an order that has ended automatically or was cancelled; undefined for another state. */
export function endedReason(status: number): string | undefined {
  if (status === OrderStatus.ClosedUnpaid) return '超时未付款，订单已关闭，请重新下单';
  if (isCancelled(status)) return '订单已取消';
  return undefined;
}

/**
 * The deadline of a running order that comes next: of its current step, or of its state when no step is due before (`isStep` false). `at` is null
 * while none runs.
 */
export function nextDeadline({ stepDue, deadline }: { stepDue: string | null; deadline: string | null }): {
  at: string | null;
  isStep: boolean;
} {
  const isStep = stepDue !== null && stepDue !== deadline;
  return { at: isStep ? stepDue : deadline, isStep };
}
