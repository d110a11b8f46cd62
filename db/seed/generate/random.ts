/** Source of random numbers in [0, 1); the same seed gives the same ones on every machine. */
export type Random = () => number;

/** Mixes whole numbers into one unsigned 32-bit seed; neighbouring numbers give unrelated seeds. */
export function mixSeed(a: number, b: number, c = 0): number {
  let h = Math.imul((a | 0) ^ 0x9e3779b9, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13) ^ (b | 0), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16) ^ (c | 0), 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

/** mulberry32: fast, small, good enough for what people look at. */
export function random(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Standard normal (Box and Muller, one of the pair). */
export function normal(next: Random): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(6.283185307179586 * next());
}

/** Whole number between two bounds, both included. */
export function integer(next: Random, low: number, high: number): number {
  return low + Math.floor(next() * (high - low + 1));
}

/** One of a list; throws RangeError when the list is empty. */
export function pick<T>(next: Random, list: readonly T[]): T {
  const chosen = list[Math.floor(next() * list.length)];
  if (chosen === undefined) throw new RangeError('nothing to pick from');
  return chosen;
}

/** Share of a normal value below `x`, approximated by the closest logistic curve. */
export function quantile(x: number): number {
  return 1 / (1 + Math.exp(-1.702 * x));
}

/** Running sums of weights, ending at 1, for `weighted`. */
export function cumulative(weights: readonly number[]): Float64Array {
  const total = weights.reduce((a, b) => a + b, 0);
  let sum = 0;
  return Float64Array.from(weights, (w) => (sum += w) / total);
}

/** Index in a weighted list: the first with a running sum above a random number. */
export function weighted(next: Random, sums: Float64Array): number {
  const x = next();
  let i = 0;
  while (i < sums.length - 1 && (sums[i] ?? 1) <= x) i++;
  return i;
}

/** Weights 1, 1/2^s, 1/3^s … of Zipf's law. */
export function zipf(n: number, s: number): number[] {
  return Array.from({ length: n }, (_, i) => 1 / (i + 1) ** s);
}
