import type pg from 'pg';
import { reserveIds } from '../bulk.ts';

/** Numbers between two trades, reserved for orders of other parts of the seed; odd, so that assignment by number stays mixed. */
const GAP = 7;

/** Numbers of orders that rise with their time: lists show the newest first by number, as they do for orders that were really placed. */
export interface OrderIds {
  /** The number of a trade by its place in the list that was given. */
  of: (index: number) => number;
  /** The next free number for an order placed so many minutes ago. Of orders of one moment, ask for the oldest first. */
  between: (ago: number) => number;
}

/** Reserves numbers for trades placed `agos` minutes ago, in any order, with room between them. */
export async function reserveOrderIds(client: pg.ClientBase, agos: readonly number[]): Promise<OrderIds> {
  const ids = await reserveIds(client, 'orders', (agos.length + 1) * GAP);
  const oldestFirst = agos.map((_, index) => index).toSorted((a, b) => (agos[b] ?? 0) - (agos[a] ?? 0));
  const rankOf = new Map(oldestFirst.map((index, rank) => [index, rank + 1]));
  const at = (slot: number): number => {
    const id = ids[slot];
    if (id === undefined) throw new Error('more orders at one time than numbers were kept for');
    return id;
  };
  const used = new Set<number>();
  return {
    of: (index) => at((rankOf.get(index) ?? 0) * GAP),
    between: (ago) => {
      const older = oldestFirst.filter((index) => (agos[index] ?? 0) >= ago).length;
      let slot = older * GAP + 1;
      while (slot % GAP === 0 || used.has(slot)) slot++;
      used.add(slot);
      return at(slot);
    },
  };
}
