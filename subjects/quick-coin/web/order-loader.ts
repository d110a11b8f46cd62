import { AuthStatus } from '#contract/rules/statuses.ts';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { coinDiscount, coinRatioHistory, findQuickCoin } from '#subjects/quick-coin/contract/quick-coin.ts';
import { REST_FIELDS } from './storefront-query.ts';
import { market, optional } from '#web/lib/pages/context.ts';

const integer = (text: string | null): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0);

/** The offer, with the ratio of its area. */
export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const quickCoinSn = args.params.sn ?? args.url.searchParams.get('quickCoinSn');
  if (!quickCoinSn) return redirect('/fastGold/fastGoldOrder');
  const offer = await call(findQuickCoin, { quickCoinSn });
  const { gameId, areaId, quickCoinType } = offer;
  const [history, discounts] = await Promise.all([
    optional(call(coinRatioHistory, { gameId, areaId, quickCoinType })),
    user ? optional(call(coinDiscount, { quickCoinSn, num: offer.minNum })) : null,
  ]);
  const query = args.url.searchParams;
  return {
    /** The lots that the form starts with, within what the offer allows. */
    startNum: Math.max(offer.minNum, Math.min(integer(query.get('num')), offer.maxNum, offer.stock)),
    /** Units that a buyer who collects from several shops still needs after this order. */
    left: integer(query.get('left')),
    /** The rest of the search that the order is a part of, as the storefront's query. */
    restQuery: REST_FIELDS.map((name) => [name, integer(query.get(name))] as const)
      .filter(([, value]) => value > 0)
      .map(([name, value]) => `&${name}=${value}`)
      .join(''),
    offer,
    history,
    discounts,
    isVerified: user?.authStatus === AuthStatus.Verified,
    isAdult: user?.isAdult ?? false,
  };
}

export type OrderData = Exclude<Awaited<ReturnType<typeof loader>>, Response>;
