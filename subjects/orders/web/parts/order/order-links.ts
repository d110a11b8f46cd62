import { OrderStatus, isInProgress, FAILED_TAB } from '../../../rules/order-status.ts';
import { RECYCLED_ACCOUNT } from '../../../rules/order-types.ts';
import { BUYS } from '#contract/rules/parties.ts';

/** The chat page's tab that lists an order (product.md 2, order chat page). */
export function chatTab(status: number): number {
  return isInProgress(status) || status === OrderStatus.Completed ? status : FAILED_TAB;
}

/** The page of one order; buyer and seller share it. */
export function orderPath(orderSn: string): string {
  return `/center/buyOrderDetail?orderSn=${orderSn}`;
}

/** The order's conversation; null before payment, when it does not exist yet. */
export function chatPath(order: {
  orderSn: string;
  status: number;
  belong: number;
  payTime: string | null;
}): string | null {
  if (!order.payTime) return null;
  return `/chatSystem?status=${chatTab(order.status)}&returnType=${order.belong}&orderSn=${order.orderSn}`;
}

/** Where an unpaid order is paid; without a listing number the order's own is used. */
export function payPath(order: { orderSn: string; goodsSn: string | null }): string {
  return `/wares/${order.goodsSn ?? order.orderSn}/pay?orderSn=${order.orderSn}`;
}

/** The rating page (product.md 2): belongIndex 0 for the seller, 1 otherwise. */
export function ratePath(order: { orderSn: string; belong: number }, now: number): string {
  return `/customerAssess?orderSn=${order.orderSn}&belongIndex=${order.belong === BUYS ? 1 : 0}&typeIndex=1&timestamp=${now}`;
}

/**
 * The list of similar listings, after an order that was cancelled, by what was traded: types of orders such as quick coin have no listings. A
 * recycled account has the list's default type of its game.
 */
export function againPath({ gameId, tradedTypeId }: { gameId: number | null; tradedTypeId: number }): string {
  const query = [
    ...(tradedTypeId === RECYCLED_ACCOUNT ? [] : [`gt=${tradedTypeId}`]),
    ...(gameId === null ? [] : [`gid=${gameId}`]),
  ];
  return query.length > 0 ? `/wares?${query.join('&')}` : '/wares';
}

/** Where a dispute of an order is opened, or viewed while it is open. */
export function complaintPath(order: { orderSn: string }): string {
  return `/center/buyComplaint?orderSn=${order.orderSn}`;
}

/** The page of one of the viewer's disputes. */
export function disputePath(disputeSn: string): string {
  return `/center/buyComplaint?disputeSn=${disputeSn}`;
}

/** The conversation of a paid order; the page determines tab and party itself. */
export function talkPath(orderSn: string): string {
  return `/chatSystem?orderSn=${orderSn}`;
}

/** The same for staff: the workbench finds the group, or names the member it is assigned to. */
export function workbenchPath(orderSn: string): string {
  return `/backstage/chat?orderSn=${orderSn}`;
}

/** A conversation with customer service, separate from the order's own, about its listing if there is one. */
export function servicePath({ goodsSn }: { goodsSn: string | null }): string {
  return `/customerService?${goodsSn === null ? 'open=1' : `goodsSn=${goodsSn}`}`;
}
