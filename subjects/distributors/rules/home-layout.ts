/**
 * The layouts of a site's home page, by their stored numbers (product.md 2). Separate constants, which the build replaces by their values: every
 * page of the storefront loads its layout.
 */
export const CLASSIC = 1;
export const SEARCH_FIRST = 2;
export const EXCHANGE = 3;
export const DIRECTORY = 4;
export const MAGAZINE = 5;
export const DASHBOARD = 6;
export const BOARD = 7;
export type HomeLayout =
  | typeof CLASSIC
  | typeof SEARCH_FIRST
  | typeof EXCHANGE
  | typeof DIRECTORY
  | typeof MAGAZINE
  | typeof DASHBOARD
  | typeof BOARD;
