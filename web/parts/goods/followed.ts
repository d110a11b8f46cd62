import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { Data } from '#contract/endpoint.ts';
import type { followGoods } from '#subjects/goods/contract/follows.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';

/** A listing in the list of followed ones. */
export type Followed = Data<typeof followGoods>['list'][number];

/** Whether it is currently for sale. */
export function isOnSale(item: Followed): boolean {
  return item.status === GoodsStatus.OnSale;
}

/** How far its price has fallen since it was followed, in yuan text; null when it has not. */
export function fallen(item: Followed): string | null {
  const fen = fenOf(item.followPrice) - fenOf(item.price);
  return fen > 0 ? yuanOf(fen) : null;
}

/** The state of a followed listing as text: every state except on sale means that it was sold or taken off sale. */
export function stateText(status: number): string {
  if (status === GoodsStatus.OnSale) return '在售';
  return status === GoodsStatus.Locked ? '已被他人拍下' : status === GoodsStatus.Sold ? '已售出' : '已下架';
}
