import type { EngineQuery, NumberName, NumberRange, WordQuery } from '#server/ports/search-engine.ts';
import type { PageRange, Search, Sort } from './search.ts';

const SORTS: Readonly<Record<Exclude<Sort, 'views'>, { by: NumberName; isDescending: boolean }>> = {
  default: { by: 'score', isDescending: true },
  priceAsc: { by: 'price', isDescending: false },
  priceDesc: { by: 'price', isDescending: true },
  newest: { by: 'fresh', isDescending: true },
};
/** Maximum number of word sets that an engine query may contain; above it PostgreSQL answers. */
const MAX_SETS = 200;

const TOKEN = /\s*(?:'((?:[^'\\]|''|\\.)*)'(:\*)?|([&|()]))/y;

/** A part of a tsquery (filters.ts, synonyms.ts) as a condition: quoted words, prefixes, and, or, parentheses. Throws on anything else. */
export function wordQueryOf(text: string): WordQuery {
  TOKEN.lastIndex = 0;
  let token = next();
  function next(): RegExpExecArray | null {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found && text.slice(from).trim() !== '') throw new Error(`invalid tsquery text: ${text}`);
    return found;
  }
  const isSign = (sign: string): boolean => token?.[3] === sign;
  const one = (): WordQuery => {
    if (isSign('(')) {
      token = next();
      const inner = either();
      if (!isSign(')')) throw new Error(`invalid tsquery text: ${text}`);
      token = next();
      return inner;
    }
    const word = token?.[1];
    if (word === undefined) throw new Error(`invalid tsquery text: ${text}`);
    const isPrefix = token?.[2] !== undefined;
    token = next();
    return { word: word.replace(/''|\\(.)/g, (_, escaped?: string) => escaped ?? "'"), isPrefix };
  };
  const list = (sign: '&' | '|', part: () => WordQuery): WordQuery[] => {
    const parts = [part()];
    while (isSign(sign)) {
      token = next();
      parts.push(part());
    }
    return parts;
  };
  const both = (): WordQuery => single(list('&', one), (all) => ({ all }));
  const either = (): WordQuery => single(list('|', both), (any) => ({ any }));
  const query = either();
  if (token !== null) throw new Error(`invalid tsquery text: ${text}`);
  return query;
}

const single = (parts: WordQuery[], join: (parts: WordQuery[]) => WordQuery): WordQuery =>
  parts.length === 1 && parts[0] ? parts[0] : join(parts);

function sets(of: number, count: number): number {
  let number = 1;
  for (let i = 0; i < count; i++) number = (number * (of - i)) / (i + 1);
  return Math.round(number);
}

const same = (name: NumberName, value: number | undefined): NumberRange[] =>
  value === undefined ? [] : [{ name, min: value, max: value }];

/**
 * Converts a search to an engine query; undefined for conditions that only PostgreSQL knows: online or available
 * sellers, number of views, and choices with too many sets.
 */
export function engineQueryOf(s: Search, range: PageRange): EngineQuery | undefined {
  if (s.present || s.only || s.sort === 'views') return undefined;
  if (s.atLeast.some(({ count, tokens }) => sets(tokens.length, count) > MAX_SETS)) return undefined;
  return {
    games: s.games ?? undefined,
    // Coarse conditions are implied by the others and serve only PostgreSQL's index.
    words: [
      ...s.exact.map(wordQueryOf),
      ...s.atLeast.map(({ count, tokens }): WordQuery => ({ atLeast: count, words: tokens })),
    ],
    ranges: [
      ...same('type', s.typeId),
      ...same('area', s.areaId),
      ...same('server', s.serverId),
      ...same('seller', s.sellerId),
      ...(s.minFen === undefined && s.maxFen === undefined
        ? []
        : [{ name: 'price' as const, min: s.minFen, max: s.maxFen }]),
      ...s.ranges.map(({ slot, min, max }) => ({ name: `n${slot}` as const, min, max })),
    ],
    sort: SORTS[s.sort],
    ...range,
  };
}
