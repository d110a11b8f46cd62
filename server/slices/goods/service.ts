export { warnAway } from './selling/away.ts';
export { addListings } from './selling/stock.ts';
export { adoptReadings, expireInspections, type Inspected, storeInspection } from './selling/inspected.ts';
export { ordersOfAccount, takeDownListing, takeOffAccount } from './selling/barred.ts';
export { appendDescription } from './selling/edit.ts';
export { pageUrlOf, regionText } from './listing/cards.ts';
export { publishChangedGoods } from './search/changes.ts';
export { followersToldBack, followersToldPrice, setFollowAlerts } from './following/follow-alerts.ts';
export { reindexGoods } from './search/reindex.ts';
export {
  approveGoods,
  type Decision,
  rejectGoods,
  type ReviewItem,
  reviewItem,
  type ReviewQuery,
  reviewQueue,
} from './review/review.ts';
export { checkListingLimits, record as recordGoodsEvent } from './selling/release.ts';
export { saveServiceListing, type ServiceListing } from './selling/service-listing.ts';
export { type GoodsAddress, sitemapPart, sitemapParts } from './listing/sitemap.ts';
export {
  matchesWatch,
  matchingGoods,
  type WatchedGoods,
  type WatchFilter,
  watchedGoods,
  watchFilter,
} from './following/watch.ts';
export { type MissRow, missRows, setMissAside } from './correct/misses.ts';
export {
  addSynonym,
  closeSynonym,
  MAX_SYNONYMS,
  type SynonymRow,
  synonymRows,
  updateSynonym,
} from './correct/synonyms.ts';
export { plainOf as plainKeyword } from './correct/corrector.ts';
