/** The decisions on inspections that need two people, for the back office. */
export { onDue } from './close.ts';
export { type TaskRow } from './rows.ts';
export { type ClaimState } from './rules.ts';
export { FOR_STAFF } from './staff/task-list.ts';
