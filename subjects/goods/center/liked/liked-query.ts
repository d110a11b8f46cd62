import type { followShows } from '#subjects/goods/contract/follows.ts';

export type LikedShow = (typeof followShows)[number];

export const LIKED_PATH = '/center/buyLikedGoods';
export const LIKED_PAGE = 20;

/** The filters of the list, in the order of the tabs. */
export const LIKED_TABS: readonly { show: LikedShow; label: string }[] = [
  { show: 'all', label: '全部' },
  { show: 'onSale', label: '在售' },
  { show: 'fallen', label: '降价' },
  { show: 'gone', label: '已失效' },
];

/** Parses the filter; an unknown value means the whole list. */
export function likedShow(query: URLSearchParams): LikedShow {
  return LIKED_TABS.find(({ show }) => show === query.get('show'))?.show ?? 'all';
}

/** URL of a filter. */
export function likedPath(show: LikedShow): string {
  return show === 'all' ? LIKED_PATH : `${LIKED_PATH}?show=${show}`;
}
