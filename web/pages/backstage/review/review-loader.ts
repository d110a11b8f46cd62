import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from 'react-router';
import { reviewGoodsList } from '#contract/backstage-goods.ts';
import { gameList } from '#contract/common.ts';
import { market, optional } from '#web/lib/context.ts';

export const REVIEW_PAGE = 30;

/** The filters of the queue, as its address has them. */
export function reviewQuery(search: URLSearchParams) {
  const of = (name: string): string | undefined => search.get(name) || undefined;
  return { gameId: of('gameId'), goodsTypeId: of('goodsTypeId'), keyWord: of('keyWord') };
}

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const [queue, games] = await Promise.all([
    call(reviewGoodsList, { ...reviewQuery(args.url.searchParams), pageSize: REVIEW_PAGE }),
    optional(call(gameList, {})),
  ]);
  return { queue, games: (games?.list ?? []).map(({ id, name }) => ({ id, name })) };
}

/** Choosing a row changes the address and nothing that the list shows. */
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
