/** Consents by code and version of the text (table consent). */
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';

const IN_FORCE = sql`(select distinct on (code) code, version, title, in_force_from,
    (select max(n.version) from legal_text n where n.code = l.code and n.needs_consent and n.revoked_at is null and n.in_force_from <= now()) as asked
  from legal_text l where in_force_from <= now() and revoked_at is null order by code, version desc)`;

/** An agreement whose newest version needs a new consent. */
export interface PendingConsent {
  code: string;
  version: number;
  title: string;
  fromTime: Date;
}

/** The agreements that a user must agree to before another trade. */
export async function loadPendingConsents(db: Trx, userId: number): Promise<PendingConsent[]> {
  const { rows } = await sql<PendingConsent>`
    select t.code, t.version, t.title, t.in_force_from as "fromTime" from ${IN_FORCE} t
    where t.asked is not null and not exists (
      select from consent c where c.user_id = ${userId} and c.text_code = t.code and c.text_version >= t.asked)
    order by t.code`.execute(db);
  return rows;
}

/** Called before a new trade: throws CONSENT_DUE while an agreement needs a new consent. Open orders continue without it. */
export async function requireConsents(db: Trx, userId: number): Promise<void> {
  if ((await loadPendingConsents(db, userId)).length > 0) throw new AppError('CONSENT_DUE');
}

/** Agrees to all current versions, at registration. */
export async function agreeToAll(trx: Trx, userId: number, ip: string): Promise<void> {
  await sql`insert into consent (user_id, text_code, text_version, ip)
    select ${userId}, t.code, t.version, ${ip} from ${IN_FORCE} t`.execute(trx);
}

/** Agrees to the current version; idempotent. Throws TEXT_CHANGED for another version. */
export async function agreeTo(
  trx: Trx,
  { userId, code, version, ip }: { userId: number; code: string; version: number; ip: string },
): Promise<void> {
  const { rows } = await sql<{ isNew: boolean }>`
    select not exists (select from consent c where c.user_id = ${userId} and c.text_code = t.code and c.text_version = t.version) as "isNew"
    from ${IN_FORCE} t where t.code = ${code} and t.version = ${version}`.execute(trx);
  const found = rows[0];
  if (!found) throw new AppError('TEXT_CHANGED', { text: '协议已有更新的版本，请刷新后再看' });
  if (found.isNew)
    await sql`insert into consent (user_id, text_code, text_version, ip) values (${userId}, ${code}, ${version}, ${ip})
      on conflict do nothing`.execute(trx);
}
