import { bookCheckList, checkBooks, trialBalanceSheet } from '#subjects/ledger/contract/staff-ledger.ts';
import type { Binding } from '#server/binding.ts';
import { check, listChecks, trialSheet } from './books.ts';

/** The trial balance and the checks of the books. */
export function bindLedgerStaff({ server }: Binding): void {
  server.serve(trialBalanceSheet, trialSheet);
  server.serve(checkBooks, check);
  server.serve(bookCheckList, listChecks);
}
