import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';

/** The requirements of a level (setting 'seller_levels'). Amounts in fen, shares in basis points. */
export type LevelNeed = LevelSetting['levels'][number];

export type LevelSetting = SettingValue<'seller_levels'>;

/** Completed sales that are not counted, by reason. */
export interface LeftOut {
  related: number;
  small: number;
  repeated: number;
  private: number;
}

/** The counted figures of a seller's sales within the window. */
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

/** One requirement of a level with the current value, in the requirement's unit (buyers, fen, days, cases, hundredths of a star). */
export interface NeedState {
  key: NeedKey;
  have: number;
  need: number;
  met: boolean;
}

/** Lost disputes and cancelled sales that a level allows; at least one, so that a single dispute costs no level. */
export function badAllowed(need: LevelNeed, details: Pick<SellerDetails, 'orders' | 'lost' | 'cancelled'>): number {
  const all = details.orders + details.lost + details.cancelled;
  return Math.max(1, Math.floor((all * need.badBp) / 10_000));
}

/** The requirements of a level with their state. An unknown value (too few ratings) counts as met. */
export function needsOf(
  need: LevelNeed,
  details: SellerDetails,
  setting: Pick<LevelSetting, 'ratingCount'>,
): NeedState[] {
  const bad = details.lost + details.cancelled;
  const allowed = badAllowed(need, details);
  const rated = details.ratings >= setting.ratingCount && details.average !== null;
  const cents = (value: number): number => Math.round(value * 100);
  return [
    { key: 'buyers', have: details.buyers, need: need.buyers, met: details.buyers >= need.buyers },
    { key: 'fen', have: details.fen, need: need.fen, met: details.fen >= need.fen },
    { key: 'days', have: details.days, need: need.days, met: details.days >= need.days },
    { key: 'bad', have: bad, need: allowed, met: bad <= allowed },
    {
      key: 'rating',
      have: rated ? cents(details.average ?? 0) : 0,
      need: cents(need.rating),
      met: !rated || (details.average ?? 0) >= need.rating,
    },
  ];
}

/** The highest level whose requirements, and those of every lower one, are met: 0 to 5. */
export function levelFor(details: SellerDetails, setting: LevelSetting): number {
  const at = setting.levels.findIndex((need) => needsOf(need, details, setting).some(({ met }) => !met));
  return at < 0 ? setting.levels.length : at;
}
