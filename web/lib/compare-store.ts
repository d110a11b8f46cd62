import { useSyncExternalStore } from 'react';
import type { GoodsCard } from '#contract/goods.ts';

const KEY = 'compareGoods';
/** More columns cannot be read side by side. */
export const MAX_COMPARED = 4;

const NONE: readonly GoodsCard[] = [];
let items: readonly GoodsCard[] | null = null;
const listeners = new Set<() => void>();

function read(): readonly GoodsCard[] {
  if (items) return items;
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    items = Array.isArray(value) ? (value as GoodsCard[]) : NONE;
  } catch {
    items = NONE;
  }
  return items;
}

function write(next: readonly GoodsCard[]): void {
  items = next;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** Adds a listing to the comparison, or removes it; false when it already has four. */
export function toggleCompared(goods: GoodsCard): boolean {
  const now = read();
  const without = now.filter(({ goodsSn }) => goodsSn !== goods.goodsSn);
  if (without.length < now.length) write(without);
  else if (now.length >= MAX_COMPARED) return false;
  else write([...now, goods]);
  return true;
}

/** Clears the comparison. */
export function clearCompared(): void {
  write(NONE);
}

/** The listings chosen for comparison, in this tab; none on the server and in the first client render. */
export function useCompared(): readonly GoodsCard[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read,
    () => NONE,
  );
}
