import { REVIEW_TAGS_MAX, reviewTags } from '../rules/review.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';

/** Why a review is neither public nor in the score (db/migrations/0001_baseline.sql). */
export type Exclusion = 'undone' | 'private' | 'related';

/** The texts that both parties read. Links between accounts are hints, not accusations. */
export const exclusionNotes: Readonly<Record<Exclusion, string>> = {
  undone: '交易已撤销，本评价不公开，也不计入好评率',
  private: '双方约定的交易，评价仅双方可见，不计入好评率',
  related: '本评价不符合公开条件，仅双方可见，不计入好评率',
};

/** A buyer's public name: the first and the last character of the nickname. */
export function maskedBuyer(nickName: string): string {
  const signs = [...nickName];
  return signs.length < 3 ? `${signs[0] ?? '玩'}**` : `${signs[0]}**${signs.at(-1)}`;
}

/** The valid tags of a party, without duplicates, in the order of the form; others are left out. */
export function validTags(party: 'buyer' | 'seller', tags: readonly string[]): string[] {
  const allowed = reviewTags[party === 'buyer' ? BUYS : SELLS];
  return allowed.filter((tag) => tags.includes(tag)).slice(0, REVIEW_TAGS_MAX);
}
