export { voidCovers } from './covers.ts';
export { citedRule, claimForStaff, decideClaim, type Decision } from './decide.ts';
export { type AccountClaim, claimsOnAccounts, type ClaimRow, claimWhere, limitOf } from './queries.ts';
export { addReceipt, proofsOf, receiptsOf, strikeReceipt, takesReceipts } from './receipts.ts';
export { chaseDay, claimName, escalations, OPEN_CLAIM } from './rules.ts';
export { claimCaseOf, clockOf, pictureList } from './view.ts';
export { changeTier, revokeTier, tierVersions } from './tiers.ts';
