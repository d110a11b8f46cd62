import type { Field } from '#subjects/games/contract/games.ts';
import { AppError } from '#server/kernel/errors.ts';
import { bucketsOf, facet } from './index-row.ts';
import { type QueryToken, queryText, queryTokens } from './tokenize.ts';

/** Bounds of one of the columns n1 to n4. */
export interface RangeFilter {
  slot: 1 | 2 | 3 | 4;
  min: number | undefined;
  max: number | undefined;
}

/** At least `count` of these tokens. */
export interface AtLeast {
  count: number;
  tokens: string[];
}

/** The conditions of a search in terms of goods_search. */
export interface Conditions {
  /** Parts of a tsquery, joined by 'and'. */
  exact: string[];
  /** Further parts, implied by the other conditions, that only serve the index. */
  coarse: string[];
  ranges: RangeFilter[];
  atLeast: AtLeast[];
}

const MAX_OPTIONS = 40;
/** A range over more half octaves than this narrows the result too little to look each of them up. */
const MAX_BUCKETS = 24;

/**
 * Conditions for "at least `needed` of k tokens" that the index can use: every window of k - needed + 1 neighbouring tokens contains at
 * least one match. This leaves far fewer rows to check than "any of them".
 */
function windows(tokens: readonly string[], needed: number): string[] {
  const width = tokens.length - needed + 1;
  return Array.from({ length: needed }, (_, i) => anyOf(tokens.slice(i, i + width)));
}

const one = (token: string): string => queryText({ token, prefix: false });
const anyOf = (tokens: readonly string[]): string => `(${tokens.map(one).join(' | ')})`;

function invalidFilter(): never {
  throw new AppError('BAD_INPUT', { text: '筛选条件不正确，请重新选择', field: 'details' });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function optionsOf(field: Field, value: unknown): (string | number)[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_OPTIONS) return invalidFilter();
  const isScalar = (v: unknown): boolean => typeof v === 'string' || typeof v === 'number';
  const options = value.map(
    (v) => (isScalar(v) ? field.options?.find((o) => String(o.v) === String(v))?.v : undefined) ?? invalidFilter(),
  );
  return [...new Set(options)];
}

function integerOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const n = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(n) && Math.abs(n) <= 2_147_483_647 ? n : invalidFilter();
}

/** Several options: all of them, any of them, or at least a number; counted items each with at least `count`. */
function addMany(field: Field, value: unknown, into: Conditions): void {
  if (!isObject(value)) return invalidFilter();
  const count = field.kind === 'item_count' ? (integerOf(value.count) ?? 1) : 1;
  if (count < 1 || count > 1_000_000) invalidFilter();
  const tokens = (list: unknown): string[] => optionsOf(field, list).map((v) => facet.count(field.key, v, count));
  if (value.all !== undefined) into.exact.push(...tokens(value.all).map(one));
  else if (value.any !== undefined) into.exact.push(anyOf(tokens(value.any)));
  else {
    const of = tokens(value.of);
    const needed = integerOf(value.atLeast) ?? 1;
    if (needed < 1 || needed > of.length) invalidFilter();
    if (needed === of.length) into.exact.push(...of.map(one));
    else {
      into.coarse.push(...windows(of, needed));
      into.atLeast.push({ count: needed, tokens: of });
    }
  }
}

function addRange(field: Field, value: unknown, into: Conditions): void {
  if (!isObject(value) || field.numericSlot === undefined) return invalidFilter();
  const [min, max] = [integerOf(value.min), integerOf(value.max)];
  if (min === undefined && max === undefined) return;
  const slot = field.numericSlot as RangeFilter['slot'];
  into.ranges.push({ slot, min, max });
  const buckets = bucketsOf(Math.max(min ?? 0, field.min ?? 0), max ?? field.max);
  if (buckets.length > 0 && buckets.length <= MAX_BUCKETS)
    into.coarse.push(anyOf(buckets.map((b) => facet.bucket(slot, b))));
}

function addOne(field: Field, value: unknown, into: Conditions): void {
  switch (field.kind) {
    case 'single':
      if (isObject(value)) {
        into.exact.push(anyOf(optionsOf(field, value.any).map((v) => facet.option(field.key, v))));
      } else into.exact.push(...optionsOf(field, [value]).map((v) => one(facet.option(field.key, v))));
      break;
    case 'bool': {
      const yes = value === true || value === 1 || value === '1' || value === 'true';
      const no = value === false || value === 0 || value === '0' || value === 'false';
      if (!yes && !no) invalidFilter();
      into.exact.push(one(facet.yes(field.key, yes)));
      break;
    }
    case 'multi':
    case 'item_count':
      addMany(field, value, into);
      break;
    case 'range':
      addRange(field, value, into);
      break;
    case 'text':
      invalidFilter();
  }
}

/**
 * Adds the per-game filters of a list call (subjects/goods/contract/goods.ts, getGoodsList). Throws BAD_INPUT for
 * fields or options that the game does not have.
 */
export function addDetails(
  fields: readonly Field[],
  details: Readonly<Record<string, unknown>>,
  into: Conditions,
): void {
  for (const [key, value] of Object.entries(details)) {
    if (value === null || value === '') continue;
    const field = fields.find((f) => f.key === key && f.filterable);
    if (!field) invalidFilter();
    else addOne(field, value, into);
  }
}

/** A keyword as parts of a tsquery. */
export function keywordParts(keyWord: string): string[] {
  return queryTokens(keyWord).map((token: QueryToken) => queryText(token));
}

/** A facet as a part of a tsquery. */
export const facetPart = one;
