import type { Data } from '#contract/endpoint.ts';
import type { queryOrderList } from '#subjects/orders/contract/order.ts';

type Count = Pick<Data<typeof queryOrderList>, 'total'> | null;

/** Returns the kind of orders that the start page shows first: a user who has only sold sees the sold ones. */
export function recentParty({ orders, sold }: { orders: Count; sold: Count }): 'bought' | 'sold' {
  return orders?.total === 0 && sold !== null && sold.total > 0 ? 'sold' : 'bought';
}
