/** The setting in which the seed notes how far it has filled the demo market. */
export const SEED_STATE_KEY = 'demo_market';

/** How far the demo market is filled. */
export interface SeedState {
  seed: number;
  people: number;
  goods: number;
  /** Definitions of indexes that a large load has put aside and not made again yet. */
  indexes?: string[];
}

/** Whether a market of `goods` listings is completely loaded. */
export function isFilled(state: SeedState | undefined, goods: number): boolean {
  return state !== undefined && state.goods >= goods && state.indexes === undefined;
}
