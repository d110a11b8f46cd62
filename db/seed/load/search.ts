import { tokensOf, vectorText } from '#server/slices/goods/words.ts';
import { columns } from './bulk.ts';
import type { MarketGoods } from './goods.ts';

export const searchColumns = columns(
  `goods_id bigint, game_id int, type_id smallint, area_id int, server_id int, seller_id bigint, price_fen bigint, refreshed_at timestamptz,
  score int, n1 int, n2 int, n3 int, n4 int, tsv text>tsvector`,
);

/** The search row of goods on sale. */
export function searchRow(g: MarketGoods): unknown[] {
  const { made } = g;
  return [
    g.id,
    made.gameId,
    made.goodsTypeId,
    made.areaId,
    made.serverId,
    g.sellerId,
    made.priceFen,
    g.refreshedAt,
    0,
    null,
    null,
    null,
    null,
    vectorText(tokensOf(made.title)),
  ];
}
