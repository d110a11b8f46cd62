/** Versions of the public rules: published by staff, never changed, revoked only before they are in force (docs/decisions/263). */
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';

/** A version of a public rule. */
export interface RuleVersion {
  no: string;
  version: number;
  title: string;
  body: string;
  from: Date;
  retired: boolean;
  createdBy: string | null;
  reason: string;
  revokedAt: Date | null;
  revokedBy: string | null;
  /** Rulings that cite the rule, in whichever version. */
  cited: number;
}

/** The versions of one rule or of all, by number, oldest first. */
export async function ruleVersions(db: Trx, no?: string): Promise<RuleVersion[]> {
  const { rows } = await sql<RuleVersion>`
    select p.no, p.version, p.title, p.body, p.in_force_from as "from", p.retired, s.name as "createdBy", p.reason,
      p.revoked_at as "revokedAt", r.name as "revokedBy",
      (select count(*)::int from dispute_ruling_rule c where c.rule_no = p.no) as cited
    from platform_rule p left join staff s on s.id = p.created_by left join staff r on r.id = p.revoked_by
    where ${no ?? null}::text is null or p.no = ${no ?? null} order by string_to_array(p.no, '.')::int[], p.version`.execute(
    db,
  );
  return rows;
}

/** A version as its author publishes it; `version` is the newest one the author saw; `from` null = effective immediately. */
export interface NewRule {
  no: string;
  version: number;
  title: string;
  body: string;
  from: Date | null;
  retired: boolean;
  reason: string;
  staffId: number;
}

/**
 * Adds a version of a rule, in the caller's transaction. Throws TEXT_CHANGED when the newest version is not the one the author saw,
 * TEXT_PENDING while one is planned.
 */
export async function addRuleVersion(trx: Trx, rule: NewRule): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext(${`rule:${rule.no}`}))`.execute(trx);
  const { rows } = await sql<{ newest: number; pending: boolean }>`
    select coalesce(max(version), 0) as newest, coalesce(bool_or(revoked_at is null and in_force_from > now()), false) as pending
    from platform_rule where no = ${rule.no}`.execute(trx);
  const state = rows[0] ?? { newest: 0, pending: false };
  if (state.newest !== rule.version) throw new AppError('TEXT_CHANGED');
  if (state.pending) throw new AppError('TEXT_PENDING');
  const version = state.newest + 1;
  await sql`insert into platform_rule (no, version, title, body, in_force_from, retired, reason, created_by)
    values (${rule.no}, ${version}, ${rule.title}, ${rule.body}, coalesce(${rule.from}::timestamptz, now()), ${rule.retired}, ${rule.reason}, ${rule.staffId})`.execute(
    trx,
  );
  return version;
}

/** Revokes a planned version. Throws TEXT_CHANGED when it is in force already or was revoked before. */
export async function revokeRuleVersion(
  trx: Trx,
  { no, version, staffId }: Pick<NewRule, 'no' | 'version' | 'staffId'>,
): Promise<void> {
  const { rows } = await sql`
    update platform_rule set revoked_at = now(), revoked_by = ${staffId}
    where no = ${no} and version = ${version} and revoked_at is null and in_force_from > now() returning version`.execute(
    trx,
  );
  if (rows.length === 0) throw new AppError('TEXT_CHANGED');
}
