import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from 'react-router';
import { type ReviewGoods, reviewGoods, reviewGoodsList } from '#subjects/goods/contract/staff-review.ts';
import { codes } from '#contract/codes.ts';
import { gameList } from '#subjects/games/contract/games.ts';
import { market, marketContext, optional } from '#web/lib/pages/context.ts';
import { attempt } from '#web/lib/api/attempt.ts';

export const REVIEW_PAGE = 30;
/** The format of a listing number; anything else matches nothing. */
const SN = /^[A-Za-z0-9-]{1,32}$/;

/** The filters of the queue, from the URL. */
export function reviewQuery(search: URLSearchParams) {
  const of = (name: string): string | undefined => search.get(name) || undefined;
  return { gameId: of('gameId'), goodsTypeId: of('goodsTypeId'), keyWord: of('keyWord') };
}

/** The listing that the URL names when it is beyond the first page; null when it is not pending review. */
async function namedGoods(args: LoaderFunctionArgs, goodsSn: string): Promise<ReviewGoods | null> {
  if (!SN.test(goodsSn)) return null;
  const result = await attempt(args.context.get(marketContext).call(reviewGoods, { goodsSn }));
  if (result.ok) return result.data;
  if (result.code === codes.GOODS_NOT_FOUND[0]) return null;
  return await market(args).call(reviewGoods, { goodsSn });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const [queue, games] = await Promise.all([
    call(reviewGoodsList, { ...reviewQuery(args.url.searchParams), pageSize: REVIEW_PAGE }),
    optional(call(gameList, {})),
  ]);
  const sn = args.url.searchParams.get('sn');
  const isListed = sn === null || queue.list.some(({ goodsSn }) => goodsSn === sn);
  const named = isListed ? null : await namedGoods(args, sn);
  return { queue, named, games: (games?.list ?? []).map(({ id, name }) => ({ id, name })) };
}

/** Selecting a row changes the URL but not the list. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const without = (url: URL): string => {
    const search = new URLSearchParams(url.search);
    search.delete('sn');
    return search.toString();
  };
  const isSame = currentUrl.pathname === nextUrl.pathname && without(currentUrl) === without(nextUrl);
  return isSame && currentUrl.search !== nextUrl.search && !formMethod ? false : defaultShouldRevalidate;
}
