/** The setting in which the seed records its progress. */
export const SEED_STATE_KEY = 'demo_market';

/** The progress of filling the demo market. */
export interface SeedState {
  seed: number;
  people: number;
  goods: number;
  /** Definitions of indexes that a large load has dropped and not yet recreated. */
  indexes?: string[];
}

/** Whether a market of `goods` listings is completely loaded. */
export function isFilled(state: SeedState | undefined, goods: number): boolean {
  return state !== undefined && state.goods >= goods && state.indexes === undefined;
}
