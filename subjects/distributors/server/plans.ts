/** Versions of brands that go live at a time. */
import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { sql } from 'kysely';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type BrandActor, brandRow, checkReferences } from './rows.ts';
import { announceBrands, type BrandContext, changedMeanwhile, contentOfVersion, goLive } from './versions.ts';

/** Tolerance for a browser clock that is behind. */
const SLACK_MS = 60_000;

export interface BrandPlan {
  distId: number;
  version: number;
  /** The live version that the caller has seen. */
  live: number;
  startsAt: Date;
  reason: string;
}

/**
 * Schedules a draft to go live at a time; a brand's new plan replaces its previous one. Throws NOT_FOUND, CONTENT_CHANGED, BAD_INPUT with the
 * field for a time in the past, a version that was live before, and pictures or games that no longer exist.
 */
export async function planVersion(
  ctx: BrandContext,
  actor: BrandActor & { id: number },
  { distId, version, live, startsAt, reason }: BrandPlan,
): Promise<void> {
  if (startsAt.getTime() < Date.now() - SLACK_MS)
    throw new AppError('BAD_INPUT', { text: '这个时间已经过去；要马上发布请留空', field: 'startTime' });
  await inTransaction(ctx.db, async (trx) => {
    const brand = await brandRow(trx, distId, true);
    if (brand.version !== live) throw await changedMeanwhile(trx, distId, brand.version);
    if (version <= brand.version)
      throw new AppError('BAD_INPUT', { text: '以前的版本请先填入表单，存为草稿版后再定时', field: 'startTime' });
    await checkReferences(trx, await contentOfVersion(trx, distId, version));
    await sql`
      insert into brand_plan (dist_id, version, starts_at, reason, created_by) values (${distId}, ${version}, ${startsAt}, ${reason}, ${actor.id})
      on conflict (dist_id) do update set version = excluded.version, starts_at = excluded.starts_at, reason = excluded.reason,
        created_by = excluded.created_by, created_at = now()`.execute(trx);
    await schedule(trx, 'brand.begin', distId, startsAt);
    const detail = { version, startsAt: startsAt.toISOString(), reason };
    await audit(trx, actor, 'brand.plan', `brand:${distId}`, detail, actor.ip);
  });
}

/** Cancels a plan. Throws NOT_FOUND when there is none. */
export async function dropPlan(ctx: BrandContext, actor: BrandActor & { id: number }, distId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ version: number }>`
      delete from brand_plan where dist_id = ${distId} returning version`.execute(trx);
    if (!rows[0]) throw errorOf('NOT_FOUND', 'plannedBrand');
    await audit(trx, actor, 'brand.unplan', `brand:${distId}`, { version: rows[0].version }, actor.ip);
  });
}

/** Makes the planned version of a brand live at its time. Does nothing if the plan was cancelled or moved. */
export async function beginPlanned(ctx: BrandContext, distId: number): Promise<void> {
  const isLive = await inTransaction(ctx.db, async (trx) => {
    const brand = await brandRow(trx, distId, true);
    const { rows } = await sql<{ version: number; reason: string; by: number | null }>`
      select version, reason, created_by as by from brand_plan where dist_id = ${distId} and starts_at <= now()`.execute(
      trx,
    );
    const [plan] = rows;
    if (!plan || plan.version <= brand.version) return false;
    const content = await contentOfVersion(trx, distId, plan.version);
    await checkReferences(trx, content);
    await goLive(trx, { id: plan.by }, { distId, version: plan.version, content });
    const detail = { version: plan.version, reason: plan.reason, planned: true };
    await audit(trx, plan.by === null ? null : { id: plan.by }, 'brand.publish', `brand:${distId}`, detail);
    return true;
  });
  if (isLive) await announceBrands(ctx);
}

/**
 * Stops a brand from accepting orders, with a notice on its site, or reopens it; idempotent. Open orders continue. The platform's own brand
 * is always open. Throws NOT_FOUND, BAD_INPUT.
 */
export async function setSuspended(
  ctx: BrandContext,
  actor: BrandActor & { id: number },
  input: { distId: number; suspended: boolean; notice: string; reason: string },
): Promise<void> {
  const { distId, suspended, notice, reason } = input;
  if (distId === PLATFORM_DIST_ID) throw new AppError('BAD_INPUT', { text: '平台自己的站点不能暂停', field: 'act' });
  await inTransaction(ctx.db, async (trx) => {
    await brandRow(trx, distId, true);
    const { rows } = await sql`
      update distributor set suspended_at = case when ${suspended}::boolean then coalesce(suspended_at, clock_timestamp()) end, suspend_notice = ${suspended ? notice : ''}
      where id = ${distId} and case when ${suspended}::boolean then suspended_at is null or suspend_notice <> ${notice} else suspended_at is not null end
      returning id`.execute(trx);
    if (rows.length === 0) return;
    const detail = { notice, reason };
    await audit(trx, actor, suspended ? 'brand.suspend' : 'brand.resume', `brand:${distId}`, detail, actor.ip);
  });
  await announceBrands(ctx);
}
