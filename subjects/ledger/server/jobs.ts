import type { Binding } from '#server/binding.ts';
import { proveBooks } from './proof.ts';
import { NIGHTLY, planNightly, startNightly } from './nightly.ts';

/** Schedules the nightly check of the books. */
export async function scheduleChecks({ ctx, effects }: Binding): Promise<void> {
  effects.every(NIGHTLY, async (ctx) => {
    // The check runs in the background, so that other timers are not delayed.
    await startNightly(ctx);
  });
  effects.every('ledger.prove', proveBooks);
  await planNightly(ctx);
}
