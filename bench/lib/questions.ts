/** List, search and goods calls that no two are the same of, built from the goods of a market. */
import { MAX_FEN } from '#contract/rules/amounts.ts';
import type { Catalogue } from '#subjects/games/server/service.ts';
import { filterOf, type Goods, keywordOf, yuan } from './samples.ts';

export type Kind = 'list' | 'search' | 'goods';

const listPath = (query: Record<string, string>): string =>
  `/api/goods/getGoodsList?${new URLSearchParams({ pageSize: '20', ...query }).toString()}`;

/** A list of a game's goods with a filter that these goods pass; a unique bound makes it a new one. */
export function listQuery(all: Catalogue, goods: Goods, i: number): Record<string, string> {
  const filter = filterOf(all.fieldsOf(goods.gameId, goods.typeId), goods, Math.floor(i / 7));
  return {
    gameId: String(goods.gameId),
    goodsTypeId: String(goods.typeId),
    sort: 'priceAsc',
    minPrice: yuan(Math.floor(goods.priceFen * 0.3) + i),
    ...(filter && { details: JSON.stringify(filter) }),
  };
}

/** A search that these goods answer; a unique bound makes it a new one. */
export const searchQuery = (goods: Goods, i: number): Record<string, string> => ({
  keyWord: keywordOf(goods.title, 2 + (i % 3)),
  maxPrice: yuan(Math.min(goods.priceFen * 20, MAX_FEN - 1_000_000) + i),
});

/** The `i`th question of a kind; no two are the same, and each finds something. */
export function questions(all: Catalogue, goods: readonly Goods[]): Record<Kind, (i: number) => string> {
  const at = (i: number): Goods => goods[i % goods.length] as Goods;
  return {
    list: (i) => listPath(listQuery(all, at(i), i)),
    search: (i) => listPath(searchQuery(at(i), i)),
    goods: (i) => `/api/goods/goodsInfo?goodsSn=${at(i).sn}`,
  };
}
