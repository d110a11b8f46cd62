import type { DetailData } from '../loader.ts';

/** An agreed price, reserved for the viewer for a day. */
export interface Agreed {
  bargainId: number;
  price: string;
  allInPrice: string;
}

/** The agreed price that the viewer may order at now; null when there is none. */
export function agreedOf({ bargain }: DetailData): Agreed | null {
  const mine = bargain?.mine;
  if (!mine?.acts.includes('order')) return null;
  const { bargainId, allInPrice } = mine;
  return { bargainId, price: mine.sellrCounterofferPrice ?? mine.sellrBargaPrice, allInPrice };
}
