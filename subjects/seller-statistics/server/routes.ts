import * as c from '#subjects/seller-statistics/contract/seller-statistics.ts';
import type { Binding } from '#server/binding.ts';
import { listings, shop } from './statistics.ts';

/** Sellers' statistics about their own shop. */
export function bindSellerStatistics({ server }: Binding): void {
  server.serve(c.shopStatistics, shop);
  server.serve(c.listingStatistics, listings);
}
