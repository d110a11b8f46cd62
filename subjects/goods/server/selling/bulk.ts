import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { sql } from 'kysely';
import type { bulkGoods, editGoodsList } from '#subjects/goods/contract/goods-bulk.ts';
import { priceByPercent } from '../../rules/listing-states.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { offerLimits } from '../../rules/offer-limits.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Idem, UserCall } from '#server/access/call.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { changePrice, changePriceAndStock, changeSaleState, changeTitle, type PriceAndStock, refresh } from './edit.ts';

type Input = Parsed<typeof bulkGoods>;
type Item = HandlerResult<typeof bulkGoods>['list'][number];

const { priceMinFen: minFen, priceMaxFen: maxFen } = offerLimits;

/** A function that changes a price by a percentage. It throws BAD_INPUT outside the allowed prices. */
function byPercent(percent: number): (fromFen: number) => number {
  return (fromFen) => {
    const priceFen = priceByPercent(fromFen, percent);
    if (priceFen < minFen || priceFen > maxFen)
      throw new AppError('BAD_INPUT', {
        text: `调整后为 ${yuanLabel(priceFen)} 元，应在 ${yuanLabel(minFen)} 到 ${yuanLabel(maxFen)} 元之间`,
      });
    return priceFen;
  };
}

async function applyToOne(
  call: UserCall,
  { act: action, percent }: Input,
  sn: string,
  idem: Idem | undefined,
): Promise<Pick<Item, 'status' | 'price'>> {
  switch (action) {
    case 'price': {
      const { priceFen, status } = await changePrice(call, sn, byPercent(percent ?? 0), idem);
      return { status, price: priceFen };
    }
    case 'refresh':
      await refresh(call, sn, idem);
      return { status: GoodsStatus.OnSale, price: null };
    default:
      return { status: (await changeSaleState(call, sn, action)).status, price: null };
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

type Parts = Parsed<typeof editGoodsList>['list'][number];
type Change = Omit<Parts, 'bigTitle' | 'was'> & Partial<Pick<Parts, 'bigTitle' | 'was'>>;
type Changed = HandlerResult<typeof editGoodsList>['list'][number];

/** Throws GOODS_CHANGED with the field when a value differs from the one that the seller saw. */
function requireUnchanged(was: Change['was'], now: PriceAndStock): void {
  if (was?.price !== undefined && was.price !== now.priceFen)
    throw new AppError('GOODS_CHANGED', {
      text: `价格已变为 ${yuanLabel(now.priceFen)} 元，请核对后再改`,
      field: 'price',
    });
  if (was?.stock !== undefined && was.stock !== now.stock)
    throw new AppError('GOODS_CHANGED', { text: `库存已变为 ${now.stock}，请核对后再改`, field: 'stock' });
}

/** Changes one listing: title and terms together, then whether it is on sale. */
async function changeOne(call: UserCall, { goodsSn, bigTitle, price, stock, act: action, was }: Change): Promise<void> {
  const terms = { ...(price !== undefined && { priceFen: price }), ...(stock !== undefined && { stock }) };
  const idem = call.idem && { ...call.idem, key: `${call.idem.key}:${goodsSn}` };
  if (bigTitle !== undefined) {
    const now = was && (await loadFigures(call, [goodsSn])).get(goodsSn);
    if (now) requireUnchanged(was, now);
    await changeTitle(call, goodsSn, { bigTitle, ...terms });
  } else if (Object.keys(terms).length > 0)
    await changePriceAndStock(
      call,
      goodsSn,
      (now) => {
        requireUnchanged(was, now);
        return terms;
      },
      idem,
    );
  if (action !== undefined) await changeSaleState(call, goodsSn, action);
}

/** The current values of the caller's listings. */
async function loadFigures({ ctx, user }: UserCall, sns: readonly string[]) {
  const { rows } = await sql<{ sn: string; priceFen: number; stock: number; status: number }>`
    select sn, price_fen as "priceFen", stock, status from goods where seller_id = ${user.id} and sn = any(${[...sns]}::text[])`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.sn, row]));
}

/**
 * Changes one listing of the caller and returns its new price, stock and status. Passes on the errors of the change.
 */
export async function changeListing(
  call: UserCall,
  change: Change,
): Promise<{ goodsSn: string; price: number; stock: number; status: number }> {
  await changeOne(call, change);
  const now = (await loadFigures(call, [change.goodsSn])).get(change.goodsSn);
  if (!now) throw new AppError('GOODS_NOT_FOUND');
  return { goodsSn: now.sn, price: now.priceFen, stock: now.stock, status: now.status };
}

/**
 * Applies a separate change to each of many listings of the caller. An error is reported with its field and does not stop the other
 * changes. An internal error ends the run; repeated under the same key, the run continues.
 */
export async function changeMany(
  call: UserCall,
  list: readonly Change[],
): Promise<HandlerResult<typeof editGoodsList>> {
  const failures = new Map<string, AppError>();
  for (const change of list) {
    try {
      await changeOne(call, change);
    } catch (error) {
      const appError = asAppError(error);
      if (!appError || appError.status >= 500) throw error;
      failures.set(change.goodsSn, appError);
    }
  }
  const sns = [...new Set(list.map(({ goodsSn }) => goodsSn))];
  const figures = await loadFigures(call, sns);
  const results = sns.map((goodsSn): Changed => {
    const failure = failures.get(goodsSn);
    const now = figures.get(goodsSn);
    return {
      goodsSn,
      ok: failure === undefined,
      code: failure?.code ?? 0,
      msg: failure?.text ?? '',
      field: failure?.field ?? '',
      price: now?.priceFen ?? null,
      stock: now?.stock ?? null,
      status: now?.status ?? null,
    };
  });
  return { done: results.filter(({ ok }) => ok).length, list: results };
}
