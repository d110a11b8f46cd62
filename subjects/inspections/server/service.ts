/** The decisions on inspections that need two people, for the back office. */
export { staffTaskView } from './staff-view.ts';
export { onDue } from './close.ts';
export { lockedTask, readingRows, type TaskRow, taskRows } from './rows.ts';
export { claimStates, type ClaimState } from './rules.ts';
export { readCredentials } from './credentials.ts';
export { pictureViews, readingView } from './view.ts';
export { closeIfGone, finishTask, heldTask, isOwnAffair, readFields, recordReadings, requeue } from './work.ts';
export { endClaim, lockedClaim } from './wrong.ts';
