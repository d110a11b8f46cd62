import * as c from '#contract/backstage-money.ts';
import type { Binding } from '#server/slices.ts';
import { check, listAudit, listTransfers, trialSheet } from './books.ts';
import { listHolds, releaseEarly } from './holds.ts';
import { approve, listWithdrawals, refuse } from './withdrawals.ts';

/** Money and records: withdrawals, holds, books, what staff did. */
export function bindMoney({ server }: Binding): void {
  server.serve(c.staffWithdrawList, listWithdrawals);
  server.serve(c.approveWithdraw, approve);
  server.serve(c.refuseWithdraw, refuse);
  server.serve(c.staffHoldList, listHolds);
  server.serve(c.releaseHoldEarly, releaseEarly);
  server.serve(c.trialBalanceSheet, trialSheet);
  server.serve(c.checkBooks, check);
  server.serve(c.transferList, listTransfers);
  server.serve(c.auditList, listAudit);
}
