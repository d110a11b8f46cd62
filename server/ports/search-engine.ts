/**
 * A search engine in addition to PostgreSQL. It stores copies of the rows of `goods_search` and returns the matching ones. PostgreSQL stays
 * authoritative: hits are compared with the rows before they are shown, and PostgreSQL answers if the engine does not.
 */

/** A condition on the words of a document. */
export type WordQuery =
  | { readonly all: readonly WordQuery[] }
  | { readonly any: readonly WordQuery[] }
  | { readonly word: string; readonly isPrefix: boolean }
  /** At least `count` of the words. */
  | { readonly atLeast: number; readonly words: readonly string[] };

/** The numeric fields of a document; null if the listing does not have them. */
export const NUMBERS = [
  'game',
  'type',
  'area',
  'server',
  'seller',
  'price',
  'score',
  'fresh',
  'n1',
  'n2',
  'n3',
  'n4',
] as const;
export type NumberName = (typeof NUMBERS)[number];

export type SearchDocument = Readonly<Record<NumberName, number | null>> & {
  readonly id: number;
  readonly words: readonly string[];
};

/** Bounds of a number, both inclusive. A document without the number does not match. */
export interface NumberRange {
  readonly name: NumberName;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export interface EngineQuery {
  /** Undefined: documents of every game. */
  readonly games: readonly number[] | undefined;
  readonly words: readonly WordQuery[];
  readonly ranges: readonly NumberRange[];
  readonly sort: { readonly by: NumberName; readonly isDescending: boolean };
  /** Only documents after this value and id; equal values are ordered by id, in the same direction. */
  readonly after: readonly [value: number, id: number] | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface EngineHits {
  readonly hits: readonly { readonly id: number; readonly key: number }[];
  /** Number of matches, ignoring `after`; engines may stop counting at MAX_EXACT + 1. Undefined with a cursor. */
  readonly total: number | undefined;
}

/** Engines count exactly at least up to here. */
export const MAX_EXACT = 1000;

export interface SearchEngine {
  /** 'groonga', in tables and metrics. */
  readonly name: string;
  /** Identifies the engine: another location is another index. */
  readonly place: string;
  /** Throws UnknownResult, VendorUnavailable, VendorRejected, as all methods do. */
  search(index: string, query: EngineQuery): Promise<EngineHits>;
  has(index: string): Promise<boolean>;
  /** Creates an empty index, replacing any with this name. */
  create(index: string): Promise<void>;
  /** Stores documents, each replacing an older one with its id. */
  put(index: string, documents: readonly SearchDocument[]): Promise<void>;
  remove(index: string, ids: readonly number[]): Promise<void>;
  count(index: string): Promise<number>;
  /** Publishes the name of the only index in use from now on, for other programs that read the engine. */
  publish(index: string): Promise<void>;
  /** The indexes whose names begin with `family`, except those published by name to other programs. */
  unpublished(family: string): Promise<string[]>;
  /** Deletes an index; does nothing when there is none. */
  drop(index: string): Promise<void>;
}

/** The methods that go through the circuit. */
export const ENGINE_CALLS = [
  'search',
  'has',
  'create',
  'put',
  'remove',
  'count',
  'publish',
  'unpublished',
  'drop',
] as const;
