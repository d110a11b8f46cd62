import { coinRecycleList, saveCoinRecycle, sellCoin } from '#contract/recycling.ts';
import type { Binding } from '#server/slices.ts';
import { listRecycle, saveRecycle } from './offers.ts';
import { sellToRecycler } from './sell.ts';

/** Coin that recyclers buy: their standing offers, and selling to them. */
export function bindRecycling({ server }: Binding): void {
  server.serve(coinRecycleList, listRecycle);
  server.serve(saveCoinRecycle, saveRecycle);
  server.serve(sellCoin, sellToRecycler);
}
