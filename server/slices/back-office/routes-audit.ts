import { deadLetterList, decideDeadLetter as decideDeadLetterCall } from '#contract/backstage-dead-letters.ts';
import { auditChain, auditList, verifyChain } from '#contract/backstage-money.ts';
import type { Binding } from '#server/binding.ts';
import { chainOf, listAudit, verifyNow } from './audit.ts';
import { decideDeadLetter, listDeadLetters } from './dead-letters.ts';
import { AUDIT_NIGHTLY, planAudit, startAudit } from './audit-nightly.ts';

/** The audit log, its hash chain, the timer of the nightly verification, and the jobs that were given up. */
export async function bindAudit({ ctx, server, effects }: Binding): Promise<void> {
  server.serve(auditList, listAudit);
  server.serve(auditChain, chainOf);
  server.serve(verifyChain, verifyNow);
  server.serve(deadLetterList, listDeadLetters);
  server.serve(decideDeadLetterCall, decideDeadLetter);
  effects.every(AUDIT_NIGHTLY, async (ctx) => {
    // Runs beside the other timers, which do not wait for it.
    await startAudit(ctx);
  });
  await planAudit(ctx);
}
