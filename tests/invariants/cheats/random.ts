/** A repeatable row of numbers. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 2_654_435_761) >>> 0;
  }

  /** The next number from 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** One of a list that is not empty. */
  of<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const found = list[Math.floor(this.next() * list.length)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  }

  /** One of a list by weights; undefined when all are nothing. */
  weighted<T>(list: readonly { item: T; weight: number }[]): T | undefined {
    let left = this.next() * list.reduce((sum, { weight }) => sum + weight, 0);
    for (const { item, weight } of list) {
      left -= weight;
      if (left <= 0 && weight > 0) return item;
    }
    return list.at(-1)?.item;
  }
}
