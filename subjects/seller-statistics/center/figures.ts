import type { Data } from '#contract/endpoint.ts';
import type { listingStatistics, shopStatistics } from '#subjects/seller-statistics/contract/seller-statistics.ts';

/** The shop by week. */
export type ShopFigures = Data<typeof shopStatistics>;
/** A page of the listings on sale. */
export type ListingsPage = Data<typeof listingStatistics>;
