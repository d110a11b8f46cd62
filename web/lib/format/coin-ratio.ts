import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { amountUnit, coinUnits, isGameCoin, usesJDetail } from '#contract/rules/catalogue.ts';
import { ratioText, unitPriceText, unitsPerYuan } from '#subjects/quick-coin/rules/coin.ts';
import { fenOf } from './format.ts';

const AMOUNT = /^([\d,]+)(\D+)$/;

/**
 * The ratio of a coin listing (units per yuan, price per unit), computed from the amount among a card's attributes;
 * null for all other listings. Coin has no price band: its offers are compared by their ratio.
 */
export function coinRatio({
  goodsTypeId,
  chips,
  price,
}: Pick<GoodsCard, 'goodsTypeId' | 'chips' | 'price'>): { ratio: string; unitPrice: string } | null {
  if (!usesJDetail(goodsTypeId)) return null;
  for (const { value } of chips) {
    const [, digits = '', unit = ''] = AMOUNT.exec(value) ?? [];
    const amount = Number(digits.replaceAll(',', ''));
    const isUnit = isGameCoin(goodsTypeId)
      ? coinUnits.some((known) => known === unit)
      : unit === amountUnit(goodsTypeId, undefined);
    if (amount > 0 && isUnit) {
      const perYuan = unitsPerYuan(amount, fenOf(price));
      return { ratio: ratioText(perYuan, unit), unitPrice: unitPriceText(perYuan, unit) };
    }
  }
  return null;
}
