/** Brands in the back office: permission checks, then the service. Staff of a brand have access only to their own. */
import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { SwitchStatus, GameStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/distributors/contract/staff-brands.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission, requirePlatform } from '#server/access/permissions.ts';
import { inTransaction } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { changeHost, deleteHost } from '../hosts.ts';
import { dropPlan, planVersion, setSuspended } from '../plans.ts';
import { keepDraft, previewAddress } from '../preview.ts';
import { brandRow, checkReferences } from '../rows.ts';
import { addHost, createBrand, DEFAULT_COMMISSION_BP } from '../brands.ts';
import { feesNeedSecond } from '../terms.ts';
import {
  announceBrands,
  contentOfVersion,
  publishVersion,
  type SavedBrand,
  saveVersion,
  storedContent,
} from '../versions.ts';

const VERSIONS = 50;

/** For staff of a brand, other brands do not exist. Throws NOT_FOUND. */
function requireOwn({ staff }: StaffCall, distId: number): void {
  if (staff.distId !== null && staff.distId !== distId) throw errorOf('NOT_FOUND', 'brand');
}

const actorOf = ({ staff, ip }: StaffCall) => ({ id: staff.id, ip });

/** The brands that the caller may see. Throws FORBIDDEN. */
export async function listBrands({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof c.staffBrandList>> {
  requirePermission(staff, 'brand.read');
  const { rows } = await sql<HandlerResult<typeof c.staffBrandList>['list'][number]>`
    select d.id as "distId", d.code, d.name, coalesce(d.conf->'pictArea'->>'webIcon', '') as icon,
      coalesce((d.theme->>'hue')::float8, 221) as hue, coalesce((d.theme->>'chroma')::float8, 1) as chroma,
      array(select h.host from dist_host h where h.dist_id = d.id order by h.is_primary desc, h.created_at, h.host) as hosts,
      d.suspended_at is not null as "isSuspended", d.version as live, coalesce((select max(v.version) from brand_version v where v.dist_id = d.id), d.version) as newest,
      p.published_at as "publishTime", p.name as "publishedBy"
    from distributor d left join lateral (
      select b.published_at, s.name from brand_publication b left join staff s on s.id = b.published_by
      where b.dist_id = d.id order by b.id desc limit 1) p on true
    where d.status = ${sql.lit(SwitchStatus.On)} ${ownSite(staff, sql`d.id`)} order by d.id`.execute(ctx.db);
  return { list: rows, mayCreate: staff.distId === null && staffCan(staff, 'brand.manage') };
}

async function loadVersions(call: StaffCall, distId: number) {
  const { rows } = await sql<HandlerResult<typeof c.staffBrandInfo>['versions'][number]>`
    select v.version, v.reason, v.restored_from as "restoredFrom", s.name as "staffName", v.created_at as "createTime",
      p.published_at as "publishTime", p.name as "publishedBy"
    from brand_version v left join staff s on s.id = v.created_by left join lateral (
      select b.published_at, t.name from brand_publication b left join staff t on t.id = b.published_by
      where b.dist_id = v.dist_id and b.version = v.version order by b.id desc limit 1) p on true
    where v.dist_id = ${distId} order by v.version desc limit ${VERSIONS}`.execute(call.ctx.db);
  return rows;
}

/** The terms of a brand, newest first; null for staff who may not see them. */
async function loadTerms({ ctx, staff }: StaffCall, distId: number) {
  if (distId === PLATFORM_DIST_ID || staff.distId !== null || !staffCan(staff, 'brand.terms')) return null;
  const { rows } = await sql<NonNullable<HandlerResult<typeof c.staffBrandInfo>['terms']>['list'][number]>`
    select t.version, t.mark_up_bp as "markUpBp", t.commission_bp as "commissionBp", t.starts_at as "startTime", t.starts_at > now() as "isAhead",
      t.reason, s.name as "staffName" from brand_terms t left join staff s on s.id = t.created_by
    where t.dist_id = ${distId} order by t.version desc limit ${VERSIONS}`.execute(ctx.db);
  const now = ctx.dir.byId(distId);
  return {
    base: rows[0]?.version ?? 0,
    markUpBp: now?.markUpBp ?? 0,
    commissionBp: now?.commissionBp ?? 0,
    list: rows,
  };
}

/** Whether a brand accepts orders, and its planned version. */
async function loadState({ ctx }: StaffCall, distId: number) {
  const [{ rows: suspended }, { rows: plans }] = await Promise.all([
    sql<{ since: Date; notice: string }>`
      select suspended_at as since, suspend_notice as notice from distributor where id = ${distId} and suspended_at is not null`.execute(
      ctx.db,
    ),
    sql<{ version: number; startTime: Date; reason: string; staffName: string | null }>`
      select p.version, p.starts_at as "startTime", p.reason, s.name as "staffName" from brand_plan p left join staff s on s.id = p.created_by
      where p.dist_id = ${distId}`.execute(ctx.db),
  ]);
  return { suspended: suspended[0] ?? null, plan: plans[0] ?? null };
}

/** A brand with its versions, hosts, terms and the caller's working copy. Throws FORBIDDEN, NOT_FOUND. */
export async function brandInfo(
  call: StaffCall,
  { distId }: Parsed<typeof c.staffBrandInfo>,
): Promise<HandlerResult<typeof c.staffBrandInfo>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'brand.read');
  requireOwn(call, distId);
  const brand = await brandRow(ctx.db, distId);
  const isPlatform = staff.distId === null;
  const [newest, hosts, drafts, games, versions, terms, state] = await Promise.all([
    brand.newest === brand.version ? brand.content : contentOfVersion(ctx.db, distId, brand.newest),
    sql<{ host: string; isPrimary: boolean; redirects: boolean }>`
      select h.host, h.is_primary as "isPrimary", h.redirects from dist_host h where h.dist_id = ${distId}
      order by h.is_primary desc, h.created_at, h.host`.execute(ctx.db),
    sql<{ content: unknown; time: Date }>`
      select f.content, f.updated_at as time from brand_draft f
      where f.dist_id = ${distId} and f.staff_id = ${staff.id} and f.base_version = ${brand.newest}`.execute(ctx.db),
    sql<{
      gameId: number;
      name: string;
    }>`select id as "gameId", name from game where status = ${sql.lit(GameStatus.Open)} order by name`.execute(ctx.db),
    loadVersions(call, distId),
    loadTerms(call, distId),
    loadState(call, distId),
  ]);
  const [draft] = drafts.rows;
  return {
    distId,
    code: brand.code,
    live: brand.version,
    newest: brand.newest,
    liveContent: brand.content,
    newestContent: newest,
    draft: draft ? { content: storedContent(draft.content), time: draft.time } : null,
    hosts: hosts.rows,
    ...state,
    terms,
    versions,
    games: games.rows,
    may: {
      edit: staffCan(staff, 'brand.edit'),
      manage: isPlatform && staffCan(staff, 'brand.manage'),
      terms: terms !== null,
    },
  };
}

/** The content of one version. Throws FORBIDDEN, NOT_FOUND. */
export async function brandVersion(
  call: StaffCall,
  { distId, version }: Parsed<typeof c.staffBrandVersion>,
): Promise<HandlerResult<typeof c.staffBrandVersion>> {
  requirePermission(call.staff, 'brand.read');
  requireOwn(call, distId);
  return { content: await contentOfVersion(call.ctx.db, distId, version) };
}

/**
 * Creates a brand. Platform staff only. Once the market has orders, a brand starts with the default commission: another one needs two people
 * (decision 536). Throws FORBIDDEN, BAD_INPUT with the field.
 */
export async function create(call: StaffCall, input: Parsed<typeof c.staffCreateBrand>): Promise<{ distId: number }> {
  requirePlatform(call.staff, 'brand.manage');
  if (input.commissionBp !== DEFAULT_COMMISSION_BP && (await feesNeedSecond(call.ctx.db)))
    throw new AppError('BAD_INPUT', {
      text: `新品牌先按 ${DEFAULT_COMMISSION_BP / 100}% 的佣金开立；其他费率请在开立后的「加价与佣金」里提交，由另一位同事复核`,
      field: 'commissionBp',
    });
  return await createBrand(call.ctx, actorOf(call), input);
}

/** Saves a version. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with the field, CONTENT_CHANGED. */
export async function save(call: StaffCall, input: Parsed<typeof c.saveBrand>): Promise<SavedBrand> {
  requirePermission(call.staff, 'brand.edit');
  requireOwn(call, input.distId);
  return await saveVersion(call.ctx, actorOf(call), input);
}

/** Publishes a draft, immediately or from a time on, or brings back an older version. Throws FORBIDDEN, NOT_FOUND, CONTENT_CHANGED, BAD_INPUT. */
export async function publish(call: StaffCall, input: Parsed<typeof c.publishBrand>): Promise<SavedBrand> {
  requirePermission(call.staff, 'brand.edit');
  requireOwn(call, input.distId);
  const { startTime, ...version } = input;
  if (startTime === undefined) return await publishVersion(call.ctx, actorOf(call), version);
  await planVersion(call.ctx, actorOf(call), { ...version, startsAt: startTime });
  return { version: input.version, live: input.live };
}

/** Cancels a planned publication. Throws FORBIDDEN, NOT_FOUND. */
export async function unplan(call: StaffCall, { distId }: Parsed<typeof c.unplanBrand>): Promise<void> {
  requirePermission(call.staff, 'brand.edit');
  requireOwn(call, distId);
  await dropPlan(call.ctx, actorOf(call), distId);
}

/** Stops a brand from accepting orders, or reopens it. Platform staff only. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT. */
export async function suspend(call: StaffCall, input: Parsed<typeof c.suspendBrand>): Promise<void> {
  requirePlatform(call.staff, 'brand.manage');
  const { distId, act: action, notice, reason } = input;
  await setSuspended(call.ctx, actorOf(call), { distId, suspended: action === 'suspend', notice, reason });
}

/** Stores the working copy and signs its preview URL. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with the field. */
export async function preview(
  call: StaffCall,
  input: Parsed<typeof c.previewBrand>,
): Promise<HandlerResult<typeof c.previewBrand>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'brand.edit');
  requireOwn(call, input.distId);
  const { distId, base, content } = input;
  await brandRow(ctx.db, distId);
  await checkReferences(ctx.db, content);
  const saveTime = await keepDraft(ctx, { distId, staffId: staff.id, base, content });
  const { url, until } = previewAddress(ctx, { distId, staffId: staff.id });
  return { url, untilTime: until, saveTime };
}

/** Deletes the caller's working copy. Throws FORBIDDEN. */
export async function dropDraft(call: StaffCall, { distId }: Parsed<typeof c.dropBrandDraft>): Promise<void> {
  requirePermission(call.staff, 'brand.edit');
  requireOwn(call, distId);
  await sql`delete from brand_draft where dist_id = ${distId} and staff_id = ${call.staff.id}`.execute(call.ctx.db);
}

/** Adds a host. Platform staff only. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT. */
export async function hostAdd(call: StaffCall, input: Parsed<typeof c.addBrandHost>): Promise<{ host: string }> {
  requirePlatform(call.staff, 'brand.manage');
  return await addHost(call.ctx, actorOf(call), input);
}

/** Changes or removes a host. Platform staff only. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT. */
export async function hostChange(call: StaffCall, input: Parsed<typeof c.changeBrandHost>): Promise<void> {
  requirePlatform(call.staff, 'brand.manage');
  const { distId, host, act: action } = input;
  await inTransaction(call.ctx.db, async (trx) => {
    if (action === 'remove') await deleteHost(trx, actorOf(call), { distId, host });
    else await changeHost(trx, actorOf(call), { distId, host, act: action });
  });
  await announceBrands(call.ctx);
}
