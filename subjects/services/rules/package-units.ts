/** Maximum hours of companion play per order. */
export const MAX_ORDER_HOURS = 12;
/** Default maximum units of a package per order. */
export const MAX_ORDER_UNITS = 99;
