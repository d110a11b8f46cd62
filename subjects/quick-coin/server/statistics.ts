import { sql } from 'kysely';
import type { shopStatistics } from '#subjects/quick-coin/contract/shop-figures.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { figuresOfProvider } from '#subjects/orders/server/service.ts';
import { loadProvider } from '#subjects/providers/server/service.ts';

const QUICK_COIN = 53;

/** Counts that a user other than its owner viewed an offer of a shop, by day of China. */
export async function countView(db: Trx, providerId: number): Promise<void> {
  await sql`insert into coin_view_day (provider_id, day, views) values (${providerId}, (now() at time zone 'Asia/Shanghai')::date, 1)
    on conflict (provider_id, day) do update set views = coin_view_day.views + 1`.execute(db);
}

/** A shop's own figures. Throws PROVIDER_REQUIRED for others. */
export async function statisticsOfShop({ ctx, user }: UserCall): Promise<HandlerResult<typeof shopStatistics>> {
  const shop = await loadProvider(ctx.db, user.id, 'shop');
  if (!shop) throw new AppError('PROVIDER_REQUIRED');
  const { rows } = await sql<{ views: number }>`
    select coalesce(sum(views), 0)::int as views from coin_view_day
    where provider_id = ${shop.id} and day > (now() at time zone 'Asia/Shanghai')::date - 30`.execute(ctx.db);
  const figures = await figuresOfProvider(ctx.db, { userId: user.id, typeId: QUICK_COIN, side: 'seller' });
  return { views30: rows[0]?.views ?? 0, ...figures };
}
