export { warnAway } from './away.ts';
export { ordersOfAccount, takeOffAccount } from './barred.ts';
export { pageUrlOf, regionText } from './cards.ts';
export { publishChangedGoods } from './changes.ts';
export { followersToldBack, followersToldPrice, setFollowAlerts } from './follow-alerts.ts';
export { reindexGoods } from './reindex.ts';
export {
  approveGoods,
  type Decision,
  rejectGoods,
  type ReviewItem,
  reviewItem,
  type ReviewQuery,
  reviewQueue,
} from './review.ts';
export { checkListingLimits, record as recordGoodsEvent } from './release.ts';
export { type GoodsAddress, sitemapPart, sitemapParts } from './sitemap.ts';
export {
  matchesWatch,
  matchingGoods,
  type WatchedGoods,
  type WatchFilter,
  watchedGoods,
  watchFilter,
} from './watch.ts';
