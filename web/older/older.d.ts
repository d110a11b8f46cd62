/**
 * What `older.js` adds to browsers that lack it, so that pages and the contract may use it although their library is ES2022
 * (tsconfig.browser.json). Anything else newer than the floor is refused by the type checker and by `floor/no-newer-api`.
 */
declare global {
  interface Array<T> {
    toSorted(compare?: (a: T, b: T) => number): T[];
    toReversed(): T[];
    toSpliced(start: number, deleteCount?: number, ...items: T[]): T[];
    with(index: number, value: T): T[];
    findLast<S extends T>(isWanted: (value: T, index: number, all: T[]) => value is S): S | undefined;
    findLast(isWanted: (value: T, index: number, all: T[]) => unknown): T | undefined;
    findLastIndex(isWanted: (value: T, index: number, all: T[]) => unknown): number;
  }
  interface ReadonlyArray<T> {
    toSorted(compare?: (a: T, b: T) => number): T[];
    toReversed(): T[];
    toSpliced(start: number, deleteCount?: number, ...items: T[]): T[];
    with(index: number, value: T): T[];
    findLast<S extends T>(isWanted: (value: T, index: number, all: readonly T[]) => value is S): S | undefined;
    findLast(isWanted: (value: T, index: number, all: readonly T[]) => unknown): T | undefined;
    findLastIndex(isWanted: (value: T, index: number, all: readonly T[]) => unknown): number;
  }
  interface MapConstructor {
    groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]>;
  }
  interface ObjectConstructor {
    groupBy<K extends PropertyKey, T>(
      items: Iterable<T>,
      keyOf: (item: T, index: number) => K,
    ): Partial<Record<K, T[]>>;
  }
  interface String {
    isWellFormed(): boolean;
  }
}

export {};
