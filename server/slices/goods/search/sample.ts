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
/** Stands for a number that a listing does not have. */
const NONE = -2_147_483_648;
const EMPTY = new Uint16Array();
const SLOTS = [0, 1, 2, 3];
const ROWS_AT_ONCE = 1000;
/** Pages that begin further down are taken to lie as evenly as all matches. */
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

  /** The sample of all rows, each of which was taken with the probability `fraction`. Lets others work in between. */
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
    return new Sample(columns, { numbers: this.#numbers, starts, lists }, fraction);
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
  /** Where the list of each word begins, and the end of the last one. */
  readonly starts: Uint32Array;
  /** Places of rows, ascending in each list. */
  readonly lists: Uint16Array;
}

/** The first place in an ascending list that is not below a value. */
function firstFrom(list: ArrayLike<number>, value: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const hasPrefix = (query: WordQuery): boolean => {
  if ('all' in query) return query.all.some(hasPrefix);
  if ('any' in query) return query.any.some(hasPrefix);
  return 'isPrefix' in query && query.isPrefix;
};

/** The conditions of a search on words, with those on type and region, which are words as well. */
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
  readonly #words: WordIndex;
  readonly #fraction: number;

  constructor(columns: Columns, words: WordIndex, fraction: number) {
    this.#columns = columns;
    this.#words = words;
    this.#fraction = fraction;
  }

  /**
   * How many listings match, and how many rows of the sort order are read for a page. Undefined for what a sample does not know: one
   * seller's listings, who is online, and beginnings of words.
   */
  estimate(s: Search, range: PageRange): Estimate | undefined {
    if (s.present || s.sellerId !== undefined) return undefined;
    const words = wordsOf(s);
    if (hasPrefix(words)) return undefined;
    const [from, to] = this.#window(s.games);
    const inGames = s.games !== null && s.games.length > 1 ? new Set(s.games) : undefined;
    const fits = (row: number): boolean =>
      this.#inBand(row, s) &&
      (inGames === undefined || inGames.has(this.#columns.games[row] ?? 0)) &&
      s.ranges.every(({ slot, min, max }) => {
        const value = this.#columns.n[slot - 1]?.[row] ?? NONE;
        return value !== NONE && value >= (min ?? value) && value <= (max ?? value);
      });
    const matching = this.#rows(words, from, to).filter(fits);
    const count = matching.length;
    const matches = count / this.#fraction;
    return {
      matches,
      least: matches - (DEVIATIONS * Math.sqrt(count)) / this.#fraction,
      rows: this.#rowsRead(s, matching, [from, to], range),
    };
  }

  #inBand(row: number, s: Pick<Search, 'minFen' | 'maxFen'>): boolean {
    const price = this.#columns.prices[row] ?? 0;
    return price >= (s.minFen ?? price) && price <= (s.maxFen ?? price);
  }

  /** A walk in a game reads the game's rows, of the type if one is asked; by price it reads only the band; and only what is behind the last page. */
  #rowsRead(s: Search, matching: Uint16Array, [from, to]: readonly [number, number], range: PageRange): number {
    const isTyped = s.typeId !== undefined && s.games?.length === 1 && s.sort !== 'views';
    const walked = isTyped ? this.#list(facet.type(s.typeId ?? 0), from, to) : undefined;
    const count = walked?.length ?? to - from;
    const wanted = range.offset + range.limit;
    const nth = Math.ceil(wanted * this.#fraction) + 1;
    const keys = this.#keys(s.sort);
    if (!keys || nth > MAX_NTH)
      return matching.length === 0 ? count / this.#fraction : (count * wanted) / matching.length;
    const sign = s.sort === 'priceAsc' ? 1 : -1;
    const start = range.after ? sign * range.after[0] : Number.NEGATIVE_INFINITY;
    const end = nthLeast(matching, nth, (row) => sign * (keys[row] ?? 0), start);
    const isByPrice = s.sort === 'priceAsc' || s.sort === 'priceDesc';
    let rows = 0;
    for (let i = 0; i < count; i++) {
      const row = walked?.[i] ?? from + i;
      const key = sign * (keys[row] ?? 0);
      if (key >= start && key <= end && (!isByPrice || this.#inBand(row, s))) rows++;
    }
    return end === Number.POSITIVE_INFINITY ? rows / this.#fraction : (rows * wanted) / nth;
  }

  #keys(sort: Search['sort']): Float64Array | undefined {
    const { prices, scores, fresh } = this.#columns;
    return { priceAsc: prices, priceDesc: prices, default: scores, newest: fresh, views: undefined }[sort];
  }

  /** The places of one game's rows, or of all. */
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

/** The `nth` least key of rows from `start` on; Infinity when there are fewer. */
function nthLeast(rows: Uint16Array, nth: number, keyOf: (row: number) => number, start: number): number {
  const least: number[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    if (key < start || (least.length === nth && key >= (least[nth - 1] ?? 0))) continue;
    least.splice(firstFrom(least, key), 0, key);
    if (least.length > nth) least.pop();
  }
  return least[nth - 1] ?? Number.POSITIVE_INFINITY;
}

/** How much longer a list is worth looking up each row of the shorter one. */
const MUCH_LONGER = 16;

/** The rows that are in two lists, the first of which is not the longer one. */
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
