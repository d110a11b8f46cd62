import { releaseHolds, staffHoldList, releaseHoldEarly } from '#subjects/ledger/contract/staff-ledger.ts';
import { freezeMoney } from '#subjects/back-office/contract/freeze.ts';
import type { Binding } from '#server/binding.ts';
import { endFreeze } from '#subjects/ledger/server/service.ts';
import { freeze, listHolds, releaseEarly, releaseMany } from './holds.ts';

/** Holds of money, and amounts that staff freeze. */
export function bindMoney({ server, effects }: Binding): void {
  server.serve(releaseHolds, releaseMany);
  server.serve(staffHoldList, (call, input) => listHolds(call, input));
  server.serve(releaseHoldEarly, releaseEarly);
  server.serve(freezeMoney, freeze);
  effects.timer('freeze.end', async (ctx, ref) => {
    await endFreeze(ctx.db, Number(ref));
  });
}
