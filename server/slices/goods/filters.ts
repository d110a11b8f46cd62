import type { Field } from '#contract/common.ts';
import { AppError } from '#server/kernel/errors.ts';
import { bucketsOf, facet } from './index-row.ts';
import { type QueryToken, queryText, queryTokens } from './words.ts';

/** Bounds of one of the columns n1 to n4. */
export interface RangeFilter {
  slot: 1 | 2 | 3 | 4;
  min: number | undefined;
  max: number | undefined;
}

/** So many of these tokens at least. */
export interface AtLeast {
  count: number;
  tokens: string[];
}

/** What goods must have, in the terms of goods_search. */
export interface Conditions {
  /** Parts of a tsquery, joined by 'and'. */
  exact: string[];
  /** More of them, that follow from the other conditions: only the index reads these. */
  coarse: string[];
  ranges: RangeFilter[];
  atLeast: AtLeast[];
}

const MAX_OPTIONS = 40;
/** A range over more half octaves than this narrows too little to be worth a look-up for each. */
const MAX_BUCKETS = 24;

/**
 * Of `needed` out of k tokens at least one lies in every k - needed + 1 neighbours, so the index can look up each such window: far
 * fewer rows are left to count on than with 'any of them'.
 */
function windows(tokens: readonly string[], needed: number): string[] {
  const width = tokens.length - needed + 1;
  return Array.from({ length: needed }, (_, i) => anyOf(tokens.slice(i, i + width)));
}

const one = (token: string): string => queryText({ token, prefix: false });
const anyOf = (tokens: readonly string[]): string => `(${tokens.map(one).join(' | ')})`;

function refuse(): never {
  throw new AppError('BAD_INPUT', { text: '筛选条件不正确，请重新选择' });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function optionsOf(field: Field, value: unknown): (string | number)[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_OPTIONS) return refuse();
  const known = (v: unknown): boolean => typeof v === 'string' || typeof v === 'number';
  const found = value.map(
    (v) => (known(v) ? field.options?.find((o) => String(o.v) === String(v))?.v : undefined) ?? refuse(),
  );
  return [...new Set(found)];
}

function wholeOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const n = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(n) && Math.abs(n) <= 2_147_483_647 ? n : refuse();
}

/** Several options: all of them, any of them, or at least so many; of counted items each at least `count`. */
function addMany(field: Field, value: unknown, into: Conditions): void {
  if (!isObject(value)) return refuse();
  const count = field.kind === 'item_count' ? (wholeOf(value.count) ?? 1) : 1;
  if (count < 1 || count > 1_000_000) refuse();
  const tokens = (list: unknown): string[] => optionsOf(field, list).map((v) => facet.count(field.key, v, count));
  if (value.all !== undefined) into.exact.push(...tokens(value.all).map(one));
  else if (value.any !== undefined) into.exact.push(anyOf(tokens(value.any)));
  else {
    const of = tokens(value.of);
    const needed = wholeOf(value.atLeast) ?? 1;
    if (needed < 1 || needed > of.length) refuse();
    if (needed === of.length) into.exact.push(...of.map(one));
    else {
      into.coarse.push(...windows(of, needed));
      into.atLeast.push({ count: needed, tokens: of });
    }
  }
}

function addRange(field: Field, value: unknown, into: Conditions): void {
  if (!isObject(value) || field.numericSlot === undefined) return refuse();
  const [min, max] = [wholeOf(value.min), wholeOf(value.max)];
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
      if (!yes && !no) refuse();
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
      refuse();
  }
}

/** Reads the per-game filters of a list call (contract/goods.ts, getGoodsList). Throws BAD_INPUT for what the game does not have. */
export function addDetails(
  fields: readonly Field[],
  details: Readonly<Record<string, unknown>>,
  into: Conditions,
): void {
  for (const [key, value] of Object.entries(details)) {
    if (value === null || value === '') continue;
    const field = fields.find((f) => f.key === key && f.filterable);
    if (!field) refuse();
    else addOne(field, value, into);
  }
}

/** A keyword as parts of a tsquery. */
export function keywordParts(keyWord: string): string[] {
  return queryTokens(keyWord).map((token: QueryToken) => queryText(token));
}

/** A facet as a part of a tsquery. */
export const facetPart = one;
