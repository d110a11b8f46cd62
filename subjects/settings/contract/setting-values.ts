/**
 * The stored value of each setting. The only declaration of their shapes: the server reads a setting with the type that is inferred here, the
 * registry may use only paths that exist here, and a stored value that does not match prevents the server from starting. Amounts in fen,
 * shares in basis points, times in the unit of the name.
 */
import { z } from 'zod';

/** Values by goods type, as '1'. */
const byType = z.record(z.string(), z.int());

const depositLevels = z.array(
  z.object({
    name: z.string(),
    amountFen: z.int(),
    /** Days between a request to return the deposit and its payment. */
    releaseDays: z.int(),
    limits: z.object({
      listings: z.int().exactOptional(),
      openOrders: z.int().exactOptional(),
      orderFen: z.int().exactOptional(),
    }),
    benefits: z.array(z.string()).exactOptional(),
  }),
);

const fees = {
  fees: z.object({ sellerBp: z.int(), sellerMaxFen: z.int(), buyerBp: z.int(), inviteBp: z.int() }),
  /** The middleman service has the platform's rates, but its own minimum fee and its own times. */
  middleman: z.object({ minFen: z.int(), answerHours: z.int(), unpaidSeconds: z.int() }),
  /** Measured rates by game and tier, with their reasons as text; written by the program. */
  guarantee_rates: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        bp: z.int(),
        reasons: z.array(z.string()),
        /** Absent in rates that were measured before parts were stored. */
        parts: z.array(z.object({ label: z.string(), bp: z.number() })).exactOptional(),
      }),
    ),
  ),
};

const holds = {
  /** Hours of the hold after completion, by seller level from 0. */
  hold_hours: z.array(z.int()),
  /** Early releases within the hold, by seller level from 0 (decision 082). */
  hold_stages: z.object({
    quietDays: z.int(),
    levels: z.array(z.object({ openFen: z.int(), parts: z.array(z.object({ hours: z.int(), bp: z.int() })) })),
  }),
  seller_levels: z.object({
    windowDays: z.int(),
    minFen: z.int(),
    perBuyerOrders: z.int(),
    perBuyerFen: z.int(),
    ratingCount: z.int(),
    /** The requirements of the levels from 1. */
    levels: z.array(
      z.object({ buyers: z.int(), fen: z.int(), days: z.int(), badBp: z.int(), /** Stars. */ rating: z.number() }),
    ),
  }),
  /** Penalties for cancelling a paid order and for a lost dispute, and how often a blocked release is checked again. */
  deposit: z.object({
    cancelBp: z.int(),
    cancelMinFen: z.int(),
    cancelMaxFen: z.int(),
    lossBp: z.int(),
    lossMinFen: z.int(),
    lossMaxFen: z.int(),
    recheckSeconds: z.int(),
  }),
  deposit_levels: z.object({
    seller: depositLevels,
    shop: depositLevels,
    booster: depositLevels,
    companion: depositLevels,
    recycler: depositLevels,
  }),
};

const limits = {
  withdraw: z.object({
    minFen: z.int(),
    feeFen: z.int(),
    dayCount: z.int(),
    dayMaxFen: z.int(),
    /** Above this amount every action that moves money needs a second person. */
    secondPersonFen: z.int(),
  }),
  payout: z.object({
    smsFen: z.int(),
    /** Days after a payout on which it is checked again. */ recheckDays: z.array(z.int()),
  }),
  topup: z.object({ minFen: z.int(), maxFen: z.int(), expireSeconds: z.int(), quickYuan: z.array(z.int()) }),
  refund: z.object({
    /** How long a channel accepts refunds. */
    days: z.int(),
    /** Where a payment goes that arrives after its order was closed, by channel. */
    late: z.record(z.string(), z.enum(['balance', 'source'])),
  }),
  /** Until `sales` sales at most `count` listings, each at most `maxFen`. */
  new_seller: z.object({ sales: z.int(), count: z.int(), maxFen: z.int() }),
  bargain: z.object({
    /** The minimum offer in percent of the asking price, if the seller has set none. */
    floorPercent: z.int(),
    /** Offers per buyer and listing within `days`. */
    tries: z.int(),
    days: z.int(),
    /** Offers per buyer and day on all listings. */
    perDay: z.int(),
  }),
  inspection: z.object({
    validDays: z.int(),
    againDays: z.int(),
    feeFen: z.int(),
    perDay: z.int(),
    sealSeconds: z.int(),
    workSeconds: z.int(),
    claimSeconds: z.int(),
    wrongBp: z.int(),
    wrongMinFen: z.int(),
    wrongDays: z.int(),
  }),
  recycling: z.object({
    dayLimitFen: z.int(),
    budgetFen: z.int(),
    /** The maximum floor for one account. */
    floorMaxFen: z.int(),
    /** Costs of taking over, keeping and relisting. */
    handlingBp: z.int(),
    /** Share of accounts that their first owner takes back, if the game's own rate is unknown. */
    recoveryBp: z.int(),
    /** For each day until such an account is sold. */
    capitalBpPerDay: z.int(),
    /** Part of the distance from typical to low price: the possible error of the model. */
    errorBp: z.int(),
    bidSeconds: z.int(),
    bindSeconds: z.int(),
    handOverSeconds: z.int(),
    inspectSeconds: z.int(),
    answerSeconds: z.int(),
    /** How long the seller's money waits for the recycler to take the account over. */
    takeOverSeconds: z.int(),
  }),
  coupon: z.object({ secondPersonFen: z.int() }),
  lottery: z.object({ open: z.boolean(), drawsPerDay: z.int() }),
  /** The first transfer whose release from the guarantee fund has a recorded reason. */
  fund_release: z.object({ fromTransfer: z.int() }),
};

const clocks = {
  staffSession: z.object({
    /** A session ends after this time without a request. */
    idleMinutes: z.int(),
    /** A session ends this long after the log-in. */
    maxMinutes: z.int(),
    /** How long a repeated second factor is valid. */
    stepUpMinutes: z.int(),
    /** How long a one-time link is valid. */
    inviteHours: z.int(),
  }),
  order: z.object({
    unpaidSeconds: z.int(),
    maxUnpaid: z.int(),
    /** Waiting time of a buyer after the first unpaid order of a day, the second, and so on. */
    unpaidPauseSeconds: z.array(z.int()),
    /** Minimum time for inspection after the last missing step was done. */
    stepsDoneSeconds: z.int(),
    /** How long a late order may remain without an action; absent in versions of earlier builds. */
    lateSeconds: z.int().nullish(),
    shipSeconds: byType,
    confirmSeconds: byType,
  }),
  boosting: z.object({
    /** The booster accepts within this time after payment, or the money is refunded. */
    acceptSeconds: z.int(),
    /** The buyer hands the account over within this time after acceptance, or the order is refunded in full. */
    accountSeconds: z.int(),
    /** If the account is still missing this long after acceptance, the booster may give up without a penalty. */
    accountFreeSeconds: z.int(),
    /** A submitted milestone is confirmed automatically after this time. */
    milestoneSeconds: z.int(),
    /** A proposed cancellation must be answered within this time, or customer service decides. */
    cancelAnswerSeconds: z.int(),
    /** A pause ends automatically after this time. */
    maxPauseSeconds: z.int(),
    /** A running order's next picture is due this long after the last one, not counting pauses. */
    proofSeconds: z.int(),
    /** A late order ends when neither party has acted for this time. */
    lateSeconds: z.int(),
    /** A late order whose buyer does not answer goes to customer service after this time, whatever its booster does. */
    lateMaxSeconds: z.int(),
  }),
  companion: z.object({
    /** The companion accepts within this time after payment, or the money is refunded. */
    acceptSeconds: z.int(),
    /** The same for a booked hour, but no later than that hour. */
    bookAcceptSeconds: z.int(),
    /** Play begins this long after acceptance. */
    readySeconds: z.int(),
    /** A party that has not started this long after the agreed beginning counts as absent. */
    noShowSeconds: z.int(),
    /** An end requested by one party is final after this time, unless the other agrees earlier or appeals. */
    endAnswerSeconds: z.int(),
  }),
  disputes: z.object({
    lookSeconds: z.int(),
    answerSeconds: z.int(),
    answerCoinSeconds: z.int(),
    ruleSeconds: z.int(),
    appealSeconds: z.int(),
    perDay: z.int(),
  }),
  claims: z.object({
    /** Time limit of the first response to a new claim. */
    lookSeconds: z.int(),
    perDay: z.int(),
    /** Time limit for the decision of two people on an escalated claim. */
    decideSeconds: z.int(),
    /** The maximum loss of the fund from a payment at the deadline, after recourse and the trade's premium (decision 150). */
    autoLossFen: z.int(),
  }),
};

/** The schema of each setting's value, by its key in table `setting`. */
export const settingValues = { ...fees, ...holds, ...limits, ...clocks };

export type SettingKey = keyof typeof settingValues;

/** The value of a setting. */
export type SettingValue<K extends SettingKey> = z.output<(typeof settingValues)[K]>;

/** The paths into a value, as 'levels.0.fen'. */
type PathIn<T> = T extends readonly (infer E)[]
  ? `${number}` | `${number}.${PathIn<E>}`
  : T extends object
    ? { [N in keyof T & string]: N | `${N}.${PathIn<NonNullable<T[N]>>}` }[keyof T & string]
    : never;

/** The paths into a setting's value. */
export type SettingPath<K extends SettingKey> = PathIn<SettingValue<K>>;

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingValues, key);

/** A stored value with the type of its key. Throws an error that names the key and the wrong paths. */
export function settingValue<K extends SettingKey>(key: K, stored: unknown): SettingValue<K> {
  const read = settingValues[key].safeParse(stored);
  if (read.success) return read.data as SettingValue<K>;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`setting ${key} is invalid: ${problems.join('; ')}`);
}
