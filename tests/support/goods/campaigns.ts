/** Coupon campaigns put straight into the table, for tests whose subject is what happens to their coupons. */
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

interface NewCampaign {
  code: string;
  kind?: 'goods' | 'service' | 'guarantee';
  amountFen?: number;
  minimumFen?: number;
  stock?: number;
  perPerson?: number;
  distId?: number;
  oddsBp?: number;
}

/** A campaign that runs now. */
export async function addCampaign(ctx: Context, campaign: NewCampaign): Promise<void> {
  const stock = campaign.stock ?? 100;
  await sql`insert into coupon_campaign (code, name, dist_id, kind, amount_fen, minimum_fen, stock, total, per_person, valid_days, starts_at, ends_at, odds_bp)
    values (${campaign.code}, ${`活动 ${campaign.code}`}, ${campaign.distId ?? null}, ${campaign.kind ?? 'goods'}, ${campaign.amountFen ?? 1_000},
      ${campaign.minimumFen ?? 0}, ${stock}, ${stock}, ${campaign.perPerson ?? 1}, 7, now() - interval '1 day', now() + interval '7 days', ${campaign.oddsBp ?? null})`.execute(
    ctx.db,
  );
}
