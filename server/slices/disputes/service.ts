export { disputeForStaff, disputesWhere, type DisputeRow, rulesInForce } from './queries.ts';
export { depositRoleOf, openerSide, statusName, wantName } from './rules.ts';
export { askMore, closedToRuling, type RulingDraft, ruleCase, takeCase } from './ruling.ts';
export { caseOf, waitsFor } from './view.ts';
