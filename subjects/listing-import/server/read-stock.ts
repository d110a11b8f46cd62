import type { z } from 'zod';
import { listingChange } from '#subjects/goods/contract/goods-bulk.ts';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { yuanLabel, yuanText } from '#contract/wire.ts';
import { countText } from '#server/import/numbers.ts';
import { readPrice } from '#server/import/price.ts';
import type { Problem, Values } from './read-publish.ts';

/** A listing of the seller that a row may refer to. */
export interface NamedListing {
  id: number;
  sn: string;
  priceFen: number;
  stock: number;
  isAccount: boolean;
  /** Its state (contract/rules/statuses.ts, GoodsStatus). */
  status: number;
}

export interface StockReading {
  problems: Problem[];
  notes: string[];
  /** Set when there is no problem and something changes. */
  change?: z.output<typeof listingChange>;
  /** The listing already has all these values. */
  isSame: boolean;
}

const ACTIONS: Readonly<Record<string, 'push' | 'pull'>> = {
  上架: 'push',
  出售中: 'push',
  下架: 'pull',
  已下架: 'pull',
};
/** State names used in the market's own exports. */
const STATES: ReadonlySet<string> = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8].map(offerStatusName));
/** A larger price difference is pointed out: a missing digit is the most expensive mistake in a file. */
const MUCH = 2;

/** Reads a row that changes price, quantity or state of a listing; texts as people write them in files. */
export function readStock(values: Values, listing: NamedListing | undefined): StockReading {
  const problems: Problem[] = [];
  const notes: string[] = [];
  const cell = (key: string): string => values[key]?.trim() ?? '';
  const raw: Record<string, unknown> = { goodsSn: listing?.sn ?? 'none' };
  if (cell('code') === '') problems.push({ field: 'code', text: '请填写编号' });
  else if (!listing) problems.push({ field: 'code', text: '您没有这个编号的商品' });
  const price = cell('price') === '' ? undefined : readPrice(cell('price'));
  if (price && 'error' in price) problems.push({ field: 'price', text: price.error });
  else if (price) {
    raw.price = yuanText(price.fen);
    if (price.deviation !== null) notes.push(`价格读作 ${yuanLabel(price.fen)} 元`);
    if (listing && (price.fen * MUCH < listing.priceFen || price.fen > listing.priceFen * MUCH))
      notes.push(`与现价 ${yuanLabel(listing.priceFen)} 元相差很大，请核对`);
  }
  if (cell('stock') !== '') raw.stock = countText(cell('stock'));
  if (listing?.isAccount && raw.stock !== undefined && raw.stock !== '1')
    problems.push({ field: 'stock', text: '账号只有一件，库存应为 1' });
  const stated = cell('act');
  // A list exported by the market contains the state of each listing.
  const wanted = listing && stated === offerStatusName(listing.status) ? '' : stated;
  const action = ACTIONS[wanted];
  if (action !== undefined) raw.act = action;
  else if (STATES.has(wanted)) notes.push(`状态“${wanted}”不能在这里设定，状态不变`);
  else if (wanted !== '') problems.push({ field: 'act', text: '应写“上架”或“下架”' });
  const parsed = listingChange.safeParse(raw);
  for (const issue of parsed.error?.issues ?? []) {
    const field = String(issue.path[0] ?? '');
    if (!problems.some((p) => p.field === field)) problems.push({ field, text: issue.message });
  }
  if (problems.length > 0 || !parsed.success || !listing) return { problems, notes, isSame: false };
  const { data } = parsed;
  const isSame =
    data.act === undefined &&
    (data.price ?? listing.priceFen) === listing.priceFen &&
    (data.stock ?? listing.stock) === listing.stock;
  return { problems, notes, change: data, isSame };
}
