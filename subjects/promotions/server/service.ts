import { CampaignStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { UserCall } from '#server/access/call.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { type CouponRow, findCoupon, drawsToday, type OpenCampaign, openCampaigns } from './queries.ts';
import { type Prize, prizeAt } from './rules.ts';

export { listSettlements } from './staff/commission.ts';
export { addCampaign, openCampaign, stopCampaign } from './campaigns.ts';
export { type CouponRow, couponBarred, usableCoupon, usableCoupons } from './queries.ts';
export {
  couponDiscount,
  type CouponKind,
  type CouponTerms,
  couponKindNames,
  liveOdds,
  nothingOdds,
} from './rules.ts';

/** The prizes of a site's lottery in the order of their ranges. */
export async function lotteryPrizes(
  db: Trx,
  distId: number,
  userId: number | null = null,
): Promise<(OpenCampaign & Prize)[]> {
  const running = await openCampaigns(db, { distId, userId, lottery: true });
  return running.map((k) => ({ ...k, oddsBp: k.oddsBp ?? 0, stock: k.left }));
}

const CAMPAIGNS_MS = 1_000;
const MAX_SITES = 500;
const campaigns = cacheKind(
  'promotions.campaigns',
  ({ config }: Context) =>
    new TtlCache<OpenCampaign[]>({ ttlMs: Math.min(CAMPAIGNS_MS, config.publicCacheTtlMs), max: MAX_SITES }),
);

/** Running campaigns of a site with the user's state; for visitors (null) they may be a second old. */
export async function campaignsFor(ctx: Context, distId: number, userId: number | null): Promise<OpenCampaign[]> {
  const read = async () => await openCampaigns(ctx.db, { distId, userId, lottery: false });
  if (userId !== null) return await read();
  return await cacheOf(ctx, campaigns).get(String(distId), read);
}

const ROLL_RANGE = 10_000;

/** Locks the user's row, so that counts of coupons and draws stay within their limits. */
async function lockPerson(trx: Trx, userId: number): Promise<void> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(trx);
}

/**
 * A person's next coupon of a campaign, counting closed accounts of the same person; null when the limit is reached. The caller must reduce
 * the stock.
 */
async function insertCoupon(trx: Trx, userId: number, campaign: OpenCampaign): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into coupon (campaign_id, user_id, serial, expires_at)
    select ${campaign.id}, ${userId}, n + 1, now() + make_interval(days => ${campaign.validDays})
    from (select count(*)::int as n from coupon where campaign_id = ${campaign.id} and user_id in (select accounts_of_person(${userId}))) s where n < ${campaign.perPerson}
    on conflict do nothing returning id`.execute(trx);
  return rows[0]?.id ?? null;
}

/** Takes one coupon from the stock; returns false when none is left or the campaign has ended. */
async function takeStock(trx: Trx, campaignId: number): Promise<boolean> {
  const { rows } = await sql`
    update coupon_campaign set stock = stock - 1 where id = ${campaignId} and stock > 0 and status = ${sql.lit(CampaignStatus.Running)} and ends_at > now() returning id`.execute(
    trx,
  );
  return rows.length > 0;
}

async function loadCoupon(call: UserCall, couponId: number): Promise<CouponRow> {
  const coupon = await findCoupon(call.ctx.db, call.user.id, couponId);
  if (!coupon) throw new Error('the coupon does not exist');
  return coupon;
}

/**
 * Takes the coupon of a campaign. Concurrent claims never exceed the stock or the limit per person. Throws REAL_NAME_*, COUPON_GONE,
 * COUPON_TAKEN, IDEMPOTENCY_MISMATCH.
 */
export async function receiveCoupon(call: UserCall, code: string): Promise<CouponRow> {
  const { ctx, user, dist } = call;
  // With one account for each verified person, 'once per person' means a person and not a phone number.
  await requireAdult(ctx.db, user.id);
  const { id } = await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      await lockPerson(trx, user.id);
      const [campaign] = await openCampaigns(trx, { distId: dist.id, userId: user.id, lottery: false, code });
      if (!campaign) throw new AppError('COUPON_GONE');
      const couponId = await insertCoupon(trx, user.id, campaign);
      if (couponId === null) throw new AppError('COUPON_TAKEN');
      if (!(await takeStock(trx, campaign.id))) throw new AppError('COUPON_GONE');
      return { id: couponId };
    }),
  );
  return await loadCoupon(call, id);
}

export interface Draw {
  coupon: CouponRow | null;
  /** Index among the prizes of lotteryInfo; the index after the last prize means 'nothing'. */
  prizeIndex: number;
  drawsLeft: number;
}

/**
 * Draws once from the published odds. The random number is generated here and stored with its outcome. Throws REAL_NAME_*, LOTTERY_CLOSED,
 * LOTTERY_NO_DRAWS.
 */
export async function drawLottery(call: UserCall): Promise<Draw> {
  const { ctx, user, dist } = call;
  const setting = ctx.dir.setting('lottery');
  const stored = await orEarlier(ctx.db, call.idem, async () => {
    if (!setting.open) throw new AppError('LOTTERY_CLOSED');
    await requireAdult(ctx.db, user.id);
    return await inTransaction(ctx.db, (trx) =>
      idempotent(trx, call.idem, async () => {
        await lockPerson(trx, user.id);
        const drawn = await drawsToday(trx, user.id);
        if (drawn >= setting.drawsPerDay) throw new AppError('LOTTERY_NO_DRAWS');
        const prizes = await lotteryPrizes(trx, dist.id, user.id);
        if (prizes.length === 0) throw new AppError('LOTTERY_CLOSED');
        const roll = ctx.roll(ROLL_RANGE);
        const won = prizeAt(prizes, roll);
        const couponId = won ? await givePrize(trx, user.id, won) : null;
        await sql`insert into lottery_draw (user_id, campaign_id, roll) values (${user.id}, ${couponId === null ? null : (won?.id ?? null)}, ${roll})`.execute(
          trx,
        );
        const index = won && couponId !== null ? prizes.indexOf(won) : prizes.length;
        return { couponId, prizeIndex: index, drawsLeft: setting.drawsPerDay - drawn - 1 };
      }),
    );
  });
  const { couponId, prizeIndex, drawsLeft } = stored;
  return { coupon: couponId === null ? null : await loadCoupon(call, couponId), prizeIndex, drawsLeft };
}

/** The prize's coupon; null when the last one was just taken by another user, or the user has reached the limit. */
async function givePrize(trx: Trx, userId: number, campaign: OpenCampaign): Promise<number | null> {
  if (!(await takeStock(trx, campaign.id))) return null;
  const couponId = await insertCoupon(trx, userId, campaign);
  if (couponId === null) await sql`update coupon_campaign set stock = stock + 1 where id = ${campaign.id}`.execute(trx);
  return couponId;
}
