import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { isApiFailure } from '../api/api-failure.ts';
import { call } from '../api/api.ts';
import { forgetViewed, readViewed } from './viewed.ts';

const NOT_FOUND = 404;

/**
 * Moves a visitor's viewed listings into the signed-in user's history: requesting a listing adds it. Each is removed from this browser
 * when the server has responded to it or reports that it no longer exists; after any other failure the rest stays for the next time.
 */
export async function mergeViewed(reload: () => Promise<void>): Promise<void> {
  const viewed = readViewed();
  let merged = 0;
  // Oldest first, to preserve the order.
  for (const { goodsSn } of viewed.toReversed()) {
    const isDone = await call(goodsInfo, { goodsSn }, { quiet: true }).then(
      () => true,
      (failure: unknown) => isApiFailure(failure) && failure.status === NOT_FOUND,
    );
    if (!isDone) break;
    forgetViewed(goodsSn);
    merged += 1;
  }
  if (merged > 0) await reload();
}
