import { OrderStatus, isInProgress, FAILED_TAB } from '#contract/rules/order-status.ts';
import { BUYS } from '#contract/rules/parties.ts';
/** Tab of the chat page that an order stands in (product.md 2, order chat page). */
export function chatTab(status: number): number {
  return isInProgress(status) || status === OrderStatus.Completed ? status : FAILED_TAB;
}

/** The page of one order; buyer and seller share it. */
export function orderPath(orderSn: string): string {
  return `/center/buyOrderDetail?orderSn=${orderSn}`;
}

/** The order's conversation; null before payment, when there is none. */
export function chatPath(order: {
  orderSn: string;
  status: number;
  belong: number;
  payTime: string | null;
}): string | null {
  if (!order.payTime) return null;
  return `/chatSystem?status=${chatTab(order.status)}&returnType=${order.belong}&orderSn=${order.orderSn}`;
}

/** Where an unpaid order is paid; goods without a number of their own stay with the order's. */
export function payPath(order: { orderSn: string; goodsSn: string | null }): string {
  return `/wares/${order.goodsSn ?? order.orderSn}/pay?orderSn=${order.orderSn}`;
}

/** The rating page (product.md 2): belongIndex 0 on the seller's side, 1 otherwise. */
export function ratePath(order: { orderSn: string; belong: number }, now: number): string {
  return `/customerAssess?orderSn=${order.orderSn}&belongIndex=${order.belong === BUYS ? 1 : 0}&typeIndex=1&timestamp=${now}`;
}

/** The list of goods like those of an order that came to nothing. */
export function againPath(order: { gameId: number | null; orderTypeId: number }): string {
  return `/wares?gt=${order.orderTypeId}${order.gameId === null ? '' : `&gid=${order.gameId}`}`;
}

/** Where an order's dispute is opened, or read while it is open. */
export function complaintPath(order: { orderSn: string }): string {
  return `/center/buyComplaint?orderSn=${order.orderSn}`;
}

/** One dispute of the viewer's. */
export function disputePath(disputeSn: string): string {
  return `/center/buyComplaint?disputeSn=${disputeSn}`;
}

/** The conversation of a paid order; the page finds tab and side itself. */
export function talkPath(orderSn: string): string {
  return `/chatSystem?orderSn=${orderSn}`;
}

/** The same for staff: the workbench finds the group itself, or says who has it. */
export function workbenchPath(orderSn: string): string {
  return `/backstage/chat?orderSn=${orderSn}`;
}
