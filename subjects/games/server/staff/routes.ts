import * as c from '#subjects/games/contract/staff-games.ts';
import type { Binding } from '#server/binding.ts';
import { createGame, dropDraft, gameInfo, listGames, saveDraft } from './edit.ts';
import { gameEffects } from './effects.ts';
import { exportFile, importFile, loadShipped, shipped } from './files.ts';
import { gameVersion, publish, rollback, setOpen } from './versions.ts';

type OnSaleCounts = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** The catalogue in the back office: list, drafts, versions, files. */
export function bindGamesStaff({ server }: Binding, countOnSale: () => Promise<OnSaleCounts>): void {
  server.serve(c.staffGameList, async (call, input) => await listGames(call, input, await countOnSale()));
  server.serve(c.staffGameInfo, async (call, input) => await gameInfo(call, input, await countOnSale()));
  server.serve(c.staffGameVersion, gameVersion);
  server.serve(c.createGame, createGame);
  server.serve(c.saveGameDraft, saveDraft);
  server.serve(c.dropGameDraft, dropDraft);
  server.serve(c.gameEffects, gameEffects);
  server.serve(c.publishGame, publish);
  server.serve(c.rollbackGame, rollback);
  server.serve(c.setGameStatus, async (call, input) => {
    await setOpen(call, input);
    return {};
  });
  server.serve(c.importGameFile, importFile);
  server.serve(c.loadShippedGames, loadShipped);
  server.serve(c.shippedGames, shipped);
  server.serve(c.exportGameFile, exportFile);
}
