import { sql } from 'kysely';
import {
  type BrandContent,
  brandContent,
  changedFields,
  confOf,
} from '#subjects/distributors/contract/brand-content.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type BrandActor, type BrandRow, brandRow, checkReferences } from './rows.ts';

/** The part of the context that a write needs. */
export type BrandContext = Pick<Context, 'db' | 'bus' | 'dir'>;

/** Announces a change to all nodes; this node has applied it when the promise resolves. */
export async function announceBrands({ bus, dir }: Pick<BrandContext, 'bus' | 'dir'>): Promise<void> {
  await dir.reload();
  bus.publish('conf', {});
}

async function insertVersion(
  trx: Trx,
  v: {
    distId: number;
    version: number;
    content: BrandContent;
    reason: string;
    restoredFrom?: number;
    by: number | null;
  },
): Promise<void> {
  await sql`insert into brand_version (dist_id, version, content, reason, restored_from, created_by)
    values (${v.distId}, ${v.version}, ${JSON.stringify(v.content)}::jsonb, ${v.reason}, ${v.restoredFrom ?? null}, ${v.by})`.execute(
    trx,
  );
}

/** Stores what is live as a version, before the first save of a brand that has none. */
async function keepFirst(trx: Trx, brand: BrandRow): Promise<void> {
  const { rows } = await sql`select from brand_version where dist_id = ${brand.id} limit 1`.execute(trx);
  if (rows.length > 0) return;
  const { id: distId, version, content } = brand;
  await insertVersion(trx, { distId, version, content, reason: '安装时的设置', by: null });
}

/** Makes a stored version the live one; plans for it or for an older version are deleted. */
export async function goLive(
  trx: Trx,
  actor: BrandActor,
  live: { distId: number; version: number; content: BrandContent },
): Promise<void> {
  const { theme, ...conf } = confOf(live.content);
  await sql`update distributor set name = ${live.content.name}, conf = ${JSON.stringify(conf)}::jsonb, theme = ${JSON.stringify(theme)}::jsonb,
      games = ${live.content.games}, version = ${live.version} where id = ${live.distId}`.execute(trx);
  await sql`delete from brand_plan where dist_id = ${live.distId} and version <= ${live.version}`.execute(trx);
  await sql`insert into brand_publication (dist_id, version, published_by) values (${live.distId}, ${live.version}, ${actor.id})`.execute(
    trx,
  );
}

/** The error for an editor whose base is not the newest version: who saved, and when. Nothing is stored. */
export async function changedMeanwhile(trx: Trx, distId: number, newest: number): Promise<AppError> {
  const { rows } = await sql<{ name: string | null; at: string }>`
    select s.name, to_char(v.created_at at time zone 'Asia/Shanghai', 'HH24:MI') as at
    from brand_version v left join staff s on s.id = v.created_by where v.dist_id = ${distId} and v.version = ${newest}`.execute(
    trx,
  );
  const who = rows[0]?.name ?? '系统';
  return new AppError('CONTENT_CHANGED', {
    text: `${who} ${rows[0]?.at ?? ''} 已保存第 ${newest} 版；您的改动都还在，合并后再保存`,
    field: 'base',
  });
}

export interface SavedBrand {
  version: number;
  live: number;
}

/**
 * Saves a brand's content as a new version, and makes it live immediately with `publish`. `base` is the newest version that the editor has
 * seen: if another person has saved one since, nothing is stored and CONTENT_CHANGED names that person. Throws NOT_FOUND, BAD_INPUT with the
 * field, CONTENT_CHANGED.
 */
export async function saveVersion(
  ctx: BrandContext,
  actor: BrandActor,
  input: { distId: number; base: number; content: BrandContent; reason: string; publish: boolean },
): Promise<SavedBrand> {
  const { distId, content, reason, publish } = input;
  const saved = await inTransaction(ctx.db, async (trx) => {
    const brand = await brandRow(trx, distId, true);
    await keepFirst(trx, brand);
    if (brand.newest !== input.base) throw await changedMeanwhile(trx, distId, brand.newest);
    await checkReferences(trx, content);
    const version = brand.newest + 1;
    await insertVersion(trx, { distId, version, content, reason, by: actor.id });
    if (publish) await goLive(trx, actor, { distId, version, content });
    await sql`delete from brand_draft where dist_id = ${distId} and staff_id = ${actor.id}`.execute(trx);
    const detail = { version, fields: changedFields(brand.content, content).join(','), reason };
    await audit(trx, staffOf(actor), publish ? 'brand.publish' : 'brand.save', `brand:${distId}`, detail, actor.ip);
    return { version, live: publish ? version : brand.version };
  });
  if (publish) await announceBrands(ctx);
  return saved;
}

const staffOf = ({ id }: BrandActor): { id: number } | null => (id === null ? null : { id });

/**
 * Makes a stored version live. A draft is published as it is; an older version is restored as a new one, so that the numbers show the
 * history. `live` is the live version that the caller has seen. Throws NOT_FOUND, CONTENT_CHANGED, BAD_INPUT when pictures or games of the
 * version are gone.
 */
export async function publishVersion(
  ctx: BrandContext,
  actor: BrandActor,
  input: { distId: number; version: number; live: number; reason: string },
): Promise<SavedBrand> {
  const { distId, version, reason } = input;
  const saved = await inTransaction(ctx.db, async (trx) => {
    const brand = await brandRow(trx, distId, true);
    if (brand.version !== input.live) throw await changedMeanwhile(trx, distId, brand.version);
    const content = await contentOfVersion(trx, distId, version);
    await checkReferences(trx, content);
    const isDraft = version > brand.version;
    const number = isDraft ? version : brand.newest + 1;
    if (!isDraft)
      await insertVersion(trx, { distId, version: number, content, reason, restoredFrom: version, by: actor.id });
    await goLive(trx, actor, { distId, version: number, content });
    const detail = { version: number, reason, ...(!isDraft && { restoredFrom: version }) };
    await audit(trx, staffOf(actor), isDraft ? 'brand.publish' : 'brand.restore', `brand:${distId}`, detail, actor.ip);
    return { version: number, live: number };
  });
  await announceBrands(ctx);
  return saved;
}

/** The content of a version. Throws NOT_FOUND. */
export async function contentOfVersion(db: Trx, distId: number, version: number): Promise<BrandContent> {
  const { rows } = await sql<{ content: unknown }>`
    select content from brand_version where dist_id = ${distId} and version = ${version}`.execute(db);
  if (!rows[0]) throw errorOf('NOT_FOUND', 'version');
  return storedContent(rows[0].content);
}

/** A stored content; fields added in later releases have their empty value. */
export function storedContent(stored: unknown): BrandContent {
  const parsed = brandContent.safeParse(stored);
  return parsed.success ? parsed.data : (stored as BrandContent);
}

const CODE = /^[a-z][a-z0-9-]{1,29}$/;

/**
 * Creates a brand with its first version, which is live: reachable once it has a host. The commission is its share of the platform's
 * fees in basis points. Throws BAD_INPUT with the field: the code's format, a code that is taken.
 */
export async function insertBrand(
  trx: Trx,
  actor: BrandActor,
  input: { code: string; content: BrandContent; commissionBp: number; markUpBp: number; reason: string },
): Promise<number> {
  const { code, content, reason } = input;
  if (!CODE.test(code))
    throw new AppError('BAD_INPUT', {
      text: '代码用 2 到 30 个小写字母、数字和短横线，以字母开头，例如 xinghe',
      field: 'code',
    });
  await checkReferences(trx, content);
  const { theme, ...conf } = confOf(content);
  const { rows } = await sql<{ id: number }>`
    insert into distributor (code, name, conf, theme, games, commission_bp, mark_up_bp, version)
    values (${code}, ${content.name}, ${JSON.stringify(conf)}::jsonb, ${JSON.stringify(theme)}::jsonb, ${content.games}, ${input.commissionBp}, ${input.markUpBp}, 1)
    on conflict (code) do nothing returning id`.execute(trx);
  const distId = rows[0]?.id;
  if (distId === undefined) throw new AppError('BAD_INPUT', { text: '这个代码已被另一个品牌使用', field: 'code' });
  await insertVersion(trx, { distId, version: 1, content, reason, by: actor.id });
  await goLive(trx, actor, { distId, version: 1, content });
  await audit(trx, staffOf(actor), 'brand.create', `brand:${distId}`, { code, name: content.name, reason }, actor.ip);
  return distId;
}
