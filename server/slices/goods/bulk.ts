import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { bulkGoods } from '#contract/goods-bulk.ts';
import { priceByPercent } from '#contract/rules/offer.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { offerLimits } from '#contract/rules/offer-limits.ts';
import { yuanText } from '#contract/wire.ts';
import type { Idem, UserCall } from '#server/access/call.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { changePrice, moveOnShelf, refresh } from './edit.ts';

type Input = Parsed<typeof bulkGoods>;
type Item = HandlerResult<typeof bulkGoods>['list'][number];

const { priceMinFen: least, priceMaxFen: most } = offerLimits;

/** A price changed by percent. Throws BAD_INPUT beyond what may be asked. */
function byPercent(percent: number): (fromFen: number) => number {
  return (fromFen) => {
    const priceFen = priceByPercent(fromFen, percent);
    if (priceFen < least || priceFen > most)
      throw new AppError('BAD_INPUT', {
        text: `调整后为 ${yuanText(priceFen)} 元，应在 ${yuanText(least)} 到 ${yuanText(most)} 元之间`,
      });
    return priceFen;
  };
}

async function actOnOne(
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
      return { status: (await moveOnShelf(call, sn, act)).status, price: null };
  }
}

/**
 * One act on many goods of one's own, each in a transaction of its own: what is refused says why and keeps no other back. A fault of
 * ours ends the run; sent again under the same key it goes on, since each goods remembers the key.
 */
export async function actOnMany(call: UserCall, input: Input): Promise<HandlerResult<typeof bulkGoods>> {
  const list: Item[] = [];
  for (const goodsSn of new Set(input.goodsSnList)) {
    const idem = call.idem && { ...call.idem, key: `${call.idem.key}:${goodsSn}` };
    try {
      list.push({ goodsSn, ok: true, code: 0, msg: '', ...(await actOnOne(call, input, goodsSn, idem)) });
    } catch (error) {
      const refused = asAppError(error);
      if (!refused || refused.status >= 500) throw error;
      list.push({ goodsSn, ok: false, code: refused.code, msg: refused.text, status: null, price: null });
    }
  }
  return { done: list.filter(({ ok }) => ok).length, list };
}
