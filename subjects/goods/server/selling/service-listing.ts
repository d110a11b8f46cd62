import { sql } from 'kysely';
import { offerLimits } from '../../rules/offer-limits.ts';
import { checkAttrs } from '#subjects/games/rules/attrs.ts';
import { oneLineText, plainLines } from '../../rules/listing-states.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Game } from '#subjects/games/server/service.ts';
import { type Finding, withoutContacts } from '../review/findings.ts';
import { saveFindings } from '../review/findings.ts';
import { reindexGoods } from '../search/reindex.ts';
import { insertGoods, publishSubmitted, record } from './release.ts';
import { SERVICE_TERMS } from '../terms/terms.ts';

/**
 * A service as its provider's listing: it has no region, unlimited stock, and no own pictures. The price is per unit, in
 * fen.
 */
export interface ServiceListing {
  /** The listing to change; null for a new one. */
  goodsId: number | null;
  distId: number;
  sellerId: number;
  game: Game;
  typeId: number;
  title: string;
  scope: string;
  priceFen: number;
  /** Values of the game's fields for this type of goods. */
  attrs: Readonly<Record<string, unknown>>;
  onSale: 'on' | 'off' | 'removed';
  /**
   * Other changes of the package: its content (reviewed again), or terms whose latest version a buyer must have seen.
   */
  changed: 'work' | 'terms' | null;
}

/** Units that can be ordered at the same time; the provider's open orders are the real limit. */
const STOCK = 9999;

interface Stored {
  id: number;
  title: string;
  description: string;
  priceFen: number;
  attrs: Record<string, unknown>;
  status: number;
}

type Texts = Readonly<Record<'title' | 'description', string>> & {
  readonly attrs: Parameters<typeof insertGoods>[1]['offer']['attrs'];
  readonly findings: Finding[];
};

/** A new listing, submitted for review. */
async function publishListing(
  ctx: Context,
  trx: Trx,
  listing: ServiceListing,
  { title, description, attrs, findings }: Texts,
): Promise<number> {
  const created = await insertGoods(trx, {
    distId: listing.distId,
    sellerId: listing.sellerId,
    gameId: listing.game.id,
    typeId: listing.typeId,
    offer: {
      areaId: null,
      serverId: null,
      title,
      description,
      priceFen: listing.priceFen,
      stock: STOCK,
      attrs,
      fieldsVersion: listing.game.fieldsVersion,
      source: null,
      ...SERVICE_TERMS,
      findings,
    },
    pictures: [],
    account: null,
  });
  await saveFindings(ctx, trx, created.id, findings);
  await record(trx, created.id, 'published', `user:${listing.sellerId}`);
  await publishSubmitted(trx, created.id, listing.sellerId);
  return created.id;
}

/**
 * Stores a provider's service as a listing: a new one and changed texts are reviewed before they are on sale, price and pauses are not.
 * Returns the listing's id. Throws BAD_INPUT with the field of the package, GOODS_STATE while it is under review by staff's block.
 */
export async function saveServiceListing(ctx: Context, trx: Trx, listing: ServiceListing): Promise<number> {
  const findings: Finding[] = [];
  const title = withoutContacts(
    ctx.blockedWords,
    { label: '标题', field: 'packages', original: oneLineText(listing.title) },
    findings,
  );
  if (title.length < offerLimits.titleMin)
    throw new AppError('BAD_INPUT', {
      text: `标题至少 ${offerLimits.titleMin} 个字，不能只有联系方式`,
      field: 'packages',
    });
  const description = withoutContacts(
    ctx.blockedWords,
    { label: '服务内容', field: 'packages', original: plainLines(listing.scope) },
    findings,
  );
  const fields = listing.game.fields.filter((f) => !f.retired && f.goodsTypes.includes(listing.typeId));
  const known = new Set(fields.map(({ key }) => key));
  const stated = Object.fromEntries(Object.entries(listing.attrs).filter(([key]) => known.has(key)));
  const { values: attrs, errors } = checkAttrs(fields, stated);
  for (const [, sentence] of errors) throw new AppError('BAD_INPUT', { text: sentence, field: 'packages' });
  const actor = `user:${listing.sellerId}`;
  if (listing.goodsId === null) {
    return await publishListing(ctx, trx, listing, { title, description, attrs, findings });
  }
  const { rows } = await sql<Stored>`select id, title, description, price_fen as "priceFen", attrs, status from goods
    where id = ${listing.goodsId} and seller_id = ${listing.sellerId} for update`.execute(trx);
  const stored = rows[0];
  if (!stored) throw new AppError('GOODS_NOT_FOUND');
  const isChanged =
    stored.title !== title ||
    stored.description !== description ||
    !sameAttrs(stored.attrs, attrs) ||
    listing.changed === 'work';
  const status = nextStatus(stored.status, listing.onSale, isChanged);
  if (!isChanged && listing.changed === null && status === stored.status && stored.priceFen === listing.priceFen)
    return stored.id;
  await sql`update goods set title = ${title}, description = ${description}, price_fen = ${listing.priceFen}, attrs = ${JSON.stringify(attrs)}::jsonb,
      fields_version = ${listing.game.fieldsVersion}, stock = ${STOCK}, status = ${status}, version = version + 1, updated_at = now()
    where id = ${stored.id}`.execute(trx);
  if (status === GoodsStatus.Reviewing) {
    await saveFindings(ctx, trx, stored.id, findings);
    await publishSubmitted(trx, stored.id, listing.sellerId);
  }
  const changed = changesOf(stored, { title, description, attrs }, listing);
  if (changed.length > 0) await record(trx, stored.id, 'edited', actor, { changed });
  const sale = SALE_EVENTS[status];
  if (sale !== undefined && status !== stored.status) await record(trx, stored.id, sale, actor, {});
  await reindexGoods(ctx, trx, stored.id);
  return stored.id;
}

/** The history entry of a listing that its seller puts on sale again, takes off sale or removes. */
const SALE_EVENTS: Readonly<Record<number, string>> = {
  [GoodsStatus.OnSale]: 'on',
  [GoodsStatus.OffSale]: 'off',
  [GoodsStatus.Removed]: 'removed',
} satisfies Partial<Record<GoodsStatus, string>>;

/**
 * The names of an edit's changes, for the listing's history. A route from rank to rank is one of the package's values.
 */
function changesOf(
  stored: Stored,
  { title, description, attrs }: Pick<Texts, 'title' | 'description' | 'attrs'>,
  { changed, priceFen }: Pick<ServiceListing, 'changed' | 'priceFen'>,
): string[] {
  const names: [string, boolean][] = [
    ['title', stored.title !== title],
    ['description', stored.description !== description],
    ['attrs', changed === 'work' || !sameAttrs(stored.attrs, attrs)],
    ['price', stored.priceFen !== priceFen],
    ['terms', changed === 'terms'],
  ];
  return names.flatMap(([name, isDifferent]) => (isDifferent ? [name] : []));
}

const sameAttrs = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean =>
  Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);

function nextStatus(status: number, onSale: ServiceListing['onSale'], isChanged: boolean): number {
  if (onSale === 'removed') return GoodsStatus.Removed;
  const again = isChanged || status === GoodsStatus.Rejected || status === GoodsStatus.Reviewing;
  if (again) return GoodsStatus.Reviewing;
  return onSale === 'on' ? GoodsStatus.OnSale : GoodsStatus.OffSale;
}
