import type { Data } from '#contract/endpoint.ts';
import type { editGoodsList } from '#subjects/goods/contract/goods-bulk.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { offerLimits } from '../../rules/offer-limits.ts';
import { offerActions } from '../../rules/listing-states.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import type { OwnGoods } from './goods-loader.ts';

/** The editable columns. */
export const CELLS = ['bigTitle', 'price', 'stock', 'act'] as const;
export type Cell = (typeof CELLS)[number];

/** The edited values by listing and column; unchanged cells are absent. */
export type Edits = Readonly<Record<string, Partial<Record<Cell, string>>>>;

/** The value of a cell before it is edited. */
export function original(goods: OwnGoods, cell: Cell): string {
  if (cell === 'act') return '';
  return cell === 'stock' ? String(goods.stock) : goods[cell];
}

/** Whether a cell can be edited in the listing's state. */
export function isEditable(goods: OwnGoods, cell: Cell): boolean {
  const actions = offerActions(goods.status);
  if (cell === 'bigTitle') return actions.includes('edit');
  if (cell === 'act') return actions.includes('push') || actions.includes('pull');
  return actions.includes('price') && !(cell === 'stock' && accountTypes.includes(goods.goodsTypeId));
}

/** The edits with one cell changed; a cell set back to its original value is removed. */
export function typed(edits: Edits, goods: OwnGoods, cell: Cell, text: string): Edits {
  const { [goods.goodsSn]: row = {}, ...others } = edits;
  const { [cell]: _, ...rest } = row;
  const next = text === original(goods, cell) ? rest : { ...rest, [cell]: text };
  return Object.keys(next).length === 0 ? others : { ...others, [goods.goodsSn]: next };
}

/** Why an edited cell is invalid; undefined when it is valid. */
export function problemOf(cell: Cell, text: string): string | undefined {
  if (cell === 'price') {
    const { priceMinFen: min, priceMaxFen: max } = offerLimits;
    const wrong = amountError(text, '价格', yuanOf(max));
    if (wrong !== null) return wrong;
    return fenOf(text) < min || fenOf(text) > max
      ? `价格应在 ${grouped(yuanOf(min))} 到 ${grouped(yuanOf(max))} 元之间`
      : undefined;
  }
  if (cell === 'stock')
    return /^\d{1,6}$/.test(text) && Number(text) <= offerLimits.stockMax
      ? undefined
      : `库存应为 0 到 ${offerLimits.stockMax} 的整数`;
  if (cell === 'bigTitle')
    return text.trim().length >= offerLimits.titleMin ? undefined : `标题至少 ${offerLimits.titleMin} 个字`;
  return undefined;
}

/** The edits as the request input, each with the original value of its cell (`origins`). */
export function changesOf(edits: Edits, origins: Edits) {
  return Object.entries(edits).map(([goodsSn, { bigTitle, price, stock, act: action }]) => {
    const from = origins[goodsSn];
    return {
      goodsSn,
      ...(bigTitle !== undefined && { bigTitle }),
      ...(price !== undefined && { price }),
      ...(stock !== undefined && { stock }),
      ...((action === 'push' || action === 'pull') && { act: action as 'push' | 'pull' }),
      was: {
        ...(price !== undefined && from?.price !== undefined && { price: from.price }),
        ...(stock !== undefined && from?.stock !== undefined && { stock: from.stock }),
      },
    };
  });
}

/** The remaining edits after those of `sent` were saved: cells edited since then, and rows that `failed`. */
export function unsavedOf(edits: Edits, sent: Edits, failed: ReadonlySet<string>): Edits {
  return Object.fromEntries(
    Object.entries(edits).flatMap(([goodsSn, row]) => {
      const gone = failed.has(goodsSn) ? {} : (sent[goodsSn] ?? {});
      const left = Object.fromEntries(
        CELLS.flatMap((cell) => (row[cell] === undefined || row[cell] === gone[cell] ? [] : [[cell, row[cell]]])),
      );
      return Object.keys(left).length === 0 ? [] : [[goodsSn, left]];
    }),
  );
}

export type Changed = Data<typeof editGoodsList>['list'];

/** The available states of a listing. */
export function actionsOf(status: number): readonly (readonly [value: string, label: string])[] {
  const actions = offerActions(status);
  const now = status === GoodsStatus.OnSale ? '出售中' : '不变';
  return [
    ['', now],
    ...(actions.includes('push') ? ([['push', '上架']] as const) : []),
    ...(actions.includes('pull') ? ([['pull', '下架']] as const) : []),
  ];
}
