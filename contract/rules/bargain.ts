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

/** What the state of an offer is called. */
export function bargainStatusName(status: number): string {
  return names[status] ?? '已结束';
}

export type BargainSide = 'buyer' | 'seller';
export type BargainAction = 'agree' | 'refuse' | 'counter' | 'withdraw' | 'order';

const acts: Readonly<Record<BargainSide, Readonly<Record<number, readonly BargainAction[]>>>> = {
  seller: { 0: ['agree', 'counter', 'refuse'] },
  buyer: { 0: ['withdraw'], 1: ['order'], 2: ['agree', 'refuse'], 3: ['order'] },
};

/** What a side may do in a state. Buttons on both sides, and the server's permission, are read from here. */
export function bargainActions(side: BargainSide, status: number): readonly BargainAction[] {
  return acts[side][status] ?? [];
}

/** The state that an act leads to, or null when the act is not allowed. `order` is made by placing the order. */
export function bargainNext(side: BargainSide, status: number, act: BargainAction): BargainStatus | null {
  if (!bargainActions(side, status).includes(act)) return null;
  if (act === 'order') return BargainStatus.Ordered;
  if (act === 'withdraw') return BargainStatus.Withdrawn;
  if (act === 'counter') return BargainStatus.Countered;
  if (side === 'seller') return act === 'agree' ? BargainStatus.SellerAgreed : BargainStatus.SellerRejected;
  return act === 'agree' ? BargainStatus.BuyerAgreed : BargainStatus.BuyerRejected;
}

/** Hours that an offer waits, and that an agreed price stays its buyer's alone. */
export const BARGAIN_HOURS = 24;
