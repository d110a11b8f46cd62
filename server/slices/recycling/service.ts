/** What higher slices may use of recycling: the limits that staff set, and what the platform itself buys. */
export { changeDayLimit, dayLimitsOf } from './recyclers.ts';
export { requestFor } from './accounts/inspect.ts';
export { boughtByPlatform, hasRead, isPlatforms } from './accounts/rows.ts';
