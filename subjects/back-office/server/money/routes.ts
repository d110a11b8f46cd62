import {
  releaseHolds,
  staffHoldList,
  releaseHoldEarly,
  trialBalanceSheet,
  checkBooks,
  bookCheckList,
} from '#subjects/ledger/contract/staff-ledger.ts';
import { freezeMoney } from '#subjects/back-office/contract/freeze.ts';
import * as c from '#subjects/payments/contract/staff-money.ts';
import type { Binding } from '#server/binding.ts';
import { check, listChecks, trialSheet } from './ledger.ts';
import { endFreeze } from '#subjects/ledger/server/service.ts';
import { freeze, listHolds, releaseEarly, releaseMany } from './holds.ts';
import { listTransfers } from './transfers.ts';

/** Money: withdrawals, holds, ledger. */
export function bindMoney({ server, effects }: Binding): void {
  server.serve(releaseHolds, releaseMany);
  server.serve(staffHoldList, (call, input) => listHolds(call, input));
  server.serve(releaseHoldEarly, releaseEarly);
  server.serve(trialBalanceSheet, trialSheet);
  server.serve(checkBooks, check);
  server.serve(bookCheckList, listChecks);
  server.serve(c.transferList, (call, input) => listTransfers(call, input));
  server.serve(freezeMoney, freeze);
  effects.timer('freeze.end', async (ctx, ref) => {
    await endFreeze(ctx.db, Number(ref));
  });
}
