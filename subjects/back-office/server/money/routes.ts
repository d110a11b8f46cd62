import * as c from '#subjects/payments/contract/staff-money.ts';
import * as r from '#subjects/payments/contract/staff-reconcile.ts';
import type { Binding } from '#server/binding.ts';
import { check, listChecks, trialSheet } from './ledger.ts';
import { endFreeze } from '#subjects/ledger/server/service.ts';
import { freeze, listHolds, releaseEarly, releaseMany } from './holds.ts';
import { listTransfers } from './transfers.ts';

/** Money: withdrawals, holds, ledger. */
export function bindMoney({ server, effects }: Binding): void {
  server.serve(c.releaseHolds, releaseMany);
  server.serve(c.staffHoldList, (call, input) => listHolds(call, input));
  server.serve(c.releaseHoldEarly, releaseEarly);
  server.serve(c.trialBalanceSheet, trialSheet);
  server.serve(c.checkBooks, check);
  server.serve(c.bookCheckList, listChecks);
  server.serve(c.transferList, (call, input) => listTransfers(call, input));
  server.serve(r.freezeMoney, freeze);
  effects.timer('freeze.end', async (ctx, ref) => {
    await endFreeze(ctx.db, Number(ref));
  });
}
