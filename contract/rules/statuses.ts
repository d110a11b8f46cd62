/** The states that the database stores as numbers, by name. The linter rejects a number next to a status, in code and in SQL. */

/** A listing's state (domain.md 4, migration 0006). */
export const GoodsStatus = {
  Draft: 0,
  Reviewing: 1,
  OnSale: 2,
  OffSale: 3,
  Locked: 4,
  Sold: 5,
  Rejected: 6,
  /** The seller was inactive for too long. */
  Hidden: 7,
  Removed: 8,
} as const;
export type GoodsStatus = (typeof GoodsStatus)[keyof typeof GoodsStatus];

/** Listings that only their seller sees: their content, including the price, has not been approved. */
export const isPrivateGoods = (status: number): boolean =>
  status === GoodsStatus.Draft || status === GoodsStatus.Reviewing || status === GoodsStatus.Rejected;

/** Whether the sites show a game (migration 0005): a hidden game stays known because it has past trades. */
export const GameStatus = { Hidden: 0, Open: 1 } as const;

/** How far a user's real name is verified (product.md 3). */
export const AuthStatus = { None: 0, Reviewing: 1, Verified: 2, Rejected: 3 } as const;
export type AuthStatus = (typeof AuthStatus)[keyof typeof AuthStatus];

/** An account's state: a restricted user may read but not write. */
export const UserStatus = { Active: 1, Restricted: 2, Closed: 3 } as const;
export type UserStatus = (typeof UserStatus)[keyof typeof UserStatus];

/** A member of staff; `System` is the row that represents the admin command. */
export const StaffStatus = { Active: 1, Disabled: 2, System: 9 } as const;

/** A payment at a channel; `PaidLate` = paid after its order was closed, now being refunded. */
export const PaymentStatus = { Pending: 0, Paid: 1, Closed: 2, PaidLate: 3 } as const;
export type PaymentStatus = (typeof PaymentStatus)[keyof typeof PaymentStatus];

/** A refund to its source. */
export const RefundStatus = { Pending: 0, Done: 1, Failed: 2 } as const;
export type RefundStatus = (typeof RefundStatus)[keyof typeof RefundStatus];

/** A withdrawal: waiting for staff, being paid out, arrived, or returned to the balance. */
export const WithdrawalStatus = { Pending: 0, Paying: 1, Paid: 2, Returned: 3 } as const;
export type WithdrawalStatus = (typeof WithdrawalStatus)[keyof typeof WithdrawalStatus];

/** A distributor's settlement of commission. */
export const SettlementStatus = { Pending: 0, Paid: 1, Returned: 2 } as const;
export type SettlementStatus = (typeof SettlementStatus)[keyof typeof SettlementStatus];

/** A coin shop's offer to sell, or a recycler's offer to buy. */
export const CoinOfferStatus = { OnSale: 1, OffSale: 2, Removed: 3, Hidden: 7 } as const;
export type CoinOfferStatus = (typeof CoinOfferStatus)[keyof typeof CoinOfferStatus];

/** News, adverts, cases and leagues. */
export const PublicationStatus = { Draft: 0, Published: 1, Withdrawn: 2 } as const;

/** A coupon campaign; it starts once a second member of staff has approved it. */
export const CampaignStatus = { Pending: 0, Running: 1, Stopped: 2 } as const;

/** A user's coupon. */
export const CouponStatus = { Usable: 1, Used: 2, Expired: 3 } as const;
export type CouponStatus = (typeof CouponStatus)[keyof typeof CouponStatus];

/** An order's conversation. */
export const ChatGroupStatus = { Open: 1, Closed: 2 } as const;

/** Whether a user's WeChat follows the site's official account and is bound to the user. */
export const BindingStatus = { Unbound: 0, Bound: 1 } as const;

/** A recycler's registration; it follows the provider's application. */
export const RecyclerStatus = { Reviewing: 0, Active: 1, Ended: 2 } as const;

/** A limited-time price. */
export const TimeSaleStatus = { Running: 1, Ended: 2 } as const;

/** A provider's service package. */
export const PackageStatus = { On: 1, Off: 2, Removed: 3 } as const;

/** Items that staff switch on and off: assignment rules, canned replies, dispute reasons, guarantee tiers, sites. */
export const SwitchStatus = { On: 1, Off: 2 } as const;
