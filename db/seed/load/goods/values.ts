import { GAMES } from '#db/catalogue/index.ts';
import type { GameSeed } from '#db/catalogue/types.ts';

const GAMES_BY_ID = new Map(GAMES.map((game) => [game.id, game]));

/** Game of the catalogue by its id; throws RangeError for one that it does not have. */
export function gameOf(id: number): GameSeed {
  const game = GAMES_BY_ID.get(id);
  if (game === undefined) throw new RangeError(`no game ${id}`);
  return game;
}

/** Names of a place; empty where goods are for the whole game or area. */
export function regionNames(
  gameId: number,
  areaId: number | null,
  serverId: number | null,
): { area: string; server: string } {
  const area = gameOf(gameId).areas.find((a) => a.id === areaId);
  return { area: area?.name ?? '', server: area?.servers.find((s) => s.id === serverId)?.name ?? '' };
}
