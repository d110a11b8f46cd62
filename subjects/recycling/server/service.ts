/** The interface of recycling for higher subjects: the limits that staff set, and the purchases of the platform. */
export { changeDayLimit, loadDayLimits } from './recyclers.ts';
export { awaitingTakeOver, boughtByPlatform, hasRead, hasReadAccountOf } from './accounts/rows.ts';
