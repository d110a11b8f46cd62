import * as c from '#subjects/back-office/contract/setup.ts';
import type { Binding } from '#server/binding.ts';
import { games, goOn, host, loadInfo, nameIt } from './steps.ts';
import { makeAdmin, openPage } from './token.ts';

/** The first start of an installation. */
export function bindSetup({ server }: Binding): void {
  server.serve(c.setupOpen, openPage);
  server.serve(c.setupAdmin, makeAdmin);
  server.serve(c.setupInfo, loadInfo);
  server.serve(c.setupName, nameIt);
  server.serve(c.setupHost, host);
  server.serve(c.setupGames, games);
  server.serve(c.setupGoOn, goOn);
}
