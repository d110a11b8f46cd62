/**
 * The quality of customer service as one number, computed from countable data: ratings, first replies, solved cases
 * (domain.md 5).
 */

/** A first reply within this time gets full points; from `SLOW` on it gets none. Seconds. */
const FAST_SECONDS = 60;
const SLOW_SECONDS = 600;
/** With fewer cases the result would be mostly chance. */
export const QUALITY_LEAST_CASES = 5;

const WEIGHTS = { rating: 50, reply: 30, solved: 20 } as const;

/** The available tags of a rating. */
export const SERVICE_TAGS = ['回复及时', '态度好', '专业', '回复慢', '没解决', '态度差'] as const;

export interface ServiceFigures {
  groups: number;
  solved: number;
  /** Mean of the ratings, 1 to 5; null without one. */
  score: number | null;
  /** Median; null without a reply. */
  firstReplySeconds: number | null;
}

/**
 * A score from 0 to 100: ratings 50, first reply 30 (full within a minute, none from ten minutes on), solved cases 20.
 * A part without cases is left out and the others are weighted up. Null below `QUALITY_LEAST_CASES` groups.
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
