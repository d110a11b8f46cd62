/** Random choices of tests, from one seed, so that they can be repeated. */
import { type RawBuilder, sql } from 'kysely';

/** The seed of a run: `TEST_SEED`, else by the clock. */
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);

/** The seed of the searches for cheats: `CHEAT_SEED`, else that of the run. Prints what repeats it. */
export function cheatSeed(): number {
  const seed = Number(process.env.CHEAT_SEED ?? SEED);
  console.error(`CHEAT_SEED=${seed}`);
  return seed;
}

/** A repeatable sequence of numbers. */
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

  /** One of a list by weights; undefined if all weights are zero. */
  weighted<T>(list: readonly { item: T; weight: number }[]): T | undefined {
    let left = this.next() * list.reduce((sum, { weight }) => sum + weight, 0);
    for (const { item, weight } of list) {
      left -= weight;
      if (left <= 0 && weight > 0) return item;
    }
    return list.at(-1)?.item;
  }
}

/** A separate sequence of numbers for each name, from the run's seed. */
export function chanceOf(name: string): Chance {
  let seed = SEED;
  for (const char of name) seed = (Math.imul(seed, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return new Chance(seed);
}

/** Like chanceOf, for a test's file: prints what repeats its choices. */
export function seededChance(name: string): Chance {
  console.log(`${name}: TEST_SEED=${SEED}`);
  return chanceOf(name);
}

/** A number from 0 up to 1 for each row of a statement: by what `of` is in it, and by the next draw. */
export function drawnFor(chance: Chance, of: RawBuilder<unknown>): RawBuilder<number> {
  const salt = String(chance.next());
  return sql`(('x' || substr(md5((${of})::text || ${salt}), 1, 8))::bit(32)::bigint / 4294967296.0)`;
}
