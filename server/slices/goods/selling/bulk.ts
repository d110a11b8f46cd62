import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { bulkGoods } from '#contract/goods-bulk.ts';
import { priceByPercent } from '#contract/rules/offer.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { offerLimits } from '#contract/rules/offer-limits.ts';
import { yuanText } from '#contract/wire.ts';
import type { Idem, UserCall } from '#server/access/call.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { changePrice, changeSaleState, refresh } from './edit.ts';

type Input = Parsed<typeof bulkGoods>;
type Item = HandlerResult<typeof bulkGoods>['list'][number];

const { priceMinFen: minFen, priceMaxFen: maxFen } = offerLimits;

/** A function that changes a price by a percentage. It throws BAD_INPUT outside the allowed prices. */
function byPercent(percent: number): (fromFen: number) => number {
  return (fromFen) => {
    const priceFen = priceByPercent(fromFen, percent);
    if (priceFen < minFen || priceFen > maxFen)
      throw new AppError('BAD_INPUT', {
        text: `调整后为 ${yuanText(priceFen)} 元，应在 ${yuanText(minFen)} 到 ${yuanText(maxFen)} 元之间`,
      });
    return priceFen;
  };
}

async function applyToOne(
  call: UserCall,
  { act, percent }: Input,
  sn: string,
  idem: Idem | undefined,
): Promise<Pick<Item, 'status' | 'price'>> {
  switch (act) {
    case 'price': {
      const { priceFen, status } = await changePrice(call, sn, byPercent(percent ?? 0), idem);
      return { status, price: priceFen };
    }
    case 'refresh':
      await refresh(call, sn, idem);
      return { status: GoodsStatus.OnSale, price: null };
    default:
      return { status: (await changeSaleState(call, sn, act)).status, price: null };
  }
}

/**
 * Applies one action to many of the caller's listings, each in its own transaction: an error is reported for its listing and does not
 * stop the others. An internal error ends the run; repeated under the same key it continues, since each listing has its own key.
 */
export async function applyToMany(call: UserCall, input: Input): Promise<HandlerResult<typeof bulkGoods>> {
  const list: Item[] = [];
  for (const goodsSn of new Set(input.goodsSnList)) {
    const idem = call.idem && { ...call.idem, key: `${call.idem.key}:${goodsSn}` };
    try {
      list.push({ goodsSn, ok: true, code: 0, msg: '', ...(await applyToOne(call, input, goodsSn, idem)) });
    } catch (error) {
      const appError = asAppError(error);
      if (!appError || appError.status >= 500) throw error;
      list.push({ goodsSn, ok: false, code: appError.code, msg: appError.text, status: null, price: null });
    }
  }
  return { done: list.filter(({ ok }) => ok).length, list };
}
