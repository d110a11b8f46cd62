import { GoodsStatus } from '#contract/rules/statuses.ts';
import { showValue } from '#subjects/games/rules/attr-text.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { mostViewGoodsList } from '#subjects/goods/contract/goods.ts';
import { goodsTypeName, usesJDetail } from '#contract/rules/catalogue.ts';
import { HIDDEN_TITLE } from '#contract/rules/contacts/contacts.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { sellerLevelName } from '#subjects/seller-levels/rules/standing.ts';
import type { Context } from '#server/context.ts';
import { siteFees } from '#server/directory/directory.ts';
import type { Trx } from '#server/db/client.ts';
import {
  BRIEF_COLUMNS,
  briefOf,
  type BriefRow,
  type UserBrief,
  userBriefs,
} from '#subjects/accounts/server/service.ts';
import { type Catalogue, catalogue, type Game, guaranteesOf } from '#subjects/games/server/service.ts';
import { FIRST_PICTURE, glyphOf, type PictureItem, pictureUrls } from '#subjects/media/server/service.ts';
import { isOfficial } from '../search/index-row.ts';
import { bandOf, REFERENCE_COLUMNS, type ReferenceRow } from '../prices/references.ts';
import { TERM_COLUMNS, type Terms } from '../terms/terms.ts';
import { visibleText } from './visible-text.ts';

/** A card of the contract, amounts in fen. */
export type Card = HandlerResult<typeof mostViewGoodsList>['list'][number];

/** The columns that a card is built from. */
export interface CardRow extends Terms, ReferenceRow {
  distId: number;
  id: number;
  sn: string;
  sellerId: number;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  title: string;
  priceFen: number;
  stock: number;
  attrs: Record<string, unknown>;
  picture: PictureItem;
  pictureCount: number;
  official: boolean;
  inspectedAt: Date | null;
  status: number;
  refreshedAt: Date;
  createdAt: Date;
  views: number;
}

/** Columns of CardRow, of goods `g`, goods_stat `st` and goods_reference `rf` (`CARD_JOINS`). */
export const CARD_COLUMNS = sql`
  g.id, g.sn, g.dist_id as "distId", g.seller_id as "sellerId", g.game_id as "gameId", g.type_id as "typeId", g.area_id as "areaId", g.server_id as "serverId", g.title,
  g.price_fen as "priceFen", g.stock, g.attrs, ${FIRST_PICTURE} as picture, jsonb_array_length(g.pictures) as "pictureCount", g.official,
  ${TERM_COLUMNS}, g.inspected_at as "inspectedAt", g.status, g.refreshed_at as "refreshedAt",
  g.created_at as "createdAt", coalesce(st.views, 0) as views, ${REFERENCE_COLUMNS}`;

/** The tables joined to goods `g` for CARD_COLUMNS. */
export const CARD_JOINS = sql`left join goods_stat st on st.goods_id = g.id left join goods_reference rf on rf.goods_id = g.id`;

const CHIPS = 5;

/** Lists the protections of a listing's buyer (product.md 3, securitService). */
const servicesOf = (row: CardRow): string =>
  ['平台托管', row.guaranteeOk && '可包赔', row.inspectedAt !== null && '已验号', isOfficial(row) && '平台交付']
    .filter((word) => word !== false)
    .join(',');

/** Listings by id, in no order; `onSale` leaves out those that are no longer on sale. */
export async function cardRows(db: Trx, ids: readonly number[], onSale: boolean): Promise<CardRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<CardRow>`select ${CARD_COLUMNS} from goods g ${CARD_JOINS}
    where g.id = any(${[...ids]}::bigint[]) and (g.status = ${sql.lit(GoodsStatus.OnSale)} or not ${onSale}::boolean)`.execute(
    db,
  );
  return rows;
}

/** Settings, catalogue and sellers needed to build cards. */
export interface CardKit {
  all: Catalogue;
  sellers: ReadonlyMap<number, UserBrief>;
  /** The buyer's charges on top of the price on this site: the platform's service fee and the brand's mark-up. */
  buyerBp: number;
  /** The guarantees offered for a game. */
  guarantees: (gameId: number) => readonly { bp: number; minFen: number }[];
  /** The visible part of a seller's text. */
  shown: (text: string) => string;
}

/** The properties of the site that affect the price on a card. */
type Priced = { readonly markUpBp: number };

/** Loads the data for cards of these sellers; sellers are read unless they are passed in. */
export async function cardKit(
  ctx: Context,
  dist: Priced,
  given: readonly number[] | ReadonlyMap<number, UserBrief>,
): Promise<CardKit> {
  const [all, sellers] = await Promise.all([
    catalogue(ctx),
    given instanceof Map ? given : userBriefs(ctx.db, given as readonly number[]),
  ]);
  return {
    all,
    sellers,
    buyerBp: siteFees(ctx.dir, dist).buyerBp,
    guarantees: (gameId) => guaranteesOf(ctx, gameId),
    shown: (text) => visibleText(ctx, text),
  };
}

/** URL of a listing's page; types 2 and 22 have separate pages (product.md 2). */
export const pageUrlOf = (goods: { sn: string; typeId: number }): string =>
  `/${usesJDetail(goods.typeId) ? 'JDetail' : 'detail'}/${goods.sn}`;

/** Area and server as text. */
export function regionText(all: Catalogue, goods: { areaId: number | null; serverId: number | null }): string {
  const area = goods.areaId === null ? '' : (all.area(goods.areaId)?.name ?? '');
  const server = goods.serverId === null ? '' : (all.server(goods.serverId)?.name ?? '');
  return [area, server].filter(Boolean).join(' ');
}

/** The first attributes, as shown on cards of the game. */
function chipsOf({ all, shown }: CardKit, game: Game, row: CardRow): { label: string; value: string }[] {
  const chips: { label: string; value: string }[] = [];
  for (const field of all.fieldsOf(game.id, row.typeId)) {
    if (chips.length === CHIPS) break;
    if (!field.inCard) continue;
    const value = showValue(field, row.attrs[field.key], false);
    if (value !== '') chips.push({ label: field.label, value: shown(value) });
  }
  return chips;
}

/** The seller part of a card. */
export function sellerOf(brief: UserBrief): Card['seller'] {
  return {
    sellerId: String(brief.id),
    nickName: brief.nickName,
    avatar: brief.avatar,
    level: brief.sellerLevel,
    levelName: sellerLevelName(brief.sellerLevel),
    online: brief.online,
    lastSeenTime: brief.lastSeenAt,
    soldNum: brief.soldCount,
    goodRate: brief.goodRate,
  };
}

/** Price, service fee, all-in price and cheapest guarantee of a row, in fen. */
export function pricesOf(
  kit: Pick<CardKit, 'buyerBp' | 'guarantees'>,
  row: { priceFen: number; guaranteeOk: boolean; gameId: number },
) {
  const serviceFee = feeOf(row.priceFen, kit.buyerBp);
  const fees = row.guaranteeOk
    ? kit.guarantees(row.gameId).map((g) => feeOf(row.priceFen, g.bp, { minFen: g.minFen }))
    : [];
  return {
    price: row.priceFen,
    serviceFee,
    allInPrice: row.priceFen + serviceFee,
    ensureFrom: fees.length === 0 ? null : Math.min(...fees),
  };
}

/** One card; undefined when its game is disabled. */
export function cardOf(kit: CardKit, row: CardRow): Card | undefined {
  const game = kit.all.game(row.gameId);
  const seller = kit.sellers.get(row.sellerId);
  if (!game || !seller) return undefined;
  return {
    goodsSn: row.sn,
    goodsTypeId: row.typeId,
    goodsTypeStr: game.goodsTypes.find((t) => t.id === row.typeId)?.name ?? goodsTypeName(row.typeId),
    gameId: game.id,
    gameName: game.name,
    crossId: row.serverId ?? row.areaId,
    crossName: regionText(kit.all, row),
    bigTitle: kit.shown(row.title) || HIDDEN_TITLE,
    ...pricesOf(kit, row),
    chips: chipsOf(kit, game, row),
    thumbnail: pictureUrls(row.picture, game.code).thumb,
    pictureNum: row.pictureCount,
    hue: game.hue,
    glyph: glyphOf(game),
    isOfficialSell: isOfficial(row),
    distId: row.distId,
    securitService: servicesOf(row),
    ensureOpen: row.guaranteeOk,
    inspectedTime: row.inspectedAt,
    bargainOpen: row.bargainOk,
    stock: row.stock,
    views: row.views,
    status: row.status,
    band: bandOf(row),
    seller: sellerOf(seller),
    createTime: row.createdAt,
    updateTime: row.refreshedAt,
    pageUrl: pageUrlOf(row),
  };
}

/** Cards of rows, in the order of the rows. */
export async function loadCards(ctx: Context, dist: Priced, rows: readonly CardRow[]): Promise<Card[]> {
  if (rows.length === 0) return [];
  const kit = await cardKit(
    ctx,
    dist,
    rows.map((r) => r.sellerId),
  );
  return rows.flatMap((row) => cardOf(kit, row) ?? []);
}

/** Cards of the listings on sale, in the order of `ids`. Listings and sellers are read in one statement. */
export async function cards(ctx: Context, dist: Priced, ids: readonly number[]): Promise<Card[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<CardRow & BriefRow>`select ${CARD_COLUMNS}, ${BRIEF_COLUMNS}
    from goods g join app_user u on u.id = g.seller_id ${CARD_JOINS}
    where g.id = any(${[...ids]}::bigint[]) and g.status = ${sql.lit(GoodsStatus.OnSale)}`.execute(ctx.db);
  const sellers = new Map(rows.map((row) => [row.sellerId, briefOf(row.sellerId, row)]));
  const kit = await cardKit(ctx, dist, sellers);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return (row && cardOf(kit, row)) ?? [];
  });
}
