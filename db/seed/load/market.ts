import type pg from 'pg';
import type { Db } from '#server/db/client.ts';
import type { Keys } from '#server/kernel/secrets/crypto.ts';

/** Context of every part of the loading: the database client, the keys, and the time that counts as now. */
export interface Market {
  readonly client: pg.ClientBase;
  /** The same connection, for functions of the application. */
  readonly db: Db;
  readonly keys: Keys;
  /** The number that all made-up things come from. */
  readonly seed: number;
  readonly now: Date;
  readonly dists: ReadonlyMap<string, number>;
  /** Ids of the demo staff by log-in. */
  readonly staff: ReadonlyMap<string, number>;
  /** The buyer's service fee in hundredths of a percent: lists show prices with it. */
  readonly buyerBp: number;
  readonly print: (text: string) => void;
  /** The time a number of minutes ago. */
  ago(minutes: number): Date;
}

/** Id of a demo member of staff; throws RangeError for a log-in that is none. */
export function staffId(market: Market, login: string): number {
  const id = market.staff.get(login);
  if (id === undefined) throw new RangeError(`no staff ${login}`);
  return id;
}

/** The seed of the demo market; another one generates other goods and people. */
export const MARKET_SEED = 20_261_120;
