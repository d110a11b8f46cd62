import { AuthStatus } from '#contract/rules/statuses.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { type LoaderFunctionArgs } from 'react-router';
import { gameList } from '#subjects/games/contract/games.ts';
import type { Data } from '#contract/endpoint.ts';
import { middlemanFee, middlemanInfo, middlemanList } from '#subjects/middleman/contract/middleman.ts';
import { market, marketContext, optional } from '#web/lib/pages/context.ts';
import { loginPath } from '#web/lib/pages/paths.ts';
import { attempt } from '#web/lib/api/attempt.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, user } = market(args);
  const query = args.url.searchParams;
  const [dealSn, code] = [query.get('dealSn'), query.get('code')];
  const [fee, games, own, deal] = await Promise.all([
    request(middlemanFee, {}),
    request(gameList, {}),
    user ? optional(request(middlemanList, { pageSize: 10 })) : null,
    dealSn ? attempt(args.context.get(marketContext).call(middlemanInfo, { dealSn, ...(code && { code }) })) : null,
  ]);
  return {
    fee,
    games: games.list.map(({ id, name, goodsTypeAndNameMap }) => ({
      id,
      name,
      goodsTypes: Object.entries(goodsTypeAndNameMap)
        .filter(([typeId]) => !isService(Number(typeId)))
        .map(([typeId, typeName]) => ({ id: typeId, name: typeName })),
    })),
    own: own?.list ?? [],
    deal,
    code,
    origin: args.url.origin,
    login: user ? null : loginPath(args.url),
    isVerified: user?.authStatus === AuthStatus.Verified,
  };
}

export type PageData = Awaited<ReturnType<typeof loader>>;
export type Deal = Data<typeof middlemanInfo>;
