/** The states of a request to sell an account to a recycler (domain.md 6). */
export const recycleStates = {
  bidding: '匿名竞价中',
  quoted: '等您接受报价',
  accepted: '交付验号',
  reconfirm: '等您确认减价',
  paid: '已到账',
  declined: '已取回账号',
  expired: '报价已过期',
  withdrawn: '已撤回',
  closed: '订单已关闭',
} as const;
export type RecycleState = keyof typeof recycleStates;

/** The same states as shown to recyclers and staff, where the seller's text would be wrong. */
export const recycleStatesOfOthers: Readonly<Partial<Record<RecycleState, string>>> = {
  quoted: '等卖家决定',
  reconfirm: '等卖家确认减价',
  declined: '卖家取回账号',
  withdrawn: '卖家已撤回',
};

/** The actor of a transition: the owner, a member of staff, the clock, or the end of the order. */
type Mover = 'seller' | 'staff' | 'timer' | 'order';

/** The whole process as one table; the database has its twin (`recycle_transition`), and a test walks every path. */
export const recycleSteps: readonly { from: RecycleState; to: RecycleState; by: readonly Mover[]; money: string }[] = [
  { from: 'bidding', to: 'quoted', by: ['timer'], money: 'the best bid stays in escrow, the others go back' },
  { from: 'bidding', to: 'expired', by: ['timer'], money: 'nobody bid' },
  { from: 'bidding', to: 'withdrawn', by: ['seller'], money: 'every bid goes back' },
  { from: 'bidding', to: 'accepted', by: ['seller'], money: "the platform's floor pays the order, the others go back" },
  { from: 'quoted', to: 'accepted', by: ['seller'], money: 'the bid pays the order' },
  { from: 'quoted', to: 'expired', by: ['timer'], money: 'the bid goes back' },
  { from: 'quoted', to: 'withdrawn', by: ['seller'], money: 'the bid goes back' },
  { from: 'accepted', to: 'paid', by: ['staff'], money: 'the order pays the seller' },
  { from: 'accepted', to: 'reconfirm', by: ['staff'], money: 'stays in the order' },
  { from: 'accepted', to: 'closed', by: ['timer', 'order'], money: 'the order pays the recycler back' },
  { from: 'reconfirm', to: 'paid', by: ['seller'], money: 'the order pays the seller, less the cut' },
  { from: 'reconfirm', to: 'declined', by: ['seller', 'timer'], money: 'the order pays the recycler back' },
  { from: 'reconfirm', to: 'closed', by: ['order'], money: 'the order pays the recycler back' },
];

/** Final states, in which the request no longer has money in escrow. */
export const recycleEnds: readonly RecycleState[] = ['paid', 'declined', 'expired', 'withdrawn', 'closed'];
