/** A range of an integer attribute among the sales of a goods type, both ends included. */
export interface Segment {
  readonly key: string;
  readonly min: number;
  readonly max: number;
}

const TEXT = /^([a-z0-9_]{1,40}):(-?\d{1,12})\.\.(-?\d{1,12})$/i;

/** A segment as stored in price_stat. */
export const segmentText = (s: Segment): string => `${s.key}:${s.min}..${s.max}`;

/** Parses a segment of price_stat; null for the whole type. */
export function parseSegment(text: string): Segment | null {
  const [, key, min, max] = TEXT.exec(text) ?? [];
  return key === undefined ? null : { key, min: Number(min), max: Number(max) };
}

/** The segment of the attributes; undefined when they lack the number or it is outside every segment. */
export function segmentOf(segments: readonly Segment[], attrs: Readonly<Record<string, unknown>>): Segment | undefined {
  return segments.find(({ key, min, max }) => {
    const value = attrs[key];
    return typeof value === 'number' && value >= min && value <= max;
  });
}

export interface Sample {
  readonly priceFen: number;
  readonly attrs: Readonly<Record<string, unknown>>;
}

/** Minimum sales per segment, and maximum number of segments. */
export interface Cutting {
  minSamples: number;
  maxSegments: number;
}

/** Minimum rank correlation between a number and the price. */
const MIN_CORRELATION = 0.3;
/** Minimum share of the sales that state the number. */
const MIN_STATED = 0.8;

function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const out = values.map(() => 0);
  for (let i = 0; i < order.length; ) {
    let j = i;
    while (j + 1 < order.length && values[order[j + 1] ?? 0] === values[order[i] ?? 0]) j++;
    for (let k = i; k <= j; k++) out[order[k] ?? 0] = (i + j) / 2;
    i = j + 1;
  }
  return out;
}

/** Spearman's rank correlation of two lists, from -1 to 1. */
export function correlation(xs: readonly number[], ys: readonly number[]): number {
  const [a, b] = [ranks(xs), ranks(ys)];
  const mean = (a.length - 1) / 2;
  let [both, onlyA, onlyB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [da, db] = [(a[i] ?? 0) - mean, (b[i] ?? 0) - mean];
    both += da * db;
    onlyA += da * da;
    onlyB += db * db;
  }
  return onlyA === 0 || onlyB === 0 ? 0 : both / Math.sqrt(onlyA * onlyB);
}

/** The numeric attribute that correlates best with the price; undefined when none does clearly. */
function bestKey(samples: readonly Sample[], keys: readonly string[]): string | undefined {
  let best: { key: string; by: number } | undefined;
  for (const key of keys) {
    const stating = samples.filter((s) => typeof s.attrs[key] === 'number');
    if (stating.length < samples.length * MIN_STATED) continue;
    const by = correlation(
      stating.map((s) => s.attrs[key] as number),
      stating.map((s) => s.priceFen),
    );
    if (by >= MIN_CORRELATION && by > (best?.by ?? 0)) best = { key, by };
  }
  return best?.key;
}

/**
 * Divides the sales of a goods type into segments of equal size by the number that correlates best with the price, so that an account
 * with 400 skins is not compared with one that has 20. No segment has fewer than `minSamples` sales; empty when no number correlates.
 */
export function cutSegments(
  samples: readonly Sample[],
  keys: readonly string[],
  { minSamples, maxSegments }: Cutting,
): Segment[] {
  const key = bestKey(samples, keys);
  if (key === undefined) return [];
  const values = samples
    .flatMap((s) => (typeof s.attrs[key] === 'number' ? [s.attrs[key]] : []))
    .toSorted((a, b) => a - b);
  const parts = Math.min(maxSegments, Math.floor(values.length / minSamples));
  if (parts < 2) return [];
  const size = values.length / parts;
  const segments: Segment[] = [];
  let from = 0;
  while (from < values.length) {
    // Equal numbers stay together, and a remainder too small for a segment joins the last one.
    let to = Math.min(values.length, Math.max(from + minSamples, Math.round((segments.length + 1) * size)));
    while (to < values.length && values[to] === values[to - 1]) to++;
    if (values.length - to < minSamples) to = values.length;
    // A gap between two segments belongs to the upper one.
    const below = segments.at(-1);
    segments.push({ key, min: below ? below.max + 1 : (values[from] ?? 0), max: values[to - 1] ?? 0 });
    from = to;
  }
  return segments.length > 1 ? segments : [];
}

interface Comparable {
  priceFen: number;
  numbers: Readonly<Record<string, number>>;
  at: Date;
}

const apart = (a: number, b: number): number => Math.abs(Math.log((a + 1) / (b + 1)));

/** The `count` sales most similar to a listing, by its numbers first and then its price; newest first. */
export function nearest<T extends Comparable>(sales: readonly T[], to: Omit<Comparable, 'at'>, count: number): T[] {
  const keys = Object.keys(to.numbers).filter((k) => (to.numbers[k] ?? 0) >= 0);
  const distance = (s: T): number => {
    const shared = keys.filter((k) => (s.numbers[k] ?? -1) >= 0);
    const numbers = shared.reduce((sum, k) => sum + apart(s.numbers[k] ?? 0, to.numbers[k] ?? 0), 0);
    return (shared.length === 0 ? 1 : numbers / shared.length) + 0.5 * apart(s.priceFen, to.priceFen);
  };
  return sales
    .map((sale) => ({ sale, by: distance(sale) }))
    .toSorted((a, b) => a.by - b.by)
    .slice(0, count)
    .map(({ sale }) => sale)
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
}
