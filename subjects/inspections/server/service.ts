/** What the back office decides on inspections by two persons. */
export { staffTaskView } from './staff-view.ts';
export { onDue } from './close.ts';
export { lockedTask, readingRows, type TaskRow, taskRows } from './rows.ts';
export { claimStates, type ClaimState } from './rules.ts';
export { readCredentials } from './credentials.ts';
export { pictureViews, readingView } from './view.ts';
export { closeIfGone, finishTask, heldTask, isOwnAffair, readFields, recordReadings, requeue } from './work.ts';
export { endClaim, lockedClaim } from './wrong.ts';
