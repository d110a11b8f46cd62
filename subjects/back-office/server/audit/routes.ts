import {
  deadLetterList,
  decideDeadLetter as decideDeadLetterCall,
} from '#subjects/back-office/contract/dead-letters.ts';
import * as q from '#subjects/back-office/contract/quarantine.ts';
import { auditChain, auditList, verifyChain } from '#subjects/back-office/contract/audit.ts';
import type { Binding } from '#server/binding.ts';
import { loadChain, listAudit, verifyNow } from './audit.ts';
import { decideDeadLetter, listDeadLetters } from '../system/dead-letters.ts';
import { bindRetentionPage } from '../system/retention.ts';
import { bindVendors } from '../system/vendors.ts';
import { quarantineBanner, quarantineState, releaseQuarantine } from '../system/quarantine.ts';
import { AUDIT_NIGHTLY, planAudit, startAudit } from './audit-nightly.ts';

/**
 * The audit log, its hash chain, the timer of the nightly verification, the failed jobs, and the quarantine after a
 * restore.
 */
export async function bindAudit({ ctx, server, effects }: Binding): Promise<void> {
  server.serve(auditList, (call, input) => listAudit(call, input));
  server.serve(auditChain, loadChain);
  server.serve(verifyChain, verifyNow);
  server.serve(deadLetterList, listDeadLetters);
  bindVendors({ ctx, server });
  bindRetentionPage({ server, effects });
  server.serve(decideDeadLetterCall, decideDeadLetter);
  server.serve(q.quarantineBanner, quarantineBanner);
  server.serve(q.quarantineState, quarantineState);
  server.serve(q.releaseQuarantine, releaseQuarantine);
  effects.every(AUDIT_NIGHTLY, async (ctx) => {
    // Runs concurrently with the other timers, which do not wait for it.
    await startAudit(ctx);
  });
  await planAudit(ctx);
}
