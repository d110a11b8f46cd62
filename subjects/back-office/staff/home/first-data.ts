import {
  boardDisputes,
  boardFunnel,
  boardMoney,
  boardParts,
  boardTrade,
} from '#subjects/back-office/contract/board.ts';
import { reviewGoodsList } from '#subjects/goods/contract/staff-review.ts';
import { synonymList } from '#subjects/goods/contract/staff-synonyms.ts';
import { vendorList } from '#subjects/back-office/contract/vendors.ts';
import { serviceStats } from '#subjects/chat/contract/im-support.ts';
import { type LoadContext, optional } from '#web/lib/pages/context.ts';
import { type BoardScope, scopeOf } from './scope.ts';

/** The panels of the caller's role. */
export interface Sees {
  trade: boolean;
  disputes: boolean;
  money: boolean;
  staff: boolean;
  vendors: boolean;
  misses: boolean;
  review: boolean;
}

/** How long the page waits for a panel, in ms; a slower panel loads in the browser. */
const WAIT_MS = 400;

async function within<T>(part: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WAIT_MS);
  });
  try {
    return await Promise.race([optional(part), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Number of listings in the panel for staff who only review. */
export const REVIEWS_SHOWN = 8;

/**
 * The first responses of the panels, rendered with the page so that nothing moves after hydration. A response is null when the role does not see
 * the panel, and when the call failed or took too long; in that case the panel calls again in the browser. `scope` is the input of the calls.
 */
export async function firstData(request: LoadContext['call'], sees: Sees, search: URLSearchParams) {
  const scope: BoardScope = scopeOf(search);
  const where = async <T>(isSeen: boolean, part: () => Promise<T>): Promise<T | null> =>
    isSeen ? await within(part()) : null;
  const [trade, parts, funnel, disputes, money, staff, vendors, misses, review] = await Promise.all([
    where(sees.trade, () => request(boardTrade, scope)),
    where(sees.trade && !search.has('day'), () => request(boardParts, { ...scope, by: 'game' })),
    where(sees.trade, () => request(boardFunnel, scope)),
    where(sees.disputes, () => request(boardDisputes, { distId: scope.distId })),
    where(sees.money, () => request(boardMoney, {})),
    where(sees.staff, () => request(serviceStats, { days: 1 })),
    where(sees.vendors, () => request(vendorList, {})),
    where(sees.misses, () => request(synonymList, {})),
    where(sees.review, () => request(reviewGoodsList, { pageSize: REVIEWS_SHOWN })),
  ]);
  return { scope, trade, parts, funnel, disputes, money, staff, vendors, misses, review };
}
