import {
  bargainRule,
  bargaining,
  bargainingList,
  buyCounterofferPriceHandle,
  lookBargaGoodsList,
  saveBargainRule,
  sellerAgreedBargain,
  sellerCounterofferPrice,
} from '#contract/goods-offers.ts';
import type { Binding } from '#server/slices.ts';
import { answerOffer, offer } from './bargain-acts.ts';
import { bindBargainJobs } from './bargain-jobs.ts';
import { floorOf, setFloor } from './bargain-limits.ts';
import { bargainsOn, ownBargains } from './bargain-lists.ts';

function bindBargains({ ctx, server }: Binding): void {
  server.serve(bargaining, offer);
  server.serve(
    sellerAgreedBargain,
    async (call, { bargainId, act }) => await answerOffer(call, 'seller', bargainId, { act }),
  );
  server.serve(
    sellerCounterofferPrice,
    async (call, { bargainId, price }) =>
      await answerOffer(call, 'seller', bargainId, { act: 'counter', counterFen: price }),
  );
  server.serve(
    buyCounterofferPriceHandle,
    async (call, { bargainId, act }) => await answerOffer(call, 'buyer', bargainId, { act }),
  );
  server.serve(bargainingList, ownBargains);
  server.serve(lookBargaGoodsList, bargainsOn);
  server.serve(bargainRule, async ({ user }) => ({ floorPercent: await floorOf(ctx, ctx.db, user.id) }));
  server.serve(saveBargainRule, async ({ user }, { floorPercent }) => ({
    floorPercent: await setFloor(ctx, user.id, floorPercent),
  }));
}

/** Offers on goods, from both sides: /api/goods/barg*. */
export function bindOffers(binding: Binding): void {
  bindBargains(binding);
  bindBargainJobs(binding.effects);
}
