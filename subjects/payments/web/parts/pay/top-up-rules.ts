import { topUpProblem } from '#contract/rules/amounts.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';

/** Why an amount cannot be topped up; null when it can. Bounds in yuan text, as the server gives them. */
export function topUpError(text: string, bounds: { minimum: string; maximum: string }): string | null {
  const amount = text.trim();
  const wrong = topUpProblem(amount, bounds.maximum);
  if (wrong !== null) return wrong;
  if (fenOf(amount) < fenOf(bounds.minimum)) return `最低 ${grouped(bounds.minimum)} 元`;
  if (fenOf(amount) > fenOf(bounds.maximum)) return `单笔最高 ${grouped(bounds.maximum)} 元`;
  return null;
}

/** A quick amount in whole yuan: '100.00' is '100'. */
export function quickLabel(yuan: string): string {
  return yuan.replace(/\.00$/, '');
}
