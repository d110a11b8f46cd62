/** What higher slices may use of recycling: the limits that staff set. */
export { changeDayLimit, dayLimitsOf } from './recyclers.ts';
