import { CoinOfferStatus } from '#contract/rules/statuses.ts';
import type { z } from 'zod';
import type { findQuickCoin, getQuickCoinList } from '#subjects/quick-coin/contract/quick-coin.ts';
import { deliveryName } from '#contract/rules/catalogue.ts';
import { coinText, ratioText, unitPriceText, unitsPerYuan } from '../rules/coin.ts';
import { hoursText } from '#subjects/providers/rules/opening-hours.ts';
import type { Catalogue } from '#subjects/games/server/service.ts';
import { avatarUrl } from '#subjects/media/server/service.ts';
import type { OfferRow } from './queries.ts';

type OfferView = Omit<z.input<typeof getQuickCoinList.data>['list'][number], 'shop' | 'isMine'>;
type ShopCard = z.input<typeof findQuickCoin.data>['shop'];

const statusNames: Readonly<Record<number, string>> = {
  [CoinOfferStatus.OnSale]: '在售',
  [CoinOfferStatus.OffSale]: '已下架',
  [CoinOfferStatus.Removed]: '已删除',
  [CoinOfferStatus.Hidden]: '离线隐藏',
} satisfies Record<CoinOfferStatus, string>;

/** The name of a currency: the unit without its count. */
export const coinName = (unit: string): string => unit.replace(/^万/, '');

/** The public view of an offer. Amounts in fen. */
export function offerView(row: OfferRow, all: Catalogue): OfferView {
  const perYuan = unitsPerYuan(row.lotUnits, row.lotPriceFen);
  return {
    quickCoinSn: row.sn,
    gameId: row.gameId,
    gameName: all.known(row.gameId)?.name ?? '',
    areaId: row.areaId,
    areaName: row.areaName,
    serverId: row.serverId,
    serverName: row.serverName ?? '',
    camp: row.camp ?? '',
    quickCoinType: row.coinType,
    unit: row.unit as OfferView['unit'],
    lotUnits: row.lotUnits,
    lotPrice: row.lotPriceFen,
    ratioText: ratioText(perYuan, row.unit),
    unitPriceText: unitPriceText(perYuan, row.unit),
    stock: row.stock,
    minNum: row.minLots,
    maxNum: row.maxLots,
    delivery: row.delivery.map((id) => ({ id, name: deliveryName(id) })),
    shipMinutes: row.shipMinutes,
    bigTitle: titleOf(row, all),
    note: row.note,
    status: row.status,
    statusName: statusNames[row.status] ?? '',
    version: row.version,
    soldNum: row.soldLots,
    updateTime: row.updatedAt,
  };
}

/** The offer's own title, or else a description of what it offers. */
export function titleOf(row: OfferRow, all: Catalogue): string {
  if (row.title !== '') return row.title;
  const regionText = [row.areaName, row.serverName, row.camp].filter(Boolean).join(' ');
  return `${all.known(row.gameId)?.name ?? ''} ${regionText} ${coinText(row.lotUnits, row.unit)}/份`;
}

/** The shop behind an offer. */
export function shopView(row: OfferRow): ShopCard {
  return {
    userId: String(row.sellerId),
    name: row.shopName,
    avatar: avatarUrl(row.shopAvatar, row.shopName, row.sellerId),
    online: row.shopOnline,
    doneNum: row.shopDone,
    goodRate: row.shopRatingCount === 0 ? null : Math.round((row.shopRatingSum / row.shopRatingCount / 5) * 1000) / 10,
    averageShipMinutes: row.averageShipMinutes,
    depositName: row.depositName,
    hoursText: hoursText(row.shopHours ?? []),
  };
}
