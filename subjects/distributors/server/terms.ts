import { sql } from 'kysely';
import { MARK_UP_MAX_BP } from '#subjects/distributors/contract/brand-content.ts';
import { audit } from '#server/audit/audit.ts';
import type { Db, Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { BrandActor } from './rows.ts';

const FULL_BP = 10_000;

/** Rejects rates out of bounds, and a commission that leaves nothing for the inviter's reward. Throws BAD_INPUT with the field. */
export function checkRates(rates: { markUpBp: number; commissionBp: number }, inviteBp: number): void {
  const { markUpBp, commissionBp } = rates;
  if (!Number.isInteger(markUpBp) || markUpBp < 0 || markUpBp > MARK_UP_MAX_BP)
    throw new AppError('BAD_INPUT', { text: `加价应在 0 到 ${MARK_UP_MAX_BP / 100}% 之间`, field: 'markUpBp' });
  const most = FULL_BP - inviteBp;
  if (!Number.isInteger(commissionBp) || commissionBp < 0 || commissionBp > most)
    throw new AppError('BAD_INPUT', {
      text: `佣金应在 0 到 ${most / 100}% 之间：邀请奖励另占手续费的 ${inviteBp / 100}%`,
      field: 'commissionBp',
    });
}

/** Whether the market's rates already affect orders: then changing them needs two people (decisions 250, 536). */
export async function feesNeedSecond(db: Db | Trx): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select exists (select from orders) as has`.execute(db);
  return rows[0]?.has === true;
}

/** Rates from a time on. An order freezes its fees when it is placed, so existing orders do not change. */
export interface NewTerms {
  distId: number;
  /** The newest version of the terms that the caller has seen; 0 = none. */
  base: number;
  markUpBp: number;
  commissionBp: number;
  /** Null = immediately. */
  startsAt: Date | null;
  reason: string;
}

/** Tolerance for a browser clock that is behind. */
const SLACK_MS = 60_000;

/**
 * Adds terms. Terms with the same start as earlier ones replace them, so a change can be cancelled before it takes effect. Throws NOT_FOUND,
 * BAD_INPUT for a start in the past, CONTENT_CHANGED when another person has added terms.
 */
export async function insertTerms(trx: Trx, actor: BrandActor & { id: number }, terms: NewTerms): Promise<void> {
  const { distId, markUpBp, commissionBp, startsAt, reason } = terms;
  if (startsAt !== null && startsAt.getTime() < Date.now() - SLACK_MS)
    throw new AppError('BAD_INPUT', { text: '生效时间已经过去；要马上生效请留空', field: 'startTime' });
  const brand = await sql`select from distributor where id = ${distId} for update`.execute(trx);
  if (brand.rows.length === 0) throw errorOf('NOT_FOUND', 'brand');
  const { rows } = await sql<{ version: number }>`
    insert into brand_terms (dist_id, version, mark_up_bp, commission_bp, starts_at, reason, created_by)
    select ${distId}, ${terms.base + 1}::int, ${markUpBp}, ${commissionBp}, coalesce(${startsAt}::timestamptz, now()), ${reason}, ${actor.id}
    where coalesce((select max(t.version) from brand_terms t where t.dist_id = ${distId}), 0) = ${terms.base} returning version`.execute(
    trx,
  );
  if (!rows[0]) throw new AppError('CONTENT_CHANGED', { text: '费率已被他人修改，请看过后再改', field: 'base' });
  const detail = {
    version: rows[0].version,
    markUpBp,
    commissionBp,
    startsAt: startsAt?.toISOString() ?? 'now',
    reason,
  };
  await audit(trx, actor, 'brand.terms', `brand:${distId}`, detail, actor.ip);
}
