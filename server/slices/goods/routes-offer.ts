import type { Binding } from '#server/slices.ts';

/** What sellers do with their goods: publishing, editing, prices, on and off sale. */
export function bindGoodsOffer(_binding: Binding): void {}
