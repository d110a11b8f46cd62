/**
 * How large each scalable test is. `npm test` uses the column `merge`; `npm run test:long` sets TEST_LANE=long and uses the column `long`.
 * A single size is set by its environment variable, which wins over both.
 */

/** The lane of this run. Only `long` changes sizes. */
export const LANE: 'merge' | 'long' = process.env.TEST_LANE === 'long' ? 'long' : 'merge';

type Size = { env: string; merge: number; long: number };

const SIZES = {
  /** Actions of the search for cheats in one market. */
  cheatActions: { env: 'CHEAT_ACTS', merge: 4_000, long: 20_000 },
  /** Evenings of the search for cheats with companions. */
  companionEvenings: { env: 'CHEAT_EVENINGS', merge: 3, long: 6 },
  /** Actions of the random walk over the ledger. It continues until it has met every kind of act. */
  walkActions: { env: 'WALK_ACTS', merge: 6_000, long: 20_000 },
  /** Kills of a server in the middle of trades. */
  killRounds: { env: 'KILL_ROUNDS', merge: 3, long: 10 },
  /** Kills of a server in the middle of payouts. */
  killPayoutRounds: { env: 'KILL_PAYOUT_ROUNDS', merge: 1, long: 2 },
  /** Kills of each part of the cluster. */
  clusterRounds: { env: 'CLUSTER_ROUNDS', merge: 1, long: 1 },
  /** Concurrent callers of a contested write in the HTTP tests. */
  raceCallers: { env: 'RACE_CALLERS', merge: 40, long: 200 },
  /** Rows of the smaller table when the growth of a query's cost is measured. With fewer rows a sum over all orders is not found. */
  slopeSmall: { env: 'SLOPE_SMALL', merge: 10_000, long: 10_000 },
  /** Rows of the larger table. */
  slopeLarge: { env: 'SLOPE_LARGE', merge: 100_000, long: 100_000 },
} as const satisfies Record<string, Size>;

/**
 * The size of a test in this run.
 * @throws Error when its environment variable is set to something that is no positive integer
 */
export function sizeOf(name: keyof typeof SIZES): number {
  const { env, merge, long } = SIZES[name];
  const given = process.env[env];
  if (given === undefined || given === '') return LANE === 'long' ? long : merge;
  const size = Number(given);
  if (!Number.isInteger(size) || size < 1) throw new Error(`${env} is ${given}; a positive integer is needed`);
  return size;
}
