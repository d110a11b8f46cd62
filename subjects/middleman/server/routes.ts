import * as c from '#subjects/middleman/contract/middleman.ts';
import type { Binding } from '#server/binding.ts';
import { respondToDeal, dealInfo, expireDeal, feeSetting, listDeals, openDeal } from './service.ts';

/** Private deals of two people who already agreed. */
export function bindMiddleman({ ctx, server, effects }: Binding): void {
  server.serve(c.middlemanFee, () => Promise.resolve(feeSetting(ctx)));
  server.serve(c.openMiddleman, openDeal);
  server.serve(c.middlemanInfo, dealInfo);
  server.serve(c.respondMiddleman, respondToDeal);
  server.serve(c.middlemanList, listDeals);
  effects.timer('middleman.expire', async (_ctx, sn) => await expireDeal(ctx, sn));
}
