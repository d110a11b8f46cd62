import type { boostRoutes } from '#subjects/services/contract/boosting.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { isRoute, ladderOf } from '../../rules/rank-ladder.ts';
import type { Call } from '#server/access/call.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { boostingGoods } from '#subjects/goods/server/service.ts';
import { avatarUrl } from '#subjects/media/server/service.ts';
import { unlistedPrice } from '#subjects/orders/server/service.ts';
import { providerById, providerOnTimeRate } from '#subjects/providers/server/service.ts';
import { loadGuide, popularRoutes } from './guide.ts';
import { type PackageRow, packagesOfGoods, routeOf } from '../queries.ts';
import { modeName } from '../terms.ts';

type Row = HandlerResult<typeof boostRoutes>['list'][number];

/** Maximum number of packages compared side by side. */
const COMPARED = 8;

/** A package with its price for the viewer; undefined when its booster no longer exists. */
async function loadRow({ ctx, dist, caller }: Call, pack: PackageRow): Promise<Row | undefined> {
  const provider = await providerById(ctx.db, pack.providerId);
  const route = routeOf(pack);
  if (!provider || !route || pack.goodsSn === null) return undefined;
  const price = await unlistedPrice(ctx, dist, {
    unitFen: pack.priceFen,
    num: pack.minUnits,
    buyer: { id: caller.user?.id ?? 0, inviterId: caller.user?.inviterId ?? null },
    sellerId: provider.userId,
  });
  return {
    goodsSn: pack.goodsSn,
    ...route,
    price: price.totalFen,
    hours: Math.round((pack.minutes * pack.minUnits) / 6) / 10,
    modeName: modeName(pack.mode, pack.typeId),
    stages: Math.max(1, pack.milestones.length),
    safetyDeposit: pack.safetyFen,
    efficiencyDeposit: pack.efficiencyFen,
    provider: {
      name: provider.name,
      avatar: avatarUrl(provider.avatar, provider.name, provider.userId),
      online: provider.online,
      doneNum: provider.doneCount,
      onTimeRate: providerOnTimeRate(provider),
    },
  };
}

/** The routes of a game with the most packages that its ranks still contain. */
const popularOf = async ({ ctx }: Call, gameId: number, ranks: ReturnType<typeof ladderOf>) =>
  (await popularRoutes(ctx.db, gameId)).filter((route) => isRoute(ranks, route));

/**
 * The ranks of a game with the packages between two ranks; without them those of the most common route, as an example. Throws NOT_FOUND,
 * BAD_INPUT.
 */
export async function loadRoutes(
  call: Call,
  { gameId, from, to }: Parsed<typeof boostRoutes>,
): Promise<HandlerResult<typeof boostRoutes>> {
  const { ctx, dist } = call;
  const game = (await catalogue(ctx)).game(gameId);
  if (!game || !showsGame(dist, gameId)) throw errorOf('NOT_FOUND', 'game');
  const ranks = ladderOf(game.fields);
  const isAsked = from !== undefined && to !== undefined;
  const popular = isAsked || ranks.length === 0 ? [] : await popularOf(call, gameId, ranks);
  const route = isAsked ? { from, to } : popular[0];
  if (ranks.length === 0 || !route) return { ranks, popular, shown: null, guide: null, list: [], total: 0 };
  if (!isRoute(ranks, route)) throw new AppError('BAD_INPUT', { text: '目标段位应高于现在的段位', field: 'to' });
  const goodsIds = await boostingGoods(ctx, gameId, route);
  const compared = await packagesOfGoods(ctx.db, goodsIds.slice(0, COMPARED));
  const [guide, ...rows] = await Promise.all([
    loadGuide(ctx.db, gameId, ranks, route),
    ...compared.map(async (pack) => await loadRow(call, pack)),
  ]);
  return {
    ranks,
    popular,
    shown: isAsked ? null : route,
    guide,
    list: rows.filter((row) => row !== undefined),
    total: goodsIds.length,
  };
}
