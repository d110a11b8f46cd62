import { NO_STANDING } from '#subjects/valuation/rules/price-reference.ts';
import { searchRowOf } from '#subjects/goods/server/search/index-row.ts';
import { columns } from '../bulk.ts';
import type { MarketGoods } from './market-goods.ts';
import { gameOf, regionNames } from './values.ts';

export const searchColumns = columns(
  `goods_id bigint, game_id int, type_id smallint, area_id int, server_id int, seller_id bigint, price_fen bigint, refreshed_at timestamptz,
  score int, n1 int, n2 int, n3 int, n4 int, tsv text>tsvector`,
);

/** The search row of goods on sale, as the application makes it. `buyerBp` is the buyer's service fee, part of the all-in price. */
export function searchRow(g: MarketGoods, buyerBp: number): unknown[] {
  const { seed: made } = g;
  const row = searchRowOf(
    {
      goodsId: g.id,
      sellerId: g.sellerId,
      gameId: made.gameId,
      typeId: made.goodsTypeId,
      areaId: made.areaId,
      serverId: made.serverId,
      title: made.title,
      attrs: made.attrs,
      priceFen: made.priceFen,
      official: made.official,
      bargainOk: made.bargainOk,
      guaranteeOk: made.guaranteeOk,
      inspected: made.inspected,
      pictureCount: made.pictureCount,
      sellerLevel: g.sellerLevel,
      refreshedAt: g.refreshedAt,
      // References are written after the first fit of the models.
      standing: NO_STANDING,
    },
    gameOf(made.gameId),
    regionNames(made.gameId, made.areaId, made.serverId),
    buyerBp,
  );
  const region = [row.gameId, row.typeId, row.areaId, row.serverId];
  return [row.goodsId, ...region, row.sellerId, row.priceFen, row.refreshedAt, row.score, ...row.n, row.tsv];
}
