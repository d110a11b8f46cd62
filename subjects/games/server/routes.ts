import { crossList, gamefilter, gameList } from '#subjects/games/contract/games.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { gameIconUrl } from '../rules/game-icon.ts';
import { choosable } from '../rules/attrs.ts';
import { isCollection } from '#contract/rules/catalogue.ts';
import { addUserRoleCardInfo, removeRoleCard, roleCardInfoList } from '#subjects/games/contract/role-card.ts';
import type { Call } from '#server/access/call.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import type { Binding } from '#server/binding.ts';
import { bindGamesStaff } from './staff/routes.ts';
import { dropRoleCard, saveRoleCard, roleCards } from './role-cards.ts';
import { catalogue, type Game, gameMatch, onSaleCounts, recommended, showsGame } from './service.ts';

type Item = HandlerResult<typeof gameList>['list'][number];

function item(game: Game, onSale: number): Item {
  return {
    id: game.id,
    code: game.code,
    name: game.name,
    gameType: game.gameType,
    initial: game.initial,
    hot: game.hot,
    icon: gameIconUrl({ ...game, icon: game.iconKey }),
    hue: game.hue,
    coinUnit: game.coinUnit,
    goodsTypeAndNameMap: Object.fromEntries(game.goodsTypes.map((t) => [String(t.id), t.name])),
    onSale,
    isCollection: isCollection(game.fields),
  };
}

async function visibleGame(call: Call, gameId: number): Promise<Game> {
  const game = (await catalogue(call.ctx)).game(gameId);
  if (!game || !showsGame(call.dist, gameId)) throw errorOf('NOT_FOUND', 'openGame');
  return game;
}

function searchGames(games: readonly Game[], keyword: string): Game[] {
  return games
    .map((game) => ({ game, rank: gameMatch(game, keyword) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ game }) => game);
}

/** Calls for games, filters, areas and servers (/api/comm/gameList, gamefilter, crossList) and for a user's characters (product.md 7). */
export async function bindGames(binding: Binding): Promise<void> {
  const { ctx, server } = binding;
  await catalogue(ctx);
  bindGamesStaff(binding, () => onSaleCounts(ctx));
  server.serve(addUserRoleCardInfo, saveRoleCard);
  server.serve(removeRoleCard, async (call, { id }) => await dropRoleCard(call, id));
  server.serve(roleCardInfoList, roleCards);

  server.serve(gameList, async (call, input) => {
    const [all, counts] = await Promise.all([catalogue(call.ctx), onSaleCounts(call.ctx)]);
    let games: readonly Game[] = all.list().filter((g) => showsGame(call.dist, g.id));
    if (input.type) games = games.filter((g) => g.gameType === input.type);
    if (input.initial) games = games.filter((g) => g.initial === input.initial?.toUpperCase());
    if (input.rec === 1) games = recommended(games, call.dist.conf.distBaseConf.recGameStr);
    if (input.keyWord !== undefined) games = searchGames(games, input.keyWord);
    const onSale = (id: number): number => [...(counts.get(id)?.values() ?? [])].reduce((sum, n) => sum + n, 0);
    return { list: games.map((g) => item(g, onSale(g.id))) };
  });

  server.serve(gamefilter, async (call, input) => {
    const game = await visibleGame(call, input.gameId);
    const fields = (await catalogue(call.ctx)).openFieldsOf(game.id, input.goodsTypeId);
    return {
      gameId: game.id,
      gameName: game.name,
      version: game.fieldsVersion,
      fields: fields.filter((f) => f.filterable).map((f) => choosable(f, undefined)),
    };
  });

  server.serve(crossList, async (call, input) => {
    const { areas } = await visibleGame(call, input.gameId);
    return {
      list: areas.map((a) => ({
        specialId: a.id,
        specialName: a.name,
        secondOptions: a.servers.map((s) => ({ twoSpecialId: s.id, twoSpecialName: s.name })),
      })),
    };
  });
}
