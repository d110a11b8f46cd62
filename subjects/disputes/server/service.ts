export { disputeForStaff, disputesWhere, type DisputeRow, reasonsFor, rulesInForce } from './queries.ts';
export { depositRoleOf, LATE_REASON, openerParty, statusName, wantName } from './rules.ts';
export { insertDispute, openCaseFor } from './open.ts';
export { requestEvidence, closedToRuling, requireRefundable, type RulingDraft, ruleCase, takeCase } from './ruling.ts';
export { allReasons, reasonVersions, saveReason } from './reasons.ts';
export { addRuleVersion, revokeRuleVersion, ruleVersions, type RuleVersion } from './rule-versions.ts';
export { caseOf, pendingFor } from './view.ts';
