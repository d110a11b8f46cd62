import { textFor } from '#contract/rules/viewer-text.ts';

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
  0: '待卖家回复',
  1: '卖家已同意',
  2: '卖家已还价',
  3: '买家已同意还价',
  4: '卖家已拒绝',
  5: '买家已拒绝',
  6: '已过期',
  7: '已下单',
  8: '已撤回',
};

/** The display name of an offer's state, as a party reads it. */
export function bargainStatusName(party: BargainParty, status: number): string {
  return textFor(party, names[status] ?? '已结束');
}

export type BargainAction = 'agree' | 'refuse' | 'counter' | 'withdraw' | 'order';

const actions: Readonly<Record<BargainParty, Readonly<Record<number, readonly BargainAction[]>>>> = {
  seller: { 0: ['agree', 'counter', 'refuse'] },
  buyer: { 0: ['withdraw'], 1: ['order'], 2: ['agree', 'refuse'], 3: ['order'] },
};

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
