/** Maximum hours of companion play per order. */
export const MOST_HOURS = 12;
/** Default maximum units of a package per order. */
export const MOST_UNITS = 99;
