import type { Data } from '#contract/endpoint.ts';
import type { queryOrderList } from '#contract/order.ts';

type Count = Pick<Data<typeof queryOrderList>, 'total'> | null;

/** The side whose orders the start page shows first: who has only sold sees what was sold. */
export function recentSide({ orders, sold }: { orders: Count; sold: Count }): 'bought' | 'sold' {
  return orders?.total === 0 && sold !== null && sold.total > 0 ? 'sold' : 'bought';
}
