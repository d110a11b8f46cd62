/** Most hours of companion play in an order. */
export const MOST_HOURS = 12;
/** Most units of a package in an order, where its provider names no number. */
export const MOST_UNITS = 99;
