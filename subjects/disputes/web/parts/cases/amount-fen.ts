import { amountError } from '#contract/rules/amounts.ts';
import { fenOf } from '#web/lib/format/format.ts';

/** A typed amount, in fen; null when it is not plain yuan with at most two decimals. Zero is valid. */
export function amountFen(text: string): number | null {
  const plain = text.trim();
  return amountError(plain) === null ? fenOf(plain) : null;
}
