/** The only functions that create and change brands (docs/decisions/243). */
import { type BrandContent, brandContent, emptyContent } from '#subjects/distributors/contract/brand-content.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { checkedHost, insertHost } from './hosts.ts';
import { type BrandActor, brandRow } from './rows.ts';
import { checkRates } from './terms.ts';
import { announceBrands, insertBrand, type SavedBrand, saveVersion } from './versions.ts';

/** The part of the context that these functions need. */
export type BrandServiceContext = Pick<Context, 'db' | 'bus' | 'dir' | 'config'>;

/** The default share of the platform's fees: 20 % (db/migrations/0001_baseline.sql). */
export const DEFAULT_COMMISSION_BP = 2000;

/** A complete content from some of its fields. Throws BAD_INPUT with the field below `content`. */
function completed(base: BrandContent, fields: Partial<BrandContent>): BrandContent {
  const parsed = brandContent.safeParse({ ...base, ...fields });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = ['content', ...(issue?.path ?? [])].map(String).join('.');
  throw new AppError('BAD_INPUT', { text: issue?.message ?? '提交的内容有误', field: path });
}

/**
 * Creates a brand with its first version and, with `host`, its address; both or neither. Live on all nodes when the promise resolves
 * (bus channel `conf`). Rates are in basis points. Throws BAD_INPUT with the field: `code`, `name`, `host`, `commissionBp`, `markUpBp`,
 * or one below `content`.
 */
export async function createBrand(
  ctx: BrandServiceContext,
  actor: BrandActor,
  input: {
    code: string;
    name: string;
    host?: string | undefined;
    commissionBp?: number | undefined;
    markUpBp?: number | undefined;
    content?: Partial<BrandContent> | undefined;
    reason: string;
  },
): Promise<{ distId: number }> {
  const { code, name, reason, commissionBp = DEFAULT_COMMISSION_BP, markUpBp = 0 } = input;
  const content = completed(emptyContent(name), { ...input.content, name });
  const host = input.host ? checkedHost(ctx.config, input.host) : undefined;
  checkRates({ markUpBp, commissionBp }, ctx.dir.setting('fees').inviteBp);
  const distId = await inTransaction(ctx.db, async (trx) => {
    const id = await insertBrand(trx, actor, { code, content, commissionBp, markUpBp, reason });
    if (host !== undefined) await insertHost(trx, actor, { distId: id, host, redirects: false });
    return id;
  });
  await announceBrands(ctx);
  return { distId };
}

/**
 * Adds a host to a brand; the first one becomes the primary one. With `redirects`, its pages redirect to the primary host. Throws NOT_FOUND,
 * BAD_INPUT with the field `host` and the correct form.
 */
export async function addHost(
  ctx: BrandServiceContext,
  actor: BrandActor,
  input: { distId: number; host: string; redirects?: boolean | undefined },
): Promise<{ host: string }> {
  const host = checkedHost(ctx.config, input.host);
  await inTransaction(ctx.db, (trx) =>
    insertHost(trx, actor, { distId: input.distId, host, redirects: input.redirects ?? false }),
  );
  await announceBrands(ctx);
  return { host };
}

/**
 * Changes some fields of a brand over its newest version, as a new version that is live immediately unless `publish` is false. Throws
 * NOT_FOUND, BAD_INPUT with the field below `content`, CONTENT_CHANGED when another person saved concurrently.
 */
export async function updateBrand(
  ctx: BrandServiceContext,
  actor: BrandActor,
  input: { distId: number; content: Partial<BrandContent>; reason: string; publish?: boolean | undefined },
): Promise<SavedBrand> {
  const { distId, reason, publish = true } = input;
  const brand = await brandRow(ctx.db, distId);
  const content = completed(brand.content, input.content);
  return await saveVersion(ctx, actor, { distId, base: brand.newest, content, reason, publish });
}
