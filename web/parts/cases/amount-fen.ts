import { fenOf } from '#web/lib/format.ts';

/** An amount that somebody typed, in fen; null when it is not plain yuan with at most two decimals. Zero is an amount. */
export function amountFen(text: string): number | null {
  const plain = text.trim();
  return /^(0|[1-9]\d{0,8})(\.\d{1,2})?$/.test(plain) ? fenOf(plain) : null;
}
