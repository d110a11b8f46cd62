import { auditChain, auditList, verifyChain } from '#contract/backstage-money.ts';
import type { Binding } from '#server/binding.ts';
import { chainOf, listAudit, verifyNow } from './audit.ts';
import { AUDIT_NIGHTLY, planAudit, startAudit } from './audit-nightly.ts';

/** The audit log, its hash chain, and the timer of the nightly verification. */
export async function bindAudit({ ctx, server, effects }: Binding): Promise<void> {
  server.serve(auditList, listAudit);
  server.serve(auditChain, chainOf);
  server.serve(verifyChain, verifyNow);
  effects.every(AUDIT_NIGHTLY, async (ctx) => {
    // Runs beside the other timers, which do not wait for it.
    await startAudit(ctx);
  });
  await planAudit(ctx);
}
