export { giveUpCovers } from './covers.ts';
export { claimForStaff, decideClaim, type Decision } from './decide.ts';
export { type ClaimRow, claimWhere } from './queries.ts';
export { chaseDay, claimName, claimReasons } from './rules.ts';
export { claimCaseOf } from './view.ts';
