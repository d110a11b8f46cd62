/** Cells around the button of a three by three grid, in the order in which the light moves. */
export const RING = [0, 1, 2, 5, 8, 7, 6, 3] as const;
const LAPS = 2;

/** The prizes around the button: the list, repeated until the ring is full ('nothing' is last). */
export function ringOf<T>(prizes: readonly T[]): T[] {
  if (prizes.length === 0) return [];
  return RING.map((_, i) => {
    const spare = i - prizes.length;
    return prizes[spare < 0 ? i : prizes.length - 1 - (spare % prizes.length)] as T;
  });
}

/** The steps of the light from `from` to a cell with prize `index`: whole laps first, each step's delay in ms growing. */
export function stepsTo(
  ring: readonly { prizeIndex: number }[],
  index: number,
  from: number,
): [at: number, ms: number][] {
  const target = ring.findIndex((p) => p.prizeIndex === index);
  if (target < 0) return [];
  const count = LAPS * ring.length + ((target - from + ring.length) % ring.length);
  return Array.from({ length: count }, (_, i) => {
    const done = (i + 1) / count;
    return [(from + i + 1) % ring.length, Math.round(45 + 170 * done ** 3)];
  });
}
