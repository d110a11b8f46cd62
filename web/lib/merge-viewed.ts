import { goodsInfo } from '#contract/goods.ts';
import { call } from './api.ts';
import { clearViewed, readViewed } from './viewed.ts';

/** Takes what a visitor viewed into the signed-in user's history: a listing is in it once the user has asked for it. */
export async function mergeViewed(reload: () => Promise<void>): Promise<void> {
  const viewed = readViewed();
  if (viewed.length === 0) return;
  clearViewed();
  // Oldest first, so that the order stays; what is no longer there is left out.
  for (const { goodsSn } of viewed.toReversed()) await call(goodsInfo, { goodsSn }, { quiet: true }).catch(() => null);
  await reload();
}
