import { useSyncExternalStore } from 'react';
import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';

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

/** Types whose listings are compared with each other: accounts, with any delivery method. */
export const comparedType = (typeId: number): number => (accountTypes.includes(typeId) ? 1 : typeId);

const isComparable = (a: GoodsCard, b: GoodsCard): boolean =>
  a.gameId === b.gameId && comparedType(a.goodsTypeId) === comparedType(b.goodsTypeId);

/**
 * Adds a listing to the comparison, or removes it. One of another game or type begins a new comparison (`replaced`), because its attributes
 * differ; `full` when there are four already.
 */
export function toggleCompared(goods: GoodsCard): 'done' | 'replaced' | 'full' {
  const now = read();
  const without = now.filter(({ goodsSn }) => goodsSn !== goods.goodsSn);
  if (without.length < now.length) {
    write(without);
    return 'done';
  }
  const [first] = now;
  if (first && !isComparable(first, goods)) {
    write([goods]);
    return 'replaced';
  }
  if (now.length >= MAX_COMPARED) return 'full';
  write([...now, goods]);
  return 'done';
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
