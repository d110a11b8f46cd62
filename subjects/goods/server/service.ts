export { warnAway } from './selling/away.ts';
export { addListings } from './selling/stock.ts';
export { adoptReadings, expireInspections, type Inspected, storeInspection } from './selling/inspected.ts';
export { ordersOfAccount, takeDownListing, takeOffAccount } from './selling/barred.ts';
export { appendDescription } from './selling/edit.ts';
export { pageUrlOf, regionText } from './listing/cards.ts';
export { publishChangedGoods } from './search/changes.ts';
export { followersToNotifyOfReturn, followersToNotifyOfPrice, setFollowAlerts } from './following/follow-alerts.ts';
export { foldOnSale, recountOnSale } from './search/on-sale.ts';
export { boostingGoods } from './search/boosting.ts';
export { reindexGoods } from './search/reindex.ts';
export {
  approveGoods,
  type Decision,
  rejectGoods,
  type ReviewItem,
  listingForStaff,
  reviewItem,
  type ReviewQuery,
  reviewQueue,
} from './review/review.ts';
export { checkListingLimits, record as recordGoodsEvent } from './selling/release.ts';
export { saveServiceListing, type ServiceListing } from './selling/service-listing.ts';
export { type FeedListing, feedListings } from './listing/feed.ts';
export { type GoodsAddress, sitemapPart, sitemapParts } from './listing/sitemap.ts';
export {
  matchesWatch,
  matchingGoods,
  type WatchedGoods,
  type WatchFilter,
  watchedGoods,
  watchFilter,
} from './following/watch.ts';
export { type MissRow } from './correct/misses.ts';
export { type SynonymRow } from './correct/synonyms.ts';
export { changeListing, changeMany } from './selling/bulk.ts';
export { edit as editListing } from './selling/edit.ts';
export { ownGoods, ownGoodsList, upperConf as publishingForm } from './selling/own.ts';
export { newSellerLimits, release as publishListing, requireSeller } from './selling/release.ts';
export { bandOf, REFERENCE_COLUMNS, type ReferenceRow } from './prices/references.ts';
export { checkedOffer, sellableGame } from './selling/release-form.ts';
export { soldElsewhere } from './selling/sold-elsewhere.ts';
export { listGoods } from './staff/goods-list.ts';
