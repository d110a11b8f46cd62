/**
 * `belong` of orders, offers and deals: which side of the trade the viewer is on (product.md 6, the same numbers as the chat's
 * `returnType`). The rating page's `belongIndex` alone counts the other way (product.md 2).
 */
export const BUYS = 0;
export const SELLS = 1;
export type Belong = typeof BUYS | typeof SELLS;
