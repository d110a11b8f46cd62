/**
 * The purposes of a user's money movements, as grouped in the bill's filter; subjects/ledger/server/rules.ts assigns the
 * postings.
 */
export const billGroupNames = {
  topup: '充值',
  order: '购买付款',
  sale: '出售货款',
  refund: '退款',
  withdraw: '提现',
  deposit: '保证金',
  reward: '邀请奖励',
  claim: '赔付',
  other: '其他',
} as const;

export type BillGroup = keyof typeof billGroupNames;

export const billGroups = Object.keys(billGroupNames) as [BillGroup, ...BillGroup[]];
