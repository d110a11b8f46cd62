import { CampaignStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/promotions/contract/staff-campaigns.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { siteFor, siteName, sitesOf } from '#subjects/content/server/service.ts';
import {
  addCampaign,
  type CouponKind,
  couponKindNames,
  liveOdds,
  lotteryPrizes,
  nothingOdds,
  openCampaign,
  stopCampaign,
} from '#subjects/promotions/server/service.ts';
import { audit } from '#server/audit/audit.ts';
import { loadCount, pageOf } from '#server/staff/paging.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';

const PHASE_NAMES: Readonly<Record<c.CampaignPhase, string>> = {
  pending: '待复核',
  ahead: '未开始',
  running: '进行中',
  over: '已结束',
  stopped: '已停止',
};

/** The state of a campaign together with its period; an open campaign may not have started yet or may be over. */
function phaseOf({ status, over, ahead }: Row): c.CampaignPhase {
  if (status === CampaignStatus.Pending) return 'pending';
  if (status === CampaignStatus.Stopped) return 'stopped';
  return over ? 'over' : ahead ? 'ahead' : 'running';
}

const FULL_BP = 10_000;
/** Tolerance for a browser clock that is behind. */
const SLACK_MS = 60_000;

interface Row {
  id: number;
  code: string;
  name: string;
  kind: CouponKind;
  amount_fen: number;
  minimum_fen: number;
  stock: number;
  total: number;
  per_person: number;
  valid_days: number;
  odds_bp: number | null;
  status: number;
  created_by: number | null;
  creator: string | null;
  stop_reason: string | null;
  starts_at: Date;
  ends_at: Date;
  dist_id: number | null;
  created_at: Date;
  note: string;
  opened_by: number | null;
  stopped_by: number | null;
  stopped_at: Date | null;
  over: boolean;
  ahead: boolean;
  used: number;
  spent: number;
}

const limitFen = (call: StaffCall): number => call.ctx.dir.setting('coupon').secondPersonFen;

/** Campaigns, newest first, with their budget and cost. Throws FORBIDDEN. */
export async function listCampaigns(
  call: StaffCall,
  input: Parsed<typeof c.staffCampaignList>,
): Promise<HandlerResult<typeof c.staffCampaignList>> {
  requirePlatform(call.staff, 'coupon.read');
  const { db } = call.ctx;
  const filter = input.status === undefined ? sql`true` : sql`k.status = ${input.status}`;
  const page = pageOf(input, sql`k.id`);
  const { rows } = await sql<Row>`
    select k.*, s.name as creator, k.ends_at <= now() as over, k.starts_at > now() as ahead, u.used, u.spent
    from coupon_campaign k left join staff s on s.id = k.created_by
      cross join lateral (select count(*) as used, coalesce(sum(o.discount_fen), 0)::bigint as spent from coupon c join orders o on o.id = c.order_id
        where c.campaign_id = k.id) u
    where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const result = page.cut(rows);
  return {
    list: result.rows.map((k) => ({
      campaignId: k.id,
      code: k.code,
      name: k.name,
      kindName: couponKindNames[k.kind],
      amount: k.amount_fen,
      minimum: k.minimum_fen,
      total: k.total,
      left: k.stock,
      used: k.used,
      budget: k.total * k.amount_fen,
      spent: k.spent,
      perPerson: k.per_person,
      validDays: k.valid_days,
      oddsPercent: k.odds_bp === null ? null : k.odds_bp / 100,
      status: k.status,
      phase: phaseOf(k),
      statusName: PHASE_NAMES[phaseOf(k)],
      createdBy: k.creator,
      isMine: k.created_by === call.staff.id,
      stopReason: k.stop_reason,
      distName: k.dist_id === null ? '' : siteName(call.ctx, k.dist_id),
      startTime: k.starts_at,
      endTime: k.ends_at,
    })),
    secondPerson: limitFen(call),
    sites: sitesOf(call.ctx, call.staff),
    ...(await loadCount(db, sql`coupon_campaign k where ${filter}`)),
    next: result.next,
  };
}

/**
 * Rejects a prize that would raise the total probability of a site's lottery above 100 % at any time. A prize for all
 * sites counts on each site. Throws BAD_INPUT.
 */
async function checkOdds(
  trx: Trx,
  prize: { oddsBp: number; distId: number | null; starts: Date; runDays: number },
): Promise<void> {
  const { rows } = await sql<{ everywhere: number; most: number }>`
    with beside as (
      select k.dist_id, k.odds_bp from coupon_campaign k where k.odds_bp is not null and k.status < ${sql.lit(CampaignStatus.Stopped)}
        and k.ends_at > greatest(${prize.starts}::timestamptz, now()) and k.starts_at < ${prize.starts}::timestamptz + make_interval(days => ${prize.runDays}))
    select coalesce(sum(odds_bp) filter (where dist_id is null), 0)::int as everywhere,
      coalesce((select max(own.bp) from (select sum(b.odds_bp)::int as bp from beside b where b.dist_id is not null
        and (${prize.distId}::int is null or b.dist_id = ${prize.distId}) group by b.dist_id) own), 0) as most
    from beside`.execute(trx);
  const left = FULL_BP - (rows[0]?.everywhere ?? 0) - (rows[0]?.most ?? 0);
  if (prize.oddsBp > left)
    throw new AppError('BAD_INPUT', {
      text: `全部奖品的概率合计不能超过 100%，这段时间还剩 ${Math.max(0, left) / 100}%`,
      field: 'oddsBp',
    });
}

/**
 * Creates a campaign; above the limit it is pending until a second person approves it. The probabilities of the lottery's prizes may not
 * exceed 100 % in total. Throws FORBIDDEN, CAMPAIGN_CODE, BAD_INPUT with the field.
 */
export async function create(
  call: StaffCall,
  input: Parsed<typeof c.createCampaign>,
): Promise<HandlerResult<typeof c.createCampaign>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'coupon.manage');
  if (input.kind === 'goods' && input.minimum < input.amount)
    throw new AppError('BAD_INPUT', { text: '商品券的使用门槛不能低于面额', field: 'minimum' });
  const budget = input.amount * input.total;
  if (!Number.isSafeInteger(budget)) throw new AppError('PAY_AMOUNT');
  if (input.startTime && input.startTime.getTime() < Date.now() - SLACK_MS)
    throw new AppError('BAD_INPUT', { text: '开始时间已经过去；要马上开始请留空', field: 'startTime' });
  const distId = siteFor(ctx, staff, input.distId);
  const starts = input.startTime ?? new Date();
  const status = budget > limitFen(call) ? 0 : 1;
  return await inTransaction(ctx.db, async (trx) => {
    // One creation at a time, so that concurrent prizes cannot exceed 100 % together.
    await sql`select pg_advisory_xact_lock(7204811352)`.execute(trx);
    if (input.oddsBp !== undefined)
      await checkOdds(trx, { oddsBp: input.oddsBp, distId, starts, runDays: input.runDays });
    const { amount, minimum, oddsBp, startTime, ...terms } = input;
    const id = await addCampaign(trx, {
      ...terms,
      distId,
      startsAt: startTime ?? null,
      amountFen: amount,
      minimumFen: minimum,
      oddsBp,
      status,
      createdBy: staff.id,
    });
    const detail = { amountFen: budget, name: input.name, distId };
    await audit(trx, staff, 'coupon.create', `campaign:${input.code}`, detail, ip);
    return { campaignId: id, status };
  });
}

/** The current lottery of a site. Throws FORBIDDEN, BAD_INPUT. */
export async function lotteryState(
  call: StaffCall,
  input: Parsed<typeof c.staffLottery>,
): Promise<HandlerResult<typeof c.staffLottery>> {
  const { ctx, staff } = call;
  requirePlatform(staff, 'coupon.read');
  const distId = siteFor(ctx, staff, input.distId) ?? ctx.dir.platform().id;
  const setting = ctx.dir.setting('lottery');
  const [prizes, counts, totals] = await Promise.all([
    lotteryPrizes(ctx.db, distId),
    sql<{ draws: number; wins: number }>`
      select count(*)::int as draws, count(d.campaign_id)::int as wins from lottery_draw d
      where d.created_at >= date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`.execute(
      ctx.db,
    ),
    sql<{ id: number; total: number }>`
      select k.id, k.total from coupon_campaign k where k.odds_bp is not null and k.status = ${sql.lit(CampaignStatus.Running)} and k.ends_at > now()`.execute(
      ctx.db,
    ),
  ]);
  const totalOf = new Map(totals.rows.map((row) => [row.id, row.total]));
  const list = prizes.map((p) => ({
    campaignId: p.id,
    name: p.name,
    amount: p.amountFen,
    oddsPercent: p.oddsBp / 100,
    liveOddsPercent: liveOdds(p) / 100,
    left: p.stock,
    total: totalOf.get(p.id) ?? p.stock,
    perPerson: p.perPerson,
    budget: (totalOf.get(p.id) ?? p.stock) * p.amountFen,
    endTime: p.endsAt,
  }));
  return {
    open: setting.open && prizes.length > 0,
    drawsPerDay: setting.drawsPerDay,
    distId,
    sites: sitesOf(ctx, staff),
    prizes: list,
    nothingPercent: nothingOdds(prizes) / 100,
    budgetLeft: prizes.reduce((sum, p) => sum + p.stock * p.amountFen, 0),
    drawsToday: counts.rows[0]?.draws ?? 0,
    winsToday: counts.rows[0]?.wins ?? 0,
  };
}

/** The second person approves a campaign. Throws FORBIDDEN, FACTOR_REQUIRED, SECOND_PERSON, CAMPAIGN_STATE. */
export async function open(
  call: StaffCall,
  { campaignId }: Parsed<typeof c.openCampaign>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'coupon.open');
  requireFactor(call);
  return await inTransaction(ctx.db, async (trx) => {
    const row = await openCampaign(trx, campaignId, staff.id);
    if (!row) {
      const own =
        await sql`select from coupon_campaign where id = ${campaignId} and status = ${sql.lit(CampaignStatus.Pending)}`.execute(
          trx,
        );
      throw new AppError(own.rows.length > 0 ? 'SECOND_PERSON' : 'CAMPAIGN_STATE');
    }
    await audit(trx, staff, 'coupon.open', `campaign:${row.code}`, { amountFen: row.fen }, ip);
    return {};
  });
}

/** Ends a campaign: no more coupons are issued, and issued ones stay valid. Throws FORBIDDEN, CAMPAIGN_STATE. */
export async function stop(
  call: StaffCall,
  { campaignId, reason }: Parsed<typeof c.stopCampaign>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'coupon.manage');
  return await inTransaction(ctx.db, async (trx) => {
    const code = await stopCampaign(trx, campaignId, { staffId: staff.id, reason });
    if (code === undefined) throw new AppError('CAMPAIGN_STATE');
    await audit(trx, staff, 'coupon.stop', `campaign:${code}`, { reason }, ip);
    return {};
  });
}
