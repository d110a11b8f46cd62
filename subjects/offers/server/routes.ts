import { followAlerts, saveSearchAlert, searchAlertList, updateSearchAlert } from '#subjects/offers/contract/alerts.ts';
import {
  bargaining,
  bargainingList,
  bargainRule,
  buyCounterofferPriceHandle,
  findSelfWantGoodsList,
  getWantGoodsList,
  lookBargaGoodsList,
  releaseWantGoods,
  saveBargainRule,
  sellerAgreedBargain,
  sellerCounterofferPrice,
  updateWantGoodsStatus,
} from '#subjects/offers/contract/offers.ts';
import type { Binding } from '#server/binding.ts';
import { bindAlertJobs } from './alert-matching.ts';
import { changeAlert, ownAlerts, saveAlert, setFollowAlerts } from './alerts.ts';
import { applyBargainAction, offer } from './bargain-actions.ts';
import { bindBargainJobs } from './bargain-jobs.ts';
import { loadFloor, setFloor } from './bargain-limits.ts';
import { bargainsOn, ownBargains } from './bargain-lists.ts';
import { bindMatching } from './matching.ts';
import { ownWants, publicWants } from './want-lists.ts';
import { releaseWant, setWantStatus } from './wants.ts';

function bindBargains({ ctx, server }: Binding): void {
  server.serve(bargaining, offer);
  server.serve(
    sellerAgreedBargain,
    async (call, { bargainId, act: action }) => await applyBargainAction(call, 'seller', bargainId, { action }),
  );
  server.serve(
    sellerCounterofferPrice,
    async (call, { bargainId, price }) =>
      await applyBargainAction(call, 'seller', bargainId, { action: 'counter', counterFen: price }),
  );
  server.serve(
    buyCounterofferPriceHandle,
    async (call, { bargainId, act: action }) => await applyBargainAction(call, 'buyer', bargainId, { action }),
  );
  server.serve(bargainingList, ownBargains);
  server.serve(lookBargaGoodsList, bargainsOn);
  server.serve(bargainRule, async ({ user }) => ({ floorPercent: await loadFloor(ctx, ctx.db, user.id) }));
  server.serve(saveBargainRule, async ({ user }, { floorPercent }) => ({
    floorPercent: await setFloor(ctx, user.id, floorPercent),
  }));
}

function bindWants({ server }: Binding): void {
  server.serve(releaseWantGoods, releaseWant);
  server.serve(updateWantGoodsStatus, setWantStatus);
  server.serve(findSelfWantGoodsList, ownWants);
  server.serve(getWantGoodsList, publicWants);
}

function bindAlerts({ server }: Binding): void {
  server.serve(saveSearchAlert, saveAlert);
  server.serve(searchAlertList, ownAlerts);
  server.serve(updateSearchAlert, async (call, input) => {
    await changeAlert(call, input);
    return {};
  });
  server.serve(followAlerts, setFollowAlerts);
}

/** Calls and effects of bargains, wants and alerts. */
export function bindOffers(binding: Binding): void {
  bindBargains(binding);
  bindWants(binding);
  bindAlerts(binding);
  bindBargainJobs(binding.effects);
  bindMatching(binding.effects);
  bindAlertJobs(binding.effects);
}
