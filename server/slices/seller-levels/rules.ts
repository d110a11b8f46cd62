/** What a level wants (setting 'seller_levels', migration 0056). Amounts in fen, shares in basis points. */
export interface LevelNeed {
  buyers: number;
  fen: number;
  days: number;
  badBp: number;
  rating: number;
}

export interface LevelSetting {
  windowDays: number;
  minFen: number;
  perBuyerOrders: number;
  perBuyerFen: number;
  ratingCount: number;
  /** The levels from 1. */
  levels: LevelNeed[];
}

/** Finished sales that count for nothing, by reason. */
export interface LeftOut {
  related: number;
  small: number;
  repeated: number;
  private: number;
}

/** What was counted of a seller's sales within the window. */
export interface SellerDetails {
  buyers: number;
  orders: number;
  fen: number;
  /** Whole days since the seller was verified. */
  days: number;
  lost: number;
  cancelled: number;
  /** Buyers that rated, each by the last rating. */
  ratings: number;
  /** Their average; null without any. */
  average: number | null;
  leftOut: LeftOut;
}

export type NeedKey = 'buyers' | 'fen' | 'days' | 'bad' | 'rating';

/** One need of a level with what there is: numbers in the need's own unit (buyers, fen, days, cases, hundredths of a star). */
export interface NeedState {
  key: NeedKey;
  have: number;
  need: number;
  met: boolean;
}

/** Lost disputes and cancelled sales that a level allows; one is forgiven to everybody, so that a single quarrel ruins nobody. */
export function badAllowed(need: LevelNeed, facts: Pick<SellerDetails, 'orders' | 'lost' | 'cancelled'>): number {
  const all = facts.orders + facts.lost + facts.cancelled;
  return Math.max(1, Math.floor((all * need.badBp) / 10_000));
}

/** The needs of a level one by one. What is not known yet (too few ratings) counts as met. */
export function needsOf(
  need: LevelNeed,
  facts: SellerDetails,
  setting: Pick<LevelSetting, 'ratingCount'>,
): NeedState[] {
  const bad = facts.lost + facts.cancelled;
  const allowed = badAllowed(need, facts);
  const rated = facts.ratings >= setting.ratingCount && facts.average !== null;
  const cents = (value: number): number => Math.round(value * 100);
  return [
    { key: 'buyers', have: facts.buyers, need: need.buyers, met: facts.buyers >= need.buyers },
    { key: 'fen', have: facts.fen, need: need.fen, met: facts.fen >= need.fen },
    { key: 'days', have: facts.days, need: need.days, met: facts.days >= need.days },
    { key: 'bad', have: bad, need: allowed, met: bad <= allowed },
    {
      key: 'rating',
      have: rated ? cents(facts.average ?? 0) : 0,
      need: cents(need.rating),
      met: !rated || (facts.average ?? 0) >= need.rating,
    },
  ];
}

/** The highest level whose needs, and those of every lower one, are met: 0 to 5. */
export function levelFor(facts: SellerDetails, setting: LevelSetting): number {
  const at = setting.levels.findIndex((need) => needsOf(need, facts, setting).some(({ met }) => !met));
  return at < 0 ? setting.levels.length : at;
}
