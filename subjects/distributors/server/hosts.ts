import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { sql } from 'kysely';
import { hostFault } from '#subjects/distributors/contract/brand-content.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { BrandActor } from './rows.ts';

/** Names that cannot get a certificate: only for testing. */
const LOCAL = /(^|\.)(localhost|local|test|example|invalid|internal)$/;

/** The settings that determine which names a brand can have. */
export type HostRules = Pick<Context['config'], 'demo' | 'production' | 'trial' | 'backstageHost' | 'siteUrl'>;

/**
 * A host name in its stored form. The host of SITE_URL is accepted by the same rule as at start-up. Throws BAD_INPUT with the field `host`
 * and the correct form.
 */
export function checkedHost(rules: HostRules, typed: string): string {
  const host = typed.trim().toLowerCase().replace(/\.$/, '');
  const fault = hostFault(host);
  if (fault !== null) throw new AppError('BAD_INPUT', { text: fault, field: 'host' });
  if (host === rules.backstageHost)
    throw new AppError('BAD_INPUT', { text: '这是后台自己的域名，品牌请用另一个', field: 'host' });
  if (rules.production && !rules.demo && !rules.trial && LOCAL.test(host) && host !== new URL(rules.siteUrl).hostname)
    throw new AppError('BAD_INPUT', { text: '正式环境请用公网域名，例如 www.example.com', field: 'host' });
  return host;
}

/**
 * Adds a host to a brand; it is live once announced. The first one is its primary host. Throws BAD_INPUT with the field when another brand,
 * or this one, has it.
 */
export async function insertHost(
  trx: Trx,
  actor: BrandActor,
  input: { distId: number; host: string; redirects: boolean },
): Promise<void> {
  const { distId, host } = input;
  // Locks the brand first, so that only one of two concurrent first hosts becomes primary.
  await sql`select from distributor where id = ${distId} for update`.execute(trx);
  const own = await sql<{ hosts: number }>`
    select (select count(*)::int from dist_host h where h.dist_id = d.id and h.is_primary) as hosts
    from distributor d where d.id = ${distId}`.execute(trx);
  if (!own.rows[0]) throw errorOf('NOT_FOUND', 'brand');
  const isPrimary = own.rows[0].hosts === 0;
  const { rows } = await sql`
    insert into dist_host (host, dist_id, is_primary, redirects, created_by)
    values (${host}, ${distId}, ${isPrimary}, ${!isPrimary && input.redirects}, ${actor.id}) on conflict (host) do nothing returning host`.execute(
    trx,
  );
  if (rows.length === 0) {
    const holder = await sql<{ name: string; distId: number }>`
      select d.name, d.id as "distId" from dist_host h join distributor d on d.id = h.dist_id where h.host = ${host}`.execute(
      trx,
    );
    const whose = holder.rows[0]?.distId === distId ? '本品牌' : `品牌「${holder.rows[0]?.name ?? ''}」`;
    throw new AppError('BAD_INPUT', { text: `${whose}已在用这个域名`, field: 'host' });
  }
  await audit(trx, actor.id === null ? null : { id: actor.id }, 'brand.host', `brand:${distId}`, { host }, actor.ip);
}

/** Makes a host the primary one, redirects it to the primary one, or serves pages on it again. Throws NOT_FOUND, BAD_INPUT. */
export async function changeHost(
  trx: Trx,
  actor: BrandActor & { id: number },
  input: { distId: number; host: string; act: 'primary' | 'redirect' | 'serve' },
): Promise<void> {
  const { distId, host, act: action } = input;
  await sql`select from distributor where id = ${distId} for update`.execute(trx);
  if (action === 'primary') await sql`update dist_host set is_primary = false where dist_id = ${distId}`.execute(trx);
  const { rows } = await sql<{ host: string; isPrimary: boolean }>`
    update dist_host set is_primary = is_primary or ${action === 'primary'},
      redirects = case when is_primary or ${action !== 'redirect'} then false else true end
    where dist_id = ${distId} and host = ${host} returning host, is_primary as "isPrimary"`.execute(trx);
  if (!rows[0]) throw errorOf('NOT_FOUND', 'host');
  if (action === 'redirect' && rows[0].isPrimary)
    throw new AppError('BAD_INPUT', { text: '主域名不能跳转，请先把另一个设为主域名', field: 'host' });
  await audit(trx, actor, 'brand.hostChange', `brand:${distId}`, { host, act: action }, actor.ip);
}

/**
 * Removes a host from a brand. The primary one can only be removed last, and the platform always keeps one, because links in messages use it.
 * Throws NOT_FOUND, BAD_INPUT.
 */
export async function deleteHost(
  trx: Trx,
  actor: BrandActor & { id: number },
  { distId, host }: { distId: number; host: string },
): Promise<void> {
  await sql`select from distributor where id = ${distId} for update`.execute(trx);
  const { rows } = await sql<{ isPrimary: boolean; others: number }>`
    select h.is_primary as "isPrimary", (select count(*)::int from dist_host o where o.dist_id = h.dist_id and o.host <> h.host) as others
    from dist_host h where h.dist_id = ${distId} and h.host = ${host}`.execute(trx);
  const row = rows[0];
  if (!row) throw errorOf('NOT_FOUND', 'host');
  if (row.isPrimary && row.others > 0)
    throw new AppError('BAD_INPUT', { text: '请先把另一个域名设为主域名，再移除它', field: 'host' });
  if (distId === PLATFORM_DIST_ID && row.others === 0)
    throw new AppError('BAD_INPUT', { text: '平台至少保留一个域名', field: 'host' });
  await sql`delete from dist_host where dist_id = ${distId} and host = ${host}`.execute(trx);
  await audit(trx, actor, 'brand.hostRemove', `brand:${distId}`, { host }, actor.ip);
}
