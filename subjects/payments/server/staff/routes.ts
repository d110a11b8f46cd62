import * as c from '#subjects/payments/contract/staff-money.ts';
import * as u from '#subjects/payments/contract/staff-topups.ts';
import * as t from '#subjects/payments/contract/staff-pending.ts';
import * as p from '#subjects/payments/contract/staff-payouts.ts';
import * as r from '#subjects/payments/contract/staff-reconcile.ts';
import type { Binding } from '#server/binding.ts';
import { bookList, describePayoutList, downloadList, enterList, exportList, listPayoutLists } from './payout-lists.ts';
import { closeOpenRefund, listPendingTransfers } from './pending-transfers.ts';
import { fetchOne, listDifferences, listStatements, recheckOne, resolve, upload } from './reconcile.ts';
import { listTopups, refundOne } from './topups.ts';
import { listTransfers } from './transfers.ts';
import { approve, listWithdrawals, reject } from './withdrawals.ts';

/** Withdrawals, transfers of the books, payout lists, top-ups, transfers in progress and reconciliation, for staff. */
export function bindPaymentsStaff({ server }: Binding): void {
  server.serve(c.staffWithdrawList, (call, input) => listWithdrawals(call, input));
  server.serve(c.approveWithdraw, approve);
  server.serve(c.rejectWithdraw, reject);
  server.serve(c.transferList, (call, input) => listTransfers(call, input));
  server.serve(p.payoutLists, listPayoutLists);
  server.serve(p.payoutListInfo, describePayoutList);
  server.serve(p.exportPayoutList, exportList);
  server.serve(p.payoutListFile, downloadList);
  server.serve(p.enterPayoutResults, enterList);
  server.serve(p.bookPayoutResults, bookList);
  server.serve(u.staffTopupList, (call, input) => listTopups(call, input));
  server.serve(u.refundTopup, refundOne);
  server.serve(t.pendingTransfers, listPendingTransfers);
  server.serve(t.closeRefund, closeOpenRefund);
  server.serve(r.statementList, listStatements);
  server.serve(r.uploadStatement, upload);
  server.serve(r.fetchStatement, fetchOne);
  server.serve(r.differenceList, listDifferences);
  server.serve(r.resolveDifference, resolve);
  server.serve(r.recheckDifference, recheckOne);
}
