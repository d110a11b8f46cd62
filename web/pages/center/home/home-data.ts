import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { queryOrderList } from '#contract/order.ts';
import { followGoods, userInfo } from '#contract/user.ts';
import { BUYS } from '#contract/rules/parties.ts';

/** Rows of each list on the centre's start page (product.md 9). */
export const HOME_ROWS = 5;

type Call = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Data<E>>;

export interface HomeData {
  user: Data<typeof userInfo>;
  orders: Data<typeof queryOrderList> | null;
  follows: Data<typeof followGoods> | null;
}

/**
 * Loads the centre's start page (product.md 4): user, orders and follows together. When any of them fails, the user alone is requested once
 * more, with empty lists; null when that fails too, and the caller redirects to the log-in.
 */
export async function loadHome(call: Call): Promise<HomeData | null> {
  try {
    const [user, orders, follows] = await Promise.all([
      call(userInfo, {}),
      call(queryOrderList, { belong: BUYS, pageSize: HOME_ROWS }),
      call(followGoods, { pageSize: HOME_ROWS }),
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
