/** Quality of customer service in one number, from what anybody can count: ratings, first answers, solved cases (domain.md 5). */

/** A first answer within this is as good as it gets; from `SLOW` on it counts nothing. Seconds. */
const FAST_SECONDS = 60;
const SLOW_SECONDS = 600;
/** Below so many cases a number would say more about chance than about the person. */
export const QUALITY_LEAST_CASES = 5;

const WEIGHTS = { rating: 50, reply: 30, solved: 20 } as const;

/** What the rating's tags may be. */
export const SERVICE_TAGS = ['回复及时', '态度好', '专业', '回复慢', '没解决', '态度差'] as const;

export interface ServiceFigures {
  groups: number;
  solved: number;
  /** Mean of the ratings, 1 to 5; null without one. */
  score: number | null;
  /** Median; null without an answer. */
  firstReplySeconds: number | null;
}

/**
 * 0 to 100: ratings 50, first answer 30 (full within a minute, nothing from ten), solved cases 20. A part without a case is left out
 * and the others weigh more. Null below `QUALITY_LEAST_CASES` groups.
 */
export function serviceQuality(f: ServiceFigures): number | null {
  if (f.groups < QUALITY_LEAST_CASES) return null;
  const parts: (readonly [weight: number, value: number])[] = [[WEIGHTS.solved, Math.min(1, f.solved / f.groups)]];
  if (f.score !== null) parts.push([WEIGHTS.rating, (f.score - 1) / 4]);
  if (f.firstReplySeconds !== null) {
    const over = (f.firstReplySeconds - FAST_SECONDS) / (SLOW_SECONDS - FAST_SECONDS);
    parts.push([WEIGHTS.reply, 1 - Math.min(1, Math.max(0, over))]);
  }
  const totalWeight = parts.reduce((sum, [weight]) => sum + weight, 0);
  return Math.round((parts.reduce((sum, [weight, value]) => sum + weight * value, 0) / totalWeight) * 100);
}
