/**
 * A sample of the listings on sale in memory, with an index of its words: how many listings match a search is estimated from it in
 * microseconds, where counting them in the database reads thousands of rows (docs/decisions/457).
 */
import { setImmediate } from 'node:timers/promises';
import type { WordQuery } from '#server/ports/search-engine.ts';
import { wordQueryOf } from './engine-query.ts';
import { facet } from './index-row.ts';
import type { Estimate, PageRange, Search } from './search.ts';

/** A listing of the sample. */
export interface SampleRow {
  readonly gameId: number;
  readonly priceFen: number;
  readonly score: number;
  /** Microseconds of the epoch. */
  readonly fresh: number;
  readonly n: readonly (number | null)[];
  readonly words: readonly string[];
}

/** A sample addresses its rows by 16 bits. */
export const MAX_SAMPLE = 65_535;
const DEVIATIONS = 4;
/** In 199 of 200 cases a page ends before the position given by the sample; otherwise the search is repeated. */
const REACH_DEVIATIONS = 2;
/** Represents a missing number. */
const NONE = -2_147_483_648;
const EMPTY = new Uint16Array();
const SLOTS = [0, 1, 2, 3];
const ROWS_AT_ONCE = 1000;
/** For pages that begin further down, matches are assumed to be evenly distributed. */
const MAX_NTH = 100;

/** Collects the rows of a sample, in any order and in parts. */
export class SampleBuilder {
  readonly #rows: (Omit<SampleRow, 'words'> & { words: Uint32Array })[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #uses: number[] = [];

  get size(): number {
    return this.#rows.length;
  }

  /** Adds listings; those beyond the largest sample are left out. */
  add(rows: readonly SampleRow[]): void {
    for (const { words, ...row } of rows) {
      if (this.#rows.length === MAX_SAMPLE) return;
      this.#rows.push({ ...row, words: Uint32Array.from(words, (word) => this.#numberOf(word)) });
    }
  }

  /** Builds the sample; each row was included with the probability `fraction`. Yields to other work in between. */
  async build(fraction: number): Promise<Sample> {
    const rows = this.#rows.toSorted((a, b) => a.gameId - b.gameId);
    const starts = new Uint32Array(this.#uses.length + 1);
    this.#uses.forEach((uses, word) => (starts[word + 1] = (starts[word] ?? 0) + uses));
    const places = starts.slice();
    const lists = new Uint16Array(starts.at(-1) ?? 0);
    const numbers = (): Float64Array => new Float64Array(rows.length);
    const columns: Columns = {
      games: new Int32Array(rows.length),
      prices: numbers(),
      scores: numbers(),
      fresh: numbers(),
      n: SLOTS.map(() => new Int32Array(rows.length)),
    };
    for (const [place, row] of rows.entries()) {
      columns.games[place] = row.gameId;
      columns.prices[place] = row.priceFen;
      columns.scores[place] = row.score;
      columns.fresh[place] = row.fresh;
      columns.n.forEach((column, slot) => (column[place] = row.n[slot] ?? NONE));
      for (const word of row.words) {
        const at = places[word] ?? 0;
        lists[at] = place;
        places[word] = at + 1;
      }
      if (place % ROWS_AT_ONCE === 0) await setImmediate();
    }
    const sorted = new Map<Float64Array, Float64Array>();
    for (const keys of [columns.prices, columns.scores, columns.fresh]) {
      sorted.set(keys, keys.toSorted());
      await setImmediate();
    }
    return new Sample(columns, sorted, { numbers: this.#numbers, starts, lists }, fraction);
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    const number = known ?? this.#uses.length;
    if (known === undefined) this.#numbers.set(word, number);
    this.#uses[number] = (this.#uses[number] ?? 0) + 1;
    return number;
  }
}

interface Columns {
  readonly games: Int32Array;
  readonly prices: Float64Array;
  readonly scores: Float64Array;
  readonly fresh: Float64Array;
  readonly n: readonly Int32Array[];
}

interface WordIndex {
  readonly numbers: ReadonlyMap<string, number>;
  /** Start of the list of each word, and the end of the last one. */
  readonly starts: Uint32Array;
  /** Row indices, ascending in each list. */
  readonly lists: Uint16Array;
}

/** The first index in an ascending list whose value does not precede the searched one. */
function bisect(list: ArrayLike<number>, isBefore: (value: number) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first index in an ascending list whose value is not below `value`. */
const firstFrom = (list: ArrayLike<number>, value: number): number => bisect(list, (other) => other < value);

/** The first index in an ascending list whose value is above `value`. */
const firstBehind = (list: ArrayLike<number>, value: number): number => bisect(list, (other) => other <= value);

const hasPrefix = (query: WordQuery): boolean => {
  if ('all' in query) return query.all.some(hasPrefix);
  if ('any' in query) return query.any.some(hasPrefix);
  return 'isPrefix' in query && query.isPrefix;
};

/** The word conditions of a search, including type and region, which are words as well. */
function wordsOf(s: Search): WordQuery {
  const places = [
    ...(s.typeId === undefined ? [] : [facet.type(s.typeId)]),
    ...(s.areaId === undefined ? [] : [facet.area(s.areaId)]),
    ...(s.serverId === undefined ? [] : [facet.server(s.serverId)]),
  ];
  return {
    all: [
      ...places.map((word) => ({ word, isPrefix: false })),
      ...s.exact.map(wordQueryOf),
      ...s.atLeast.map(({ count, tokens }) => ({ atLeast: count, words: tokens })),
    ],
  };
}

/** Listings of a sample, in the order of their games. */
export class Sample {
  readonly #columns: Columns;
  /** The values of each sort key, ascending. */
  readonly #sorted: ReadonlyMap<Float64Array, Float64Array>;
  readonly #words: WordIndex;
  readonly #fraction: number;

  constructor(columns: Columns, sorted: ReadonlyMap<Float64Array, Float64Array>, words: WordIndex, fraction: number) {
    this.#columns = columns;
    this.#sorted = sorted;
    this.#words = words;
    this.#fraction = fraction;
  }

  /**
   * How many listings match, and how many rows of the sort order are read for a page. Undefined for conditions outside
   * the sample: one seller's listings, online sellers, and prefixes of words.
   */
  estimate(s: Search, range: PageRange): Estimate | undefined {
    if (s.present || s.sellerId !== undefined) return undefined;
    const words = wordsOf(s);
    if (hasPrefix(words)) return undefined;
    const [from, to] = this.#window(s.games);
    const matching = this.#fitting(this.#rows(words, from, to), s);
    const count = matching.length;
    const matches = count / this.#fraction;
    return {
      matches,
      least: matches - (DEVIATIONS * Math.sqrt(count)) / this.#fraction,
      ...this.#read(s, matching, [from, to], range),
    };
  }

  /** Filters rows by the games, the price band and the ranges of a search. */
  #fitting(rows: Uint16Array, s: Search): Uint16Array {
    const inGames = s.games !== null && s.games.length > 1 ? new Set(s.games) : undefined;
    const columns = s.ranges.map(({ slot, min, max }) => ({
      values: this.#columns.n[slot - 1],
      // A missing number is below every bound.
      min: min ?? NONE + 1,
      max: max ?? Number.POSITIVE_INFINITY,
    }));
    const { minFen = Number.NEGATIVE_INFINITY, maxFen = Number.POSITIVE_INFINITY } = s;
    const { prices, games } = this.#columns;
    const fitting = new Uint16Array(rows.length);
    let found = 0;
    for (const row of rows) {
      const price = prices[row] ?? 0;
      if (price < minFen || price > maxFen || inGames?.has(games[row] ?? 0) === false) continue;
      if (columns.every(({ values, min, max }) => (values?.[row] ?? NONE) >= min && (values?.[row] ?? NONE) <= max))
        fitting[found++] = row;
    }
    return fitting.subarray(0, found);
  }

  /**
   * The rows that a walk reads and where the page ends. A walk in a game reads the game's rows, of the requested type
   * if any; sorted by price only the band; and only rows after the last page.
   */
  #read(
    s: Search,
    matching: Uint16Array,
    [from, to]: readonly [number, number],
    range: PageRange,
  ): Pick<Estimate, 'rows' | 'reach'> {
    const isTyped = s.typeId !== undefined && s.games?.length === 1 && s.sort !== 'views';
    const walked = isTyped ? this.#list(facet.type(s.typeId ?? 0), from, to) : undefined;
    const count = walked?.length ?? to - from;
    const wanted = range.offset + range.limit;
    const before = wanted * this.#fraction;
    const nth = Math.ceil(before) + 1;
    const surely = Math.ceil(before + REACH_DEVIATIONS * Math.sqrt(before)) + 1;
    const keys = this.#keys(s.sort);
    if (!keys || surely > MAX_NTH)
      return { rows: matching.length === 0 ? count / this.#fraction : (count * wanted) / matching.length };
    const sign = s.sort === 'priceAsc' ? 1 : -1;
    const start = range.after ? sign * range.after[0] : Number.NEGATIVE_INFINITY;
    const least = leastOf(matching, surely, (row) => sign * (keys[row] ?? 0), start);
    const end = least[nth - 1] ?? Number.POSITIVE_INFINITY;
    const reach = least[surely - 1];
    const isByPrice = s.sort === 'priceAsc' || s.sort === 'priceDesc';
    const upTo = (last: number): number => {
      const [low, high] = sign === 1 ? [start, last] : [-last, -start];
      return isByPrice
        ? this.#between(keys, walked, [from, to], Math.max(low, s.minFen ?? low), Math.min(high, s.maxFen ?? high))
        : this.#between(keys, walked, [from, to], low, high);
    };
    const rows = upTo(end);
    return {
      rows: end === Number.POSITIVE_INFINITY ? rows / this.#fraction : (rows * wanted) / nth,
      reach: reach === undefined ? undefined : { key: sign * reach, rows: upTo(reach) / this.#fraction },
    };
  }

  /** Number of these rows, or of a window, whose key is between two values, inclusive. */
  #between(
    keys: Float64Array,
    rows: Uint16Array | undefined,
    [from, to]: readonly [number, number],
    low: number,
    high: number,
  ): number {
    const sorted = this.#sorted.get(keys);
    if (rows === undefined && sorted && from === 0 && to === sorted.length)
      return Math.max(0, firstBehind(sorted, high) - firstFrom(sorted, low));
    const count = rows?.length ?? to - from;
    let found = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[rows === undefined ? from + i : (rows[i] ?? 0)] ?? 0;
      if (key >= low && key <= high) found++;
    }
    return found;
  }

  #keys(sort: Search['sort']): Float64Array | undefined {
    const { prices, scores, fresh } = this.#columns;
    return { priceAsc: prices, priceDesc: prices, default: scores, newest: fresh, views: undefined }[sort];
  }

  /** The window of one game's rows, or of all rows. */
  #window(games: readonly number[] | null): [from: number, to: number] {
    const [game] = games ?? [];
    if (games?.length !== 1 || game === undefined) return [0, this.#columns.games.length];
    return [firstFrom(this.#columns.games, game), firstFrom(this.#columns.games, game + 1)];
  }

  /** The rows of a window that match, ascending. */
  #rows(query: WordQuery, from: number, to: number): Uint16Array {
    if ('word' in query) return this.#list(query.word, from, to);
    if ('words' in query) {
      const lists = query.words.map((word) => this.#list(word, from, to));
      return inEnough(lists, query.atLeast, from, to);
    }
    const parts = 'all' in query ? query.all : query.any;
    const lists = parts.map((part) => this.#rows(part, from, to));
    if (lists.length === 1) return lists[0] ?? EMPTY;
    if ('any' in query || lists.length === 0) return inEnough(lists, 'any' in query ? 1 : 0, from, to);
    return lists.toSorted((a, b) => a.length - b.length).reduce(inBoth);
  }

  #list(word: string, from: number, to: number): Uint16Array {
    const { numbers, starts, lists } = this.#words;
    const number = numbers.get(word);
    if (number === undefined) return EMPTY;
    const list = lists.subarray(starts[number], starts[number + 1]);
    return list.subarray(firstFrom(list, from), firstFrom(list, to));
  }
}

/** The `most` smallest keys of rows from `start` on, ascending. */
function leastOf(rows: Uint16Array, most: number, keyOf: (row: number) => number, start: number): number[] {
  const least: number[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    if (key < start || (least.length === most && key >= (least[most - 1] ?? 0))) continue;
    least.splice(firstFrom(least, key), 0, key);
    if (least.length > most) least.pop();
  }
  return least;
}

/** Length ratio above which each row of the shorter list is looked up in the longer one. */
const MUCH_LONGER = 16;

/** The intersection of two lists; the first must not be the longer one. */
function inBoth(few: Uint16Array, many: Uint16Array): Uint16Array {
  const rows = new Uint16Array(few.length);
  const isLookedUp = few.length * MUCH_LONGER < many.length;
  let found = 0;
  let at = 0;
  for (const row of few) {
    if (isLookedUp) at = firstFrom(many, row);
    else while (at < many.length && (many[at] ?? 0) < row) at++;
    if (many[at] === row) rows[found++] = row;
  }
  return rows.subarray(0, found);
}

/** The rows of a window that are in at least `needed` of these lists. */
function inEnough(lists: readonly Uint16Array[], needed: number, from: number, to: number): Uint16Array {
  const counts = new Uint8Array(to - from);
  for (const list of lists) for (const row of list) counts[row - from] = (counts[row - from] ?? 0) + 1;
  const rows = new Uint16Array(to - from);
  let found = 0;
  for (let i = 0; i < counts.length; i++) if ((counts[i] ?? 0) >= needed) rows[found++] = from + i;
  return rows.subarray(0, found);
}
