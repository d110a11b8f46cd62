import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { emitted, schedule } from '#server/jobs/effect-writer.ts';

/**
 * Sends each owner one notice about the coupons that expire within the next day. Runs at 10:00 in China; coupons with less than an hour
 * left were reported the day before.
 */
export async function notifyExpiring(ctx: Context): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await emitted(
      'notice',
      {
        kind: 'activity.coupon',
        userId: sql`c.user_id`,
        ref: sql`'expiring:' || to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`,
        values: sql`jsonb_build_object('count', count(*), 'deadline', to_char(min(c.expires_at) at time zone 'Asia/Shanghai', 'MM-DD HH24:MI'),
          'amount', to_char(max(k.amount_fen) / 100.0, 'FM999,999,990.00'))`,
      },
      sql`from coupon c join coupon_campaign k on k.id = c.campaign_id
      where c.order_id is null and c.expires_at > now() + interval '1 hour' and c.expires_at <= now() + interval '25 hours' group by c.user_id`,
    ).execute(trx);
    const next = sql<Date>`(date_trunc('day', now() at time zone 'Asia/Shanghai') + interval '1 day 10 hours') at time zone 'Asia/Shanghai'`;
    await schedule(trx, 'coupon.expiring', 'all', next);
  });
}
