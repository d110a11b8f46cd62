import * as c from '#subjects/disputes/contract/dispute.ts';
import type { Binding } from '#server/binding.ts';
import { lateDue } from './late-orders.ts';
import { disputeEligibility, openDispute } from './open.ts';
import { disputeFor, myDisputes, publicRules, publicRulings } from './reads.ts';
import { responseOverdue, escalate, executeRuling } from './ruling.ts';
import { accept, addEvidence, respond, appeal, withdraw } from './party-actions.ts';
import { bindDisputesStaff } from './staff/routes.ts';

/** Disputes: calls of both parties, the public lists, and the timers. */
export function bindDisputes(binding: Binding): void {
  const { server, effects } = binding;
  bindDisputesStaff(binding);
  server.serve(c.disputeEntry, disputeEligibility);
  server.serve(c.openDispute, openDispute);
  server.serve(c.disputeList, myDisputes);
  server.serve(c.disputeDetail, disputeFor);
  server.serve(c.answerDispute, respond);
  server.serve(c.addDisputeEvidence, addEvidence);
  server.serve(c.withdrawDispute, withdraw);
  server.serve(c.acceptRuling, accept);
  server.serve(c.appealRuling, appeal);
  server.serve(c.rulingList, publicRulings);
  server.serve(c.ruleBook, publicRules);
  effects.timer('dispute.look', (ctx, ref) => escalate(ctx, ref, 'look'));
  effects.timer('dispute.rule', (ctx, ref) => escalate(ctx, ref, 'rule'));
  effects.timer('dispute.answer', (ctx, ref) => responseOverdue(ctx, ref));
  effects.timer('dispute.execute', (ctx, ref) => executeRuling(ctx, ref));
  effects.timer('order.late', (ctx, ref) => lateDue(ctx, ref));
}
