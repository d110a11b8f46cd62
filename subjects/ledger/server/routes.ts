import type { Binding } from '#server/binding.ts';
import { scheduleChecks } from './jobs.ts';
import { bindLedgerStaff } from './staff/routes.ts';

/** The books: their nightly check, and what staff read of them. */
export async function bindLedger(binding: Binding): Promise<void> {
  bindLedgerStaff(binding);
  await scheduleChecks(binding);
}
