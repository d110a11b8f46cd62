import type { Binding } from '#server/slices.ts';

/** What is shown of goods: lists, one goods, suggestions, prices. */
export function bindGoodsRead(_binding: Binding): void {}
