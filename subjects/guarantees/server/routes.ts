import { sql } from 'kysely';
import * as c from '#subjects/guarantees/contract/guarantee.ts';
import type { Context } from '#server/context.ts';
import type { Binding } from '#server/binding.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { orderIdsOf } from '#server/jobs/topics.ts';
import { addEvidence, openClaim, withdrawClaim } from './claims.ts';
import { startOverdueChase } from './clock.ts';
import { coverCancelled, coverCompleted, coveredAmong, coverPaid } from './covers.ts';
import { deadline } from './deadline.ts';
import { loadFund, refreshMonths, refreshRates } from './fund.ts';
import { checkCertificate, claimFor, coverFor, myCovers } from './reads.ts';
import { bindGuaranteesStaff } from './staff/routes.ts';

const DAY_SECONDS = 86_400;

/** Daily job: refreshes figures and rates, ends expired covers, and schedules itself again. */
async function daily(ctx: Context): Promise<void> {
  await sql`update guarantee_cover set status = 'ended' where status = 'active' and ends_at < now()`.execute(ctx.db);
  await refreshMonths(ctx.db);
  await refreshRates(ctx);
  await schedule(ctx.db, 'guarantee.daily', 'all', { seconds: DAY_SECONDS });
}

/** Calls, effects and timers of guarantees. */
export function bindGuarantees(binding: Binding): void {
  const { ctx, server, effects } = binding;
  bindGuaranteesStaff(binding);
  server.serve(c.coverList, myCovers);
  server.serve(c.coverDetail, coverFor);
  server.serve(c.openClaim, openClaim);
  server.serve(c.claimDetail, claimFor);
  server.serve(c.addClaimEvidence, addEvidence);
  server.serve(c.withdrawClaim, withdrawClaim);
  server.serve(c.certificateCheck, checkCertificate);
  server.serve(c.guaranteeFund, loadFund);
  effects.onMany('order.paid', (_ctx, events) => coverPaid(ctx.relaxed, orderIdsOf(events)));
  effects.onMany('order.completed', async (_ctx, events) => {
    for (const id of await coveredAmong(ctx.db, orderIdsOf(events))) await coverCompleted(ctx, id);
  });
  for (const topic of ['order.cancelled', 'order.ruled'] as const)
    effects.onMany(topic, (_ctx, events) => coverCancelled(ctx.db, orderIdsOf(events)));
  effects.timer('guarantee.look', (_ctx, ref) => startOverdueChase(ctx, ref));
  effects.timer('guarantee.pay', (_ctx, ref) => deadline(ctx, ref));
  effects.every('guarantee.daily', daily);
}
