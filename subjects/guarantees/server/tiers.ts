import { SwitchStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { tierCode } from '#subjects/settings/rules/setting-tiers.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { afterCommit, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  announceSetting,
  differences,
  requireBeginning,
  type SettingChange,
  type SettingVersion,
} from '#subjects/settings/server/service.ts';

/** The terms of a tier as its form stores them (subjects/settings/rules/setting-tiers.ts). */
interface TierTerms {
  kind: string;
  name: string;
  onOffer: boolean;
  bp: number;
  minFen: number;
  payoutBp: number;
  chaseDays: number;
  coverDays?: number;
  sort: number;
  coverText: string;
  exclusions: string[];
  games?: number[];
  reasons: object;
}

const VERSIONS = sql`select 'tier:' || t.code as key, t.version, t.valid_from as "validFrom", t.created_at as "createdAt", t.reason,
    jsonb_strip_nulls(jsonb_build_object('kind', t.kind, 'name', t.name, 'onOffer', t.status = ${sql.lit(SwitchStatus.On)}, 'bp', t.rate_bp, 'minFen', t.min_fen,
      'payoutBp', t.payout_bp, 'chaseDays', t.chase_days, 'coverDays', t.cover_days, 'sort', t.sort, 'coverText', t.cover_text,
      'exclusions', t.exclusions, 'games', to_jsonb(t.games), 'reasons', t.reasons)) as value,
    c.name as "createdBy", a.name as "approvedBy", t.revoked_at as "revokedAt", r.name as "revokedBy",
    coalesce((select max(x.version) from guarantee_tier x where x.code = t.code), t.version) as newest,
    coalesce(t.version = (select max(n.version) from guarantee_tier n
      where n.code = t.code and n.revoked_at is null and n.valid_from <= now()), false) as counts,
    t.revoked_at is null and t.valid_from > now() as pending
  from guarantee_tier t left join staff c on c.id = t.created_by left join staff a on a.id = t.approved_by
    left join staff r on r.id = t.revoked_by`;

/** The versions of all tiers, or of one, newest first. */
export async function tierVersions(db: Trx, key?: string): Promise<SettingVersion[]> {
  const { rows } = await sql<SettingVersion>`
    select * from (${VERSIONS}) v where ${key === undefined ? sql`true` : sql`v.key = ${key}`} order by v.key, v.version desc`.execute(
    db,
  );
  return rows;
}

/** Adds a version of a tier, the first of a new code as version 0 + 1. Sold covers keep their terms. Throws as `changeSetting`. */
export async function changeTier(ctx: Context, trx: Trx, change: SettingChange): Promise<{ version: number }> {
  const { key, from, reason, staffId } = change;
  requireBeginning(from);
  await sql`select pg_advisory_xact_lock(hashtext('guarantee_tier'))`.execute(trx);
  const [newest] = await tierVersions(trx, key);
  if (newest?.pending) throw new AppError('SETTING_PENDING');
  if ((newest?.version ?? 0) !== change.version) throw new AppError('SETTING_CHANGED');
  const version = (newest?.version ?? 0) + 1;
  const value = change.value as TierTerms;
  await sql`insert into guarantee_tier (id, kind, code, version, name, rate_bp, min_fen, payout_bp, chase_days, cover_days, cover_text,
      exclusions, games, sort, status, reasons, valid_from, reason, created_by, approved_by)
    select coalesce(max(id), 0) + 1, ${value.kind}, ${tierCode(key)}, ${version}, ${value.name}, ${value.bp}, ${value.minFen}, ${value.payoutBp},
      ${value.chaseDays}, ${value.coverDays ?? null}, ${value.coverText}, ${JSON.stringify(value.exclusions)}::jsonb, ${value.games ?? null}::int[],
      ${value.sort}, ${value.onOffer ? 1 : 2}, ${JSON.stringify(value.reasons)}::jsonb, coalesce(${from}::timestamptz, now()), ${reason},
      ${staffId}, ${change.approvedBy ?? null}
    from guarantee_tier`.execute(trx);
  const changed = differences(key, newest?.value, value);
  const detail = { version, reason, from: from?.toISOString() ?? 'now', changed };
  await audit(trx, staffId === null ? null : { id: staffId }, 'setting.change', `setting:${key}`, detail, change.ip);
  await announceSetting(ctx, trx, { key, version }, from);
  return { version };
}

/** Revokes a planned version of a tier. Throws SETTING_CHANGED when it is already in force. */
export async function revokeTier(
  ctx: Context,
  trx: Trx,
  { key, version, staffId, reason, ip }: Pick<SettingChange, 'key' | 'version' | 'staffId' | 'reason' | 'ip'>,
): Promise<void> {
  const { rows } = await sql`
    update guarantee_tier set revoked_at = now(), revoked_by = ${staffId}
    where code = ${tierCode(key)} and version = ${version} and revoked_at is null and valid_from > now() returning id`.execute(
    trx,
  );
  if (rows.length === 0) throw new AppError('SETTING_CHANGED');
  await audit(
    trx,
    staffId === null ? null : { id: staffId },
    'setting.revoke',
    `setting:${key}`,
    { version, reason },
    ip,
  );
  afterCommit(trx, () => ctx.bus.publish('conf', {}));
}
