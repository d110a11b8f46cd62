import * as c from '#subjects/inspections/contract/inspection.ts';
import type { Binding } from '#server/binding.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { expireInspections } from '#subjects/goods/server/service.ts';
import { askAgain, askInspection, correctListing, sealInspection, withdrawInspection } from './request.ts';
import { onDue } from './close.ts';
import { loadInspections, listInspections } from './read.ts';
import { claimWrong } from './wrong.ts';
import { bindInspectionsStaff } from './staff/routes.ts';

const EVERY = { seconds: 3600 };

/** Removes the mark of expired inspections. */
async function expire(ctx: Context): Promise<void> {
  const { validDays } = ctx.dir.setting('inspection');
  while ((await inTransaction(ctx.db, (trx) => expireInspections(ctx, trx, validDays))) > 0);
}

/** Inspections: requests, re-inspections, claims on readings; those of staff are in `staff/routes.ts`. */
export function bindInspections(binding: Binding): void {
  const { server, effects } = binding;
  bindInspectionsStaff(binding);
  server.serve(c.inspectionOf, loadInspections);
  server.serve(c.inspectionAsk, askInspection);
  server.serve(c.inspectionSeal, sealInspection);
  server.serve(c.inspectionAgain, askAgain);
  server.serve(c.inspectionWithdraw, withdrawInspection);
  server.serve(c.inspectionCorrect, correctListing);
  server.serve(c.inspectionList, listInspections);
  server.serve(c.inspectionWrong, claimWrong);
  effects.timer('inspection.due', onDue);
  effects.every('inspection.expire', async (ctx) => {
    await expire(ctx);
    return EVERY;
  });
}
