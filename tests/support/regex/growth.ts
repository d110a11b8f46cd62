/**
 * How the time of a regular expression grows with its input. One input of 16 n characters is compared with sixteen inputs of n: a linear
 * pattern takes as long for both, a quadratic one sixteen times as long. The smallest of several runs counts, so that a busy machine
 * changes little: the runs of linear patterns take microseconds, and one of them is not interrupted.
 */
import type { Pump } from './pumps.ts';

/** Lengths of the first look, so close together that a pattern with exponential time is noticed before it takes minutes. */
const LADDER = [...Array.from({ length: 24 }, (_, i) => Math.ceil(16 * 1.12 ** i)), 512, 1024, 2048, 4096];
/** A first look that takes less at a length is linear, or too short to matter. */
const SUSPICIOUS_MICROS = new Map([
  [1024, 20],
  [4096, 250],
]);
const EXPONENTIAL_MICROS = 30_000;
const LENGTH = 512;
const TIMES = 16;
/** The sixteen-fold input of a quadratic pattern takes sixteen times as long as sixteen inputs. */
const MAX_RATIO = 5;
const ROUNDS = 5;

const inputOf = ({ prefix, repeated, suffix }: Pump, length: number): string =>
  prefix + repeated.repeat(Math.max(1, Math.ceil(length / repeated.length))) + suffix;

function microsOf(run: () => void): number {
  const before = performance.now();
  run();
  return (performance.now() - before) * 1000;
}

function least(run: () => void): number {
  let micros = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) micros = Math.min(micros, microsOf(run));
  return micros;
}

/** The ratio of the times of one long input and of as many characters in short ones; null when the pump does not slow the pattern. */
function growthOf(pattern: RegExp, pump: Pump, longest = LENGTH * TIMES): number | null {
  const apply = (text: string) => {
    text.replace(pattern, '');
  };
  let slow = 0;
  for (const length of LADDER.filter((one) => one <= longest)) {
    const text = inputOf(pump, length);
    slow = microsOf(() => {
      apply(text);
    });
    // Not by an interruption alone.
    if (slow > EXPONENTIAL_MICROS)
      slow = Math.min(
        slow,
        least(() => apply(text)),
      );
    if (slow > EXPONENTIAL_MICROS && length <= 2 * LENGTH) return Number.POSITIVE_INFINITY;
    if (slow > EXPONENTIAL_MICROS) break;
    if (slow < (SUSPICIOUS_MICROS.get(length) ?? 0)) return null;
  }
  if (longest < LENGTH) return null;
  const top = slow > EXPONENTIAL_MICROS ? Math.min(longest, 4_096) : longest;
  const short = inputOf(pump, Math.ceil(top / TIMES));
  const long = inputOf(pump, top);
  const many = least(() => {
    for (let i = 0; i < TIMES; i++) apply(short);
  });
  return least(() => apply(long)) / Math.max(many, 20);
}

/** The pump that makes a pattern slowest, if its time grows faster than its input. */
export function superLinear(
  pattern: RegExp,
  pumps: readonly Pump[],
  longest?: number,
): { pump: Pump; ratio: number } | null {
  for (const pump of pumps) {
    const ratio = growthOf(pattern, pump, longest);
    // Measured again, so that no single disturbance counts.
    if (ratio !== null && ratio > MAX_RATIO && (growthOf(pattern, pump, longest) ?? 0) > MAX_RATIO)
      return { pump, ratio };
  }
  return null;
}
