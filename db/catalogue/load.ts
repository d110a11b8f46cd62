import type { Trx } from '#server/db/client.ts';
import { docOfShipped } from '#subjects/games/server/shipped.ts';
import { storeShippedGames } from '#subjects/games/server/service.ts';
import { GAMES } from './index.ts';
import type { GameSeed } from './types.ts';

/**
 * Loads the shipped catalogue into a database by the games' own service. Loading again changes nothing; games that staff changed stay as
 * they are. Returns the number of versions added.
 */
export async function loadCatalogue(db: Trx, games: readonly GameSeed[] = GAMES): Promise<{ versions: number }> {
  return await storeShippedGames(db, games.map(docOfShipped));
}
