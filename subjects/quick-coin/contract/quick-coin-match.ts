import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { shopCard } from './quick-coin.ts';
import { int, money, optionalInt } from '#contract/wire.ts';

const matchPart = z.object({
  quickCoinSn: z.string(),
  /** Lots to order, and the units of coin in them. */
  num: z.number().int(),
  amountText: z.string(),
  units: z.number().int(),
  ratioText: z.string(),
  unitPriceText: z.string(),
  shipMinutes: z.number().int(),
  delivery: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** With the buyer's service fee. */
  allInPrice: money,
  shop: shopCard,
});

/**
 * The cheapest way to buy an amount of coin from up to four shops of one area, all for one server and camp, compared with the cheapest single
 * shop. `match` is null when no shop sells there; `missing` is the number of units that four shops cannot supply.
 */
export const matchQuickCoin = endpoint({
  method: 'GET',
  path: '/api/quickCoin/matchQuickCoin',
  auth: 'public',
  summary: '按数量配多家店铺',
  input: z.object({
    gameId: int({ min: 1, max: 1_000_000, label: '游戏' }),
    areaId: int({ min: 1, max: 100_000_000, label: '大区' }),
    serverId: optionalInt({ max: 2_000_000_000, label: '服务器' }),
    quickCoinType: int({ min: 1, max: 99, label: '金币种类' }).default(1),
    delivery: optionalInt({ min: 1, max: 3, label: '交货方式' }),
    /** Units of the game's coin. */
    units: int({ min: 1, max: 999_999_999, label: '数量' }),
  }),
  data: z.object({
    match: z
      .object({
        parts: z.array(matchPart),
        amountText: z.string(),
        allInPrice: money,
        serverName: z.string(),
        camp: z.string(),
        missing: z.number().int(),
        missingText: z.string(),
        extraText: z.string(),
      })
      .nullable(),
    oneShop: matchPart.nullable(),
  }),
  limit: 'search',
});
