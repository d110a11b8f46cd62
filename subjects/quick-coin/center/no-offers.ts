import { CoinOfferStatus } from '#contract/rules/statuses.ts';

/** The state filters of a shop's own offers, in the order of their tabs; null is all of them. */
export const OFFER_TABS = [
  [null, '全部'],
  [CoinOfferStatus.OnSale, '在售'],
  [CoinOfferStatus.OffSale, '已下架'],
  [CoinOfferStatus.Hidden, '离线隐藏'],
] as const;

/** One of those filters. */
export type OfferTab = (typeof OFFER_TABS)[number][0];

interface NoOffers {
  title: string;
  text: string;
  /** Where the empty state leads: to the first offer, to the first page of the filter, or to all offers of the shop. */
  next: 'publish' | 'first' | 'all';
}

const NONE_OF_STATE: Readonly<Record<NonNullable<OfferTab>, [title: string, text: string]>> = {
  [CoinOfferStatus.OnSale]: ['没有在售的报价', '报价都已下架或暂时隐藏，上架一份就能接单。'],
  [CoinOfferStatus.OffSale]: ['没有已下架的报价', '下架的报价会留在这里，随时可以重新上架。'],
  [CoinOfferStatus.Hidden]: [
    '没有离线隐藏的报价',
    '您三天没有登录时，在售的报价会暂时隐藏在这里，再次登录后自动恢复。',
  ],
};

/** The message of an empty page of a shop's offers, by its filter, the number of matching offers, and the total number. */
export function noOffers(status: OfferTab, passing: number, all: number): NoOffers {
  if (all === 0)
    return { title: '这里还没有报价', text: '每份数量、价格、库存和交货方式填好就能上架。', next: 'publish' };
  if (passing > 0 || status === null)
    return { title: '这一页没有报价', text: `共有 ${passing} 份报价，都在前面的页里。`, next: 'first' };
  const [title, text] = NONE_OF_STATE[status];
  return { title, text: `${text}店铺共有 ${all} 份报价。`, next: 'all' };
}
