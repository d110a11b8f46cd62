import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** A version of a setting with who made it and why. */
export interface SettingVersion {
  key: string;
  version: number;
  value: unknown;
  validFrom: Date;
  createdAt: Date;
  reason: string;
  createdBy: string | null;
  approvedBy: string | null;
  revokedAt: Date | null;
  revokedBy: string | null;
  /** The key's newest version, revoked or not, which a change must include. */
  newest: number;
  /** It is the current version. */
  counts: boolean;
  /** It is planned, and can still be revoked. */
  pending: boolean;
}

const VERSIONS = sql`select s.key, s.version, s.value, s.valid_from as "validFrom", s.created_at as "createdAt", s.reason,
    c.name as "createdBy", a.name as "approvedBy", s.revoked_at as "revokedAt", r.name as "revokedBy",
    coalesce((select max(x.version) from setting x where x.key = s.key), s.version) as newest,
    coalesce(s.version = (select max(n.version) from setting n where n.key = s.key and n.revoked_at is null and n.valid_from <= now()), false) as counts,
    s.revoked_at is null and s.valid_from > now() as pending
  from setting s left join staff c on c.id = s.created_by left join staff a on a.id = s.approved_by left join staff r on r.id = s.revoked_by`;

/** The current and the planned version of each setting. */
export async function currentVersions(db: Trx): Promise<SettingVersion[]> {
  const { rows } = await sql<SettingVersion>`
    select * from (${VERSIONS}) v where v.counts or v.pending order by v.key, v.version`.execute(db);
  return rows;
}

const MAX_HISTORY = 100;

/** The versions of a setting, newest first. */
export async function loadVersions(db: Trx, key: string): Promise<SettingVersion[]> {
  const { rows } = await sql<SettingVersion>`
    select * from (${VERSIONS}) v where v.key = ${key} order by v.version desc limit ${MAX_HISTORY}`.execute(db);
  return rows;
}

/** The newest version of a setting, revoked or not, locked. */
export async function lockNewest(
  trx: Trx,
  key: string,
): Promise<{ version: number; pending: boolean; validFrom: Date } | undefined> {
  const { rows } = await sql<{ version: number; pending: boolean; validFrom: Date }>`
    select version, revoked_at is null and valid_from > now() as pending, valid_from as "validFrom"
    from setting where key = ${key} order by version desc limit 1 for update`.execute(trx);
  return rows[0];
}
