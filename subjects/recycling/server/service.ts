/** The interface of recycling for higher subjects: the limits that staff set, and the purchases of the platform. */
export { changeDayLimit, loadDayLimits } from './recyclers.ts';
export { awaitingTakeOver, boughtByPlatform, hasRead } from './accounts/rows.ts';
