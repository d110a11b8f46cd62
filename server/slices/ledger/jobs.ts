import type { Binding } from '#server/slices.ts';
import { NIGHTLY, planNightly, startNightly } from './nightly.ts';

/** The books' own time: every rule is checked each night. */
export async function bindLedger({ ctx, effects }: Binding): Promise<void> {
  effects.every(NIGHTLY, '', async (ctx) => {
    // Beside the other timers, which do not wait for it.
    await startNightly(ctx);
  });
  await planNightly(ctx);
}
