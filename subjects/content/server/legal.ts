/** Versions of the agreements, and the drafts of rules and agreements (docs/decisions/263). */
import { sql } from 'kysely';
import type { StoredBlock } from '../rules/article.ts';
import { AGREEMENT_NOTICE_DAYS } from '../rules/public-texts.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';

/** A version of an agreement. */
export interface LegalVersion {
  code: string;
  version: number;
  title: string;
  blocks: StoredBlock[];
  from: Date;
  needsConsent: boolean;
  createdBy: string | null;
  reason: string;
  revokedAt: Date | null;
  revokedBy: string | null;
  /** People who agreed to this version. */
  agreed: number;
}

/** The versions of one agreement or of all, oldest first. */
export async function legalVersions(db: Trx, code?: string): Promise<LegalVersion[]> {
  const { rows } = await sql<LegalVersion>`
    select l.code, l.version, l.title, l.blocks, l.in_force_from as "from", l.needs_consent as "needsConsent", s.name as "createdBy", l.reason,
      l.revoked_at as "revokedAt", r.name as "revokedBy",
      (select count(*)::int from consent c where c.text_code = l.code and c.text_version = l.version) as agreed
    from legal_text l left join staff s on s.id = l.created_by left join staff r on r.id = l.revoked_by
    where ${code ?? null}::text is null or l.code = ${code ?? null} order by l.code, l.version`.execute(db);
  return rows;
}

/** The version of an agreement in force; undefined for an unknown code. */
export async function legalInForce(
  db: Trx,
  code: string,
): Promise<{ version: number; title: string; blocks: StoredBlock[]; from: Date } | undefined> {
  const { rows } = await sql<{ version: number; title: string; blocks: StoredBlock[]; from: Date }>`
    select version, title, blocks, in_force_from as "from" from legal_text
    where code = ${code} and in_force_from <= now() and revoked_at is null order by version desc limit 1`.execute(db);
  return rows[0];
}

/** A version as its author publishes it; `version` is the newest one the author saw; `from` null = effective immediately. */
export interface NewLegal {
  code: string;
  version: number;
  title: string;
  blocks: StoredBlock[];
  from: Date | null;
  needsConsent: boolean;
  reason: string;
  staffId: number;
}

const DAY_MS = 86_400_000;

/**
 * Adds a version of an agreement, in the caller's transaction. Once a user has agreed to one, a change is public for some days before it is
 * in force. Throws NOT_FOUND for an agreement that the program does not have, TEXT_CHANGED, TEXT_PENDING, BAD_INPUT with the field.
 */
export async function addLegalVersion(trx: Trx, text: NewLegal): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext(${`legal:${text.code}`}))`.execute(trx);
  const { rows } = await sql<{ newest: number; pending: boolean; agreed: boolean }>`
    select coalesce(max(version), 0) as newest, coalesce(bool_or(revoked_at is null and in_force_from > now()), false) as pending,
      exists (select from consent where text_code = ${text.code}) as agreed
    from legal_text where code = ${text.code}`.execute(trx);
  const state = rows[0];
  if (!state || state.newest === 0) throw new AppError('NOT_FOUND');
  if (state.newest !== text.version) throw new AppError('TEXT_CHANGED');
  if (state.pending) throw new AppError('TEXT_PENDING');
  const earliest = Date.now() + AGREEMENT_NOTICE_DAYS * DAY_MS;
  // The form has a resolution of one minute.
  if (state.agreed && (text.from === null || text.from.getTime() < earliest - 120_000))
    throw new AppError('BAD_INPUT', {
      text: `已有用户同意过这份协议，新版本须提前 ${AGREEMENT_NOTICE_DAYS} 天公布`,
      field: 'from',
    });
  const version = state.newest + 1;
  await sql`insert into legal_text (code, version, title, blocks, in_force_from, needs_consent, reason, created_by)
    values (${text.code}, ${version}, ${text.title}, ${JSON.stringify(text.blocks)}::jsonb, coalesce(${text.from}::timestamptz, now()),
      ${text.needsConsent}, ${text.reason}, ${text.staffId})`.execute(trx);
  return version;
}

/** Revokes a planned version. Throws TEXT_CHANGED when it is already in force or was revoked. */
export async function revokeLegalVersion(
  trx: Trx,
  { code, version, staffId }: Pick<NewLegal, 'code' | 'version' | 'staffId'>,
): Promise<void> {
  const { rows } = await sql`
    update legal_text set revoked_at = now(), revoked_by = ${staffId}
    where code = ${code} and version = ${version} and revoked_at is null and in_force_from > now() returning version`.execute(
    trx,
  );
  if (rows.length === 0) throw new AppError('TEXT_CHANGED');
}

/** An unpublished text under 'rule:3.2' or 'legal:privacy'. */
export interface RuleDraft {
  key: string;
  version: number;
  title: string;
  body: string;
  author: string;
  at: Date;
}

/** Every draft. */
export async function ruleDrafts(db: Trx): Promise<RuleDraft[]> {
  const { rows } = await sql<RuleDraft>`
    select d.key, d.version, d.title, d.body, s.name as author, d.updated_at as at
    from rule_draft d join staff s on s.id = d.staff_id order by d.key`.execute(db);
  return rows;
}

/** Saves a draft over the version that its author saw, 0 for none. Throws TEXT_CHANGED when another person has saved since. */
export async function saveRuleDraft(
  trx: Trx,
  { key, version, title, body, staffId }: Pick<RuleDraft, 'key' | 'version' | 'title' | 'body'> & { staffId: number },
): Promise<number> {
  const { rows } =
    version === 0
      ? await sql<{ version: number }>`
          insert into rule_draft (key, title, body, staff_id) values (${key}, ${title}, ${body}, ${staffId})
          on conflict do nothing returning version`.execute(trx)
      : await sql<{ version: number }>`
          update rule_draft set title = ${title}, body = ${body}, staff_id = ${staffId}, version = version + 1, updated_at = now()
          where key = ${key} and version = ${version} returning version`.execute(trx);
  const saved = rows[0];
  if (!saved) throw new AppError('TEXT_CHANGED');
  return saved.version;
}

/** Removes a draft in the version that its author saw. Throws TEXT_CHANGED; nothing happens for version 0. */
export async function dropRuleDraft(trx: Trx, { key, version }: Pick<RuleDraft, 'key' | 'version'>): Promise<void> {
  if (version === 0) return;
  const { rows } = await sql`delete from rule_draft where key = ${key} and version = ${version} returning key`.execute(
    trx,
  );
  if (rows.length === 0) throw new AppError('TEXT_CHANGED');
}
