export { disputeForStaff, disputesWhere, type DisputeRow, rulesInForce } from './queries.ts';
export { depositRoleOf, openerParty, statusName, wantName } from './rules.ts';
export { requestEvidence, closedToRuling, type RulingDraft, ruleCase, takeCase } from './ruling.ts';
export { caseOf, pendingFor } from './view.ts';
