import { type LoaderFunctionArgs, redirect } from 'react-router';
import { crossList, gameList } from '#subjects/games/contract/games.ts';
import { coinRatioHistory, getQuickCoinList } from '#subjects/quick-coin/contract/quick-coin.ts';
import { matchQuickCoin } from '#subjects/quick-coin/contract/quick-coin-match.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { withoutStale } from '#web/lib/lists/stale-params.ts';
import { matchInput, parseStorefront, storefrontInput, storefrontPath } from './storefront-query.ts';

/** Goods type that a game with coin trades. */
const COIN = '2';

/** The storefront with the names for the numbers in its URL, and the area's ratio with its chart. */
export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const query = args.url.searchParams;
  const filters = parseStorefront(query);
  const { list: allGames } = await call(gameList, {});
  const games = allGames
    .filter((g) => COIN in g.goodsTypeAndNameMap)
    .map(({ id, name, coinUnit }) => ({ id, name, coinUnit }));
  const state = { ...filters, gid: filters.gid ?? games[0]?.id ?? null };
  const game = games.find(({ id }) => id === state.gid) ?? null;
  const arealess = { ...filters, areaId: null, serverId: null };
  if (state.gid !== null && !game) return redirect(withoutStale(storefrontPath({ ...arealess, gid: null }), ['gid']));
  const cross = game ? await optional(call(crossList, { gameId: game.id })) : null;
  const areas = (cross?.list ?? []).map((a) => ({ id: a.specialId, name: a.specialName }));
  const area = areas.find(({ id }) => id === state.areaId) ?? null;
  if (state.areaId !== null && !area) return redirect(withoutStale(storefrontPath(arealess), ['area']));
  const servers = (cross?.list.find((a) => a.specialId === area?.id)?.secondOptions ?? []).map((s) => ({
    id: s.twoSpecialId,
    name: s.twoSpecialName,
  }));
  if (state.serverId !== null && !servers.some(({ id }) => id === state.serverId))
    return redirect(withoutStale(storefrontPath({ ...filters, serverId: null }), ['server']));
  const cursor = query.get('cursor');
  const wanted = matchInput(state);
  const [storefront, history, matched] = await Promise.all([
    call(getQuickCoinList, storefrontInput(state, cursor && /^[\w-]{1,200}$/.test(cursor) ? cursor : null)),
    game && area
      ? optional(
          call(coinRatioHistory, {
            gameId: game.id,
            areaId: area.id,
            ...(state.quickCoinType !== null && { quickCoinType: state.quickCoinType }),
          }),
        )
      : null,
    wanted && optional(call(matchQuickCoin, wanted)),
  ]);
  return { state, games, areas, servers, game, area, storefront, history, matched, isShop: user?.isQuickShop === 1 };
}

export type StorefrontData = Exclude<Awaited<ReturnType<typeof loader>>, Response>;
