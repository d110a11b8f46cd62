/** The writes of campaigns. The back office checks permissions and writes the audit log. */
import { CampaignStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

export interface NewCampaign {
  code: string;
  name: string;
  kind: string;
  amountFen: number;
  minimumFen: number;
  total: number;
  perPerson: number;
  validDays: number;
  runDays: number;
  /** The chance of a prize in the lottery, in basis points. */
  oddsBp: number | undefined;
  /** 0 waits for a second person, 1 is open. */
  status: 0 | 1;
  createdBy: number;
  /** Null = every site. */
  distId: number | null;
  /** Null = from now on. */
  startsAt: Date | null;
}

/** Adds a campaign; returns its id. */
export async function addCampaign(trx: Trx, c: NewCampaign): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into coupon_campaign (code, name, dist_id, kind, amount_fen, minimum_fen, stock, total, per_person, valid_days, starts_at, ends_at, odds_bp, status, created_by)
    values (${c.code}, ${c.name}, ${c.distId}, ${c.kind}, ${c.amountFen}, ${c.minimumFen}, ${c.total}, ${c.total}, ${c.perPerson},
      ${c.validDays}, coalesce(${c.startsAt}::timestamptz, now()), coalesce(${c.startsAt}::timestamptz, now()) + make_interval(days => ${c.runDays}), ${c.oddsBp ?? null}, ${c.status}, ${c.createdBy}) returning id`.execute(
    trx,
  );
  return rows[0]?.id ?? 0;
}

/** Opens a pending campaign; its author may not. Undefined when it is not pending, or is the caller's own. */
export async function openCampaign(
  trx: Trx,
  campaignId: number,
  staffId: number,
): Promise<{ code: string; fen: number } | undefined> {
  const { rows } = await sql<{ code: string; fen: number }>`
    update coupon_campaign set status = ${sql.lit(CampaignStatus.Running)}, opened_by = ${staffId}
    where id = ${campaignId} and status = ${sql.lit(CampaignStatus.Pending)} and created_by is distinct from ${staffId} returning code, total * amount_fen as fen`.execute(
    trx,
  );
  return rows[0];
}

/** Ends a campaign: no more coupons are issued, issued ones stay valid. Returns its code; undefined when it has ended already. */
export async function stopCampaign(
  trx: Trx,
  campaignId: number,
  by: { staffId: number; reason: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`
    update coupon_campaign set status = ${sql.lit(CampaignStatus.Stopped)}, stopped_by = ${by.staffId}, stopped_at = now(), stop_reason = ${by.reason}
    where id = ${campaignId} and status < ${sql.lit(CampaignStatus.Stopped)} returning code`.execute(trx);
  return rows[0]?.code;
}
