import type { Binding } from '#server/binding.ts';
import { Misses } from './correct/misses.ts';
import { bindAway } from './selling/away.ts';
import { registerCovers } from './cover/routes.ts';
import { bindGoodsJobs } from './jobs.ts';
import { registerShareCards } from './listing/og.ts';
import { bindGoodsOffer } from './selling/routes.ts';
import { bindGoodsRead } from './routes-read.ts';
import { Views } from './listing/views.ts';
import { bindGoodsStaff } from './staff/routes.ts';

/** Calls and jobs of listings: /api/goods/*. */
export function bindGoods(binding: Binding): void {
  bindGoodsStaff(binding);
  const views = new Views(binding.ctx);
  const misses = new Misses(binding.ctx);
  binding.http.addHook('onClose', async () => {
    await Promise.all([views.flush(), misses.flush()]);
  });
  bindGoodsRead(binding, { views, misses });
  bindGoodsOffer(binding);
  registerCovers(binding);
  registerShareCards(binding);
  bindGoodsJobs(binding);
  bindAway(binding);
}
