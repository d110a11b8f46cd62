export { disputeForStaff, disputesWhere, type DisputeRow, reasonsFor, rulesInForce } from './queries.ts';
export { depositRoleOf, LATE_REASON, openerParty, statusName } from './rules.ts';
export { insertDispute, openCaseFor } from './open.ts';
export { requestEvidence, closedToRuling, requireRefundable, type RulingDraft, ruleCase, takeCase } from './ruling.ts';
export { addRuleVersion, revokeRuleVersion, ruleVersions, type RuleVersion } from './rule-versions.ts';
export { loadCase, pendingFor } from './view.ts';
export { listDisputes } from './staff/dispute-list.ts';
export { CLAIM_TODO, DISPUTE_TODO, CLAIM_OPEN, CLAIM_PENDING } from './staff/case-filters.ts';
