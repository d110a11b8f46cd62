import { GoodsStatus } from '#contract/rules/statuses.ts';
import { feeOf } from '#contract/rules/fee.ts';

const names: Readonly<Record<number, string>> = {
  [GoodsStatus.Draft]: '草稿',
  [GoodsStatus.Reviewing]: '审核中',
  [GoodsStatus.OnSale]: '出售中',
  [GoodsStatus.OffSale]: '已下架',
  [GoodsStatus.Locked]: '交易中',
  [GoodsStatus.Sold]: '已售出',
  [GoodsStatus.Rejected]: '未通过',
  [GoodsStatus.Hidden]: '已隐藏',
  [GoodsStatus.Removed]: '已删除',
} satisfies Record<GoodsStatus, string>;

/** The display name of a state for the seller. */
export function offerStatusName(status: number): string {
  return names[status] ?? '其他';
}

/** The seller's actions for a listing: 'push' puts it back on sale, 'pull' takes it off. */
export type OfferAction = 'edit' | 'price' | 'push' | 'pull' | 'refresh' | 'remove';

const actions: Readonly<Record<number, readonly OfferAction[]>> = {
  [GoodsStatus.Reviewing]: ['edit', 'price', 'remove'],
  [GoodsStatus.OnSale]: ['price', 'edit', 'refresh', 'pull', 'remove'],
  [GoodsStatus.OffSale]: ['push', 'price', 'edit', 'remove'],
  [GoodsStatus.Rejected]: ['edit', 'price', 'remove'],
  [GoodsStatus.Hidden]: ['push', 'price', 'edit', 'pull', 'remove'],
  // A listing in a trade, sold or removed can no longer be changed; a draft is edited by its own form.
  [GoodsStatus.Draft]: [],
  [GoodsStatus.Locked]: [],
  [GoodsStatus.Sold]: [],
  [GoodsStatus.Removed]: [],
} satisfies Record<GoodsStatus, readonly OfferAction[]>;

/**
 * The actions available to the seller of a listing in this state; used for the server's permission check and the page's
 * buttons.
 */
export function offerActions(status: number): readonly OfferAction[] {
  return actions[status] ?? [];
}

/** Actions that a seller can apply to many listings together. */
export const bulkActions = ['push', 'pull', 'refresh', 'price', 'remove'] as const;
export type BulkAction = (typeof bulkActions)[number];
/** Maximum listings of one bulk action; a page of the seller's list has twenty. */
export const BULK_MAX = 50;
/** Limits of a price change, in percent. */
export const PERCENT_MIN = -90;
export const PERCENT_MAX = 100;

/** A price in fen, changed by whole percent and rounded to the fen. */
export function priceByPercent(priceFen: number, percent: number): number {
  return Math.round((priceFen * (100 + percent)) / 100);
}

/** A fee setting as far as a price needs it: rates in hundredths of a percent, the most that the seller pays in fen. */
export interface OfferFees {
  sellerBp: number;
  sellerMaxFen: number;
  buyerBp: number;
}

/**
 * The amounts that follow from a price, in fen: the seller's commission and net amount; the buyer's fee and total
 * (domain.md 3).
 */
export function offerMoney(
  priceFen: number,
  fees: OfferFees,
): { commissionFen: number; netFen: number; serviceFeeFen: number; allInFen: number } {
  const commissionFen = feeOf(priceFen, fees.sellerBp, { maxFen: fees.sellerMaxFen });
  const serviceFeeFen = feeOf(priceFen, fees.buyerBp);
  return { commissionFen, netFen: priceFen - commissionFen, serviceFeeFen, allInFen: priceFen + serviceFeeFen };
}

/** Key of the saved draft of a publishing form, by game and goods type. */
export function sellDraftKey(gameId: number, goodsTypeId: number): string {
  return `sell:${gameId}:${goodsTypeId}`;
}

/** Key of the saved draft of an edit. */
export function editDraftKey(goodsSn: string): string {
  return `edit:${goodsSn}`;
}

/** Invisible characters, with which a contact could be hidden from the filter. */
const HIDDEN = /[\u200b-\u200f\u2028-\u202e\u2060\ufeff]/g;

/** Normalises one line of a seller's text: no invisible characters, single spaces. */
export function oneLineText(text: string): string {
  return text.replace(HIDDEN, '').replace(/\s+/g, ' ').trim();
}

/** Normalises several lines of a seller's text: no invisible characters, at most one empty line in a row. */
export function plainLines(text: string): string {
  return text
    .replace(HIDDEN, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
