import { CampaignStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type * as c from '#contract/backstage-promos.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type CouponKind, couponKindNames } from '#server/slices/promotions/service.ts';
import { audit } from '#server/audit.ts';
import { countOf, pageOf } from './paging.ts';
import { requirePlatform } from '#server/access/permissions.ts';

const STATUS_NAMES = ['待复核', '进行中', '已停止'] as const;

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
  used: number;
  spent: number;
}

const limitFen = (call: StaffCall): number =>
  call.ctx.dir.setting<{ secondPersonFen: number }>('coupon').secondPersonFen;

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
    select k.*, s.name as creator, k.ends_at <= now() as over, u.used, u.spent
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
      statusName: k.status === CampaignStatus.Running && k.over ? '已结束' : (STATUS_NAMES[k.status as 0] ?? ''),
      createdBy: k.creator,
      isMine: k.created_by === call.staff.id,
      stopReason: k.stop_reason,
      startTime: k.starts_at,
      endTime: k.ends_at,
    })),
    secondPerson: limitFen(call),
    ...(await countOf(db, sql`coupon_campaign k where ${filter}`)),
    next: result.next,
  };
}

/**
 * Creates a campaign; above the limit it is pending until a second person approves it. The probabilities of the lottery's prizes may not
 * exceed 100 % in total. Throws FORBIDDEN, CAMPAIGN_CODE, BAD_INPUT.
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
  const status = budget > limitFen(call) ? 0 : 1;
  return await inTransaction(ctx.db, async (trx) => {
    // One creation at a time, so that concurrent prizes cannot exceed 100 % together.
    await sql`select pg_advisory_xact_lock(7204811352)`.execute(trx);
    if (input.oddsBp !== undefined) {
      const { rows } = await sql<{ bp: number }>`
        select coalesce(sum(odds_bp), 0)::int as bp from coupon_campaign where odds_bp is not null and status < 2 and ends_at > now()`.execute(
        trx,
      );
      if ((rows[0]?.bp ?? 0) + input.oddsBp > 10_000)
        throw new AppError('BAD_INPUT', { text: '全部奖品的概率合计不能超过 100%', field: 'oddsBp' });
    }
    const { rows } = await sql<{ id: number }>`
      insert into coupon_campaign (code, name, kind, amount_fen, minimum_fen, stock, total, per_person, valid_days, starts_at, ends_at, odds_bp, status, created_by)
      values (${input.code}, ${input.name}, ${input.kind}, ${input.amount}, ${input.minimum}, ${input.total}, ${input.total}, ${input.perPerson},
        ${input.validDays}, now(), now() + make_interval(days => ${input.runDays}), ${input.oddsBp ?? null}, ${status}, ${staff.id}) returning id`.execute(
      trx,
    );
    const id = rows[0]?.id ?? 0;
    await audit(trx, staff, 'coupon.create', `campaign:${input.code}`, { amountFen: budget, name: input.name }, ip);
    return { campaignId: id, status };
  });
}

/** The second person approves a campaign. Throws FORBIDDEN, SECOND_PERSON, CAMPAIGN_STATE. */
export async function open(
  call: StaffCall,
  { campaignId }: Parsed<typeof c.openCampaign>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'coupon.open');
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ code: string; fen: number }>`
      update coupon_campaign set status = 1, opened_by = ${staff.id}
      where id = ${campaignId} and status = 0 and created_by is distinct from ${staff.id} returning code, total * amount_fen as fen`.execute(
      trx,
    );
    const row = rows[0];
    if (!row) {
      const own = await sql`select from coupon_campaign where id = ${campaignId} and status = 0`.execute(trx);
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
    const { rows } = await sql<{ code: string }>`
      update coupon_campaign set status = 2, stopped_by = ${staff.id}, stopped_at = now(), stop_reason = ${reason}
      where id = ${campaignId} and status < 2 returning code`.execute(trx);
    if (!rows[0]) throw new AppError('CAMPAIGN_STATE');
    await audit(trx, staff, 'coupon.stop', `campaign:${rows[0].code}`, { reason }, ip);
    return {};
  });
}
