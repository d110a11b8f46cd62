import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { isApiFailure } from './api-failure.ts';
import { call } from './api.ts';
import { forgetViewed, readViewed } from './viewed.ts';

const NOT_FOUND = 404;

/**
 * Takes what a visitor viewed into the signed-in user's history: a listing is in it once the user has asked for it. Each leaves this browser
 * when the server has answered for it, or says that it is no longer there; at any other failure the rest stays for the next time.
 */
export async function mergeViewed(reload: () => Promise<void>): Promise<void> {
  const viewed = readViewed();
  let merged = 0;
  // Oldest first, so that the order stays.
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
