import {
  coinRecycleList,
  getRecyclerInfo,
  recyclerApply,
  saveCoinRecycle,
  sellCoin,
  updateRecycler,
} from '#subjects/recycling/contract/recycling.ts';
import { recyclerStatistics } from '#subjects/recycling/contract/recycler-figures.ts';
import type { Binding } from '#server/binding.ts';
import { bindAccountRecycling } from './accounts/routes.ts';
import { listRecycle, saveRecycle } from './offers.ts';
import { applyRecycler, changeRecycler, recyclerInfo } from './recyclers.ts';
import { sellToRecycler } from './sell.ts';
import { statisticsOfRecycler } from './statistics.ts';
import { bindRecyclingStaff } from './staff/routes.ts';

/** Coin that recyclers buy: who may buy, their standing offers, and selling to them. */
export async function bindRecycling(binding: Binding): Promise<void> {
  const { server } = binding;
  bindRecyclingStaff(binding);
  server.serve(coinRecycleList, listRecycle);
  server.serve(saveCoinRecycle, saveRecycle);
  server.serve(sellCoin, sellToRecycler);
  server.serve(recyclerApply, applyRecycler);
  server.serve(getRecyclerInfo, recyclerInfo);
  server.serve(updateRecycler, changeRecycler);
  server.serve(recyclerStatistics, statisticsOfRecycler);
  await bindAccountRecycling(binding);
}
