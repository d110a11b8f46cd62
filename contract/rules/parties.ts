/**
 * `belong` of orders, offers and deals: the viewer's party in the trade (product.md 6, the same numbers as the chat's
 * `returnType`). Only the rating page's `belongIndex` is inverted (product.md 2).
 */
export const BUYS = 0;
export const SELLS = 1;
export type Belong = typeof BUYS | typeof SELLS;

/** The distributor of the platform's own site; every database has it. */
export const PLATFORM_DIST_ID = 1;
