/** List, search and goods calls that no two are the same of, built from the goods of a market. */
import { MAX_FEN } from '#contract/rules/amounts.ts';
import type { Catalogue } from '#server/slices/games/service.ts';
import { filterOf, type Goods, keywordOf, yuan } from './samples.ts';

export type Kind = 'list' | 'search' | 'goods';

const listPath = (query: Record<string, string>): string =>
  `/api/goods/getGoodsList?${new URLSearchParams({ pageSize: '20', ...query }).toString()}`;

/** The `i`th question of a kind; no two are the same, and each finds something. */
export function questions(all: Catalogue, goods: readonly Goods[]): Record<Kind, (i: number) => string> {
  const at = (i: number): Goods => goods[i % goods.length] as Goods;
  return {
    list(i) {
      const g = at(i);
      const filter = filterOf(all.fieldsOf(g.gameId, g.typeId), g, Math.floor(i / 7));
      return listPath({
        gameId: String(g.gameId),
        goodsTypeId: String(g.typeId),
        sort: 'priceAsc',
        // A unique bound makes the request a new one.
        minPrice: yuan(Math.floor(g.priceFen * 0.3) + i),
        ...(filter && { details: JSON.stringify(filter) }),
      });
    },
    search(i) {
      const g = at(i);
      return listPath({
        keyWord: keywordOf(g.title, 2 + (i % 3)),
        maxPrice: yuan(Math.min(g.priceFen * 20, MAX_FEN - 1_000_000) + i),
      });
    },
    goods: (i) => `/api/goods/goodsInfo?goodsSn=${at(i).sn}`,
  };
}
