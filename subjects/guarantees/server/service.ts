export { voidCovers } from './covers.ts';
export { citedRule, claimForStaff, decideClaim, type Decision } from './decide.ts';
export { type AccountClaim, claimsOnAccounts, type ClaimRow, claimWhere, limitOf } from './queries.ts';
export { chaseDay, claimName, OPEN_CLAIM } from './rules.ts';
export { loadClaimCase, clockOf } from './view.ts';
export { changeTier, revokeTier, tierVersions } from './tiers.ts';
export { claimDetails } from './staff/claim-details.ts';
