import * as c from '#subjects/services/contract/boosting.ts';
import type { Binding } from '#server/binding.ts';
import { runAddition } from './addition.ts';
import { reportBan } from './ban.ts';
import { loadRoutes } from './ladder.ts';
import { loadStatistics } from './statistics.ts';

/** Calls on a boosting order in progress, and a booster's own figures. */
export function bindBoosting({ server }: Binding): void {
  server.serve(c.boostRoutes, loadRoutes);
  server.serve(c.boostAddition, runAddition);
  server.serve(c.boostBan, reportBan);
  server.serve(c.boosterStatistics, loadStatistics);
}
