import { fenOf, yuanOf } from '#web/lib/format/format.ts';

interface HeldMoney {
  amount: string;
  releaseTime: string | null;
  stages: readonly HoldPart[];
}

/** A part of a hold: the amount in yuan text, its release time, and whether it was released. */
export interface HoldPart {
  amount: string;
  time: string | null;
  released: boolean;
}

/** All parts of a hold in the order of their release: the early stages and, last, the rest of `amount` at the end. */
export function holdParts({ amount, releaseTime, stages }: HeldMoney): HoldPart[] {
  const unreleased = stages.filter(({ released }) => !released);
  const rest = fenOf(amount) - unreleased.reduce((sum, part) => sum + fenOf(part.amount), 0);
  return [...stages, { amount: yuanOf(rest), time: releaseTime, released: false }];
}

/** The next part to be released among several holds; undefined when none has a time. */
export function nextPart(holds: readonly HeldMoney[]): HoldPart | undefined {
  return holds
    .flatMap(holdParts)
    .filter(({ time, released }) => time !== null && !released)
    .toSorted((a, b) => (a.time ?? '').localeCompare(b.time ?? ''))[0];
}
