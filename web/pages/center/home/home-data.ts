import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { queryOrderList } from '#subjects/orders/contract/order.ts';
import { followGoods } from '#subjects/goods/contract/follows.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { CENTER_PAGE_SIZE } from '#contract/rules/limits.ts';
import { BUYS } from '#contract/rules/parties.ts';

type Call = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Data<E>>;

export interface HomeData {
  user: Data<typeof userInfo>;
  orders: Data<typeof queryOrderList> | null;
  follows: Data<typeof followGoods> | null;
}

/**
 * Loads the centre's start page (product.md 4): user, orders and follows together. When any of them fails, only the user is requested once
 * more, with empty lists; null when that fails too, and the caller redirects to the log-in.
 */
export async function loadHome(call: Call): Promise<HomeData | null> {
  try {
    const [user, orders, follows] = await Promise.all([
      call(userInfo, {}),
      call(queryOrderList, { belong: BUYS, pageSize: CENTER_PAGE_SIZE }),
      call(followGoods, { pageSize: CENTER_PAGE_SIZE }),
    ]);
    return { user, orders, follows };
  } catch {
    try {
      return { user: await call(userInfo, {}), orders: null, follows: null };
    } catch {
      return null;
    }
  }
}
