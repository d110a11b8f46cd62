/** The back office for the rest of the server. */
export { openSetup } from './setup/token.ts';
export { holdTrialMark } from './system/trial-mark.ts';
