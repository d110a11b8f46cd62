import {
  getDraft,
  getGoodsUpperConf,
  onlySetupGoodsPrice,
  pushOrPullGoods,
  releaseGoods,
  saveDraft,
  selfGoods,
  selfPublishGoodsList,
  updatetGoods,
  userUpdateGoodsTime,
} from '#subjects/goods/contract/goods.ts';
import { bulkGoods, editGoodsList } from '#subjects/goods/contract/goods-bulk.ts';
import { offerMoney } from '../../rules/listing-states.ts';
import type { Binding } from '#server/binding.ts';
import { applyToMany, changeMany } from './bulk.ts';
import { loadDraft, storeDraft } from './drafts.ts';
import { changePrice, edit, changeSaleState, refresh } from './edit.ts';
import { ownGoods, ownGoodsList, upperConf } from './own.ts';
import { release } from './release.ts';

/** Calls of sellers: publishing, editing, prices, on and off sale. */
export function bindGoodsOffer({ ctx, server }: Binding): void {
  server.serve(getGoodsUpperConf, upperConf);
  server.serve(releaseGoods, async (call, input) => await release(call, input));
  server.serve(updatetGoods, edit);
  server.serve(selfPublishGoodsList, ownGoodsList);
  server.serve(selfGoods, async (call, { goodsSn }) => await ownGoods(call, goodsSn));
  server.serve(
    pushOrPullGoods,
    async (call, { goodsSn, act: action, passwordChanged }) =>
      await changeSaleState(call, goodsSn, action, { passwordChanged }),
  );
  server.serve(onlySetupGoodsPrice, async (call, { goodsSn, price }) => {
    const { priceFen } = await changePrice(call, goodsSn, () => price);
    return { goodsSn, price: priceFen, net: offerMoney(priceFen, ctx.dir.setting('fees')).netFen };
  });
  server.serve(userUpdateGoodsTime, async (call, { goodsSn }) => await refresh(call, goodsSn));
  server.serve(bulkGoods, applyToMany);
  server.serve(editGoodsList, async (call, { list }) => await changeMany(call, list));
  server.serve(saveDraft, async (call, { draftKey, body }) => {
    await storeDraft(call, draftKey, body);
    return {};
  });
  server.serve(getDraft, async (call, { draftKey }) => await loadDraft(call, draftKey));
}
