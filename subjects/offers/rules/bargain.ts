import { textFor } from '#contract/rules/texts/viewer-text.ts';

/** States of an offer (domain.md 4). */
export const BargainStatus = {
  Pending: 0,
  SellerAgreed: 1,
  Countered: 2,
  BuyerAgreed: 3,
  SellerRejected: 4,
  BuyerRejected: 5,
  Expired: 6,
  Ordered: 7,
  Withdrawn: 8,
} as const;
export type BargainStatus = (typeof BargainStatus)[keyof typeof BargainStatus];

/** The filter value that lists every ended offer. */
export const ENDED_TAB = -1;

export type BargainParty = 'buyer' | 'seller';

const names: Readonly<Record<number, string>> = {
  [BargainStatus.Pending]: '待卖家回复',
  [BargainStatus.SellerAgreed]: '卖家已同意',
  [BargainStatus.Countered]: '卖家已还价',
  [BargainStatus.BuyerAgreed]: '买家已同意还价',
  [BargainStatus.SellerRejected]: '卖家已拒绝',
  [BargainStatus.BuyerRejected]: '买家已拒绝',
  [BargainStatus.Expired]: '已过期',
  [BargainStatus.Ordered]: '已下单',
  [BargainStatus.Withdrawn]: '已撤回',
} satisfies Record<BargainStatus, string>;

/** The display name of an offer's state, as a party reads it. */
export function bargainStatusName(party: BargainParty, status: number): string {
  return textFor(party, names[status] ?? '已结束');
}

export type BargainAction = 'agree' | 'refuse' | 'counter' | 'withdraw' | 'order';

const actions: Readonly<Record<BargainParty, Readonly<Record<number, readonly BargainAction[]>>>> = {
  seller: { [BargainStatus.Pending]: ['agree', 'counter', 'refuse'] },
  buyer: {
    [BargainStatus.Pending]: ['withdraw'],
    [BargainStatus.SellerAgreed]: ['order'],
    [BargainStatus.Countered]: ['agree', 'refuse'],
    [BargainStatus.BuyerAgreed]: ['order'],
  },
} satisfies Record<BargainParty, Partial<Record<BargainStatus, readonly BargainAction[]>>>;

/**
 * The actions available to a party in a state. The buttons of both parties and the server's permission check are
 * derived from this table.
 */
export function bargainActions(party: BargainParty, status: number): readonly BargainAction[] {
  return actions[party][status] ?? [];
}

/**
 * The state that an action leads to, or null when the action is not allowed. `order` is applied by placing the order.
 */
export function bargainNext(party: BargainParty, status: number, action: BargainAction): BargainStatus | null {
  if (!bargainActions(party, status).includes(action)) return null;
  if (action === 'order') return BargainStatus.Ordered;
  if (action === 'withdraw') return BargainStatus.Withdrawn;
  if (action === 'counter') return BargainStatus.Countered;
  if (party === 'seller') return action === 'agree' ? BargainStatus.SellerAgreed : BargainStatus.SellerRejected;
  return action === 'agree' ? BargainStatus.BuyerAgreed : BargainStatus.BuyerRejected;
}

/** Hours that an offer stays open, and that an agreed price stays reserved for its buyer. */
export const BARGAIN_HOURS = 24;
