import { sql } from 'kysely';
import type { recyclerStatistics } from '#subjects/recycling/contract/recycler-figures.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { figuresOfProvider } from '#subjects/orders/server/service.ts';
import { loadProvider } from '#subjects/providers/server/service.ts';

const RECYCLING = 52;

/** A recycler's own figures: bids on accounts, and what was bought, coin included. Throws PROVIDER_REQUIRED for others. */
export async function statisticsOfRecycler({ ctx, user }: UserCall): Promise<HandlerResult<typeof recyclerStatistics>> {
  if (!(await loadProvider(ctx.db, user.id, 'recycler'))) throw new AppError('PROVIDER_REQUIRED');
  const { rows } = await sql<{ bids: number; won: number }>`
    select count(*)::int as bids, count(*) filter (where status = 'paid')::int as won from recycle_quote
    where recycler_id = ${user.id} and created_at > now() - interval '30 days'`.execute(ctx.db);
  const figures = await figuresOfProvider(ctx.db, { userId: user.id, typeId: RECYCLING, side: 'buyer' });
  return { bids30: rows[0]?.bids ?? 0, won30: rows[0]?.won ?? 0, ...figures };
}
