import type { BillGroup } from '../rules/bill.ts';

/** One movement of money: `fen` from `debit` to `credit`. `code` gives the reason and, with `ref`, makes it unique. */
export interface Transfer {
  code: PostingCode;
  ref: string;
  debit: string;
  credit: string;
  fen: number;
  /** The site of the trade. */
  dist: number;
  order?: number;
}

const SHARDS = 16;

/** Keys of the accounts (db/migrations/0001_baseline.sql). Platform and clearing accounts are sharded, so that trades do not contend for one row. */
export const account = {
  available: (userId: number): string => `user:${userId}:available`,
  frozen: (userId: number): string => `user:${userId}:frozen`,
  deposit: (userId: number): string => `user:${userId}:deposit`,
  escrow: (orderId: number): string => `order:${orderId}:escrow`,
  platform: (name: 'fee' | 'guarantee_fund' | 'coupon_expense' | 'recycling', spread: number): string =>
    `platform:${name}:${spread % SHARDS}`,
  clearing: (channel: string, spread: number): string => `clearing:${channel}:${spread % SHARDS}`,
  /** The fees that a channel keeps; an external account like the clearing account, so it may be negative. */
  channelFee: (channel: string, spread: number): string => `clearing:${channel}_fee:${spread % SHARDS}`,
  /** A recycler's bid on an account while it is open. */
  bid: (quoteId: number): string => `recycle:${quoteId}:escrow`,
  /** The fee of a re-inspection while it is open. */
  inspection: (taskId: number): string => `inspection:${taskId}:escrow`,
  /** An open order of boosting until a booster claims it. */
  boostRequest: (requestId: number): string => `boost:${requestId}:escrow`,
  wantDeposit: (wantId: number): string => `want:${wantId}:deposit`,
  commission: (distId: number): string => `dist:${distId}:commission`,
  /** Shares of sales whose protection has not ended: not available yet. */
  distMaturing: (distId: number): string => `dist:${distId}:maturing`,
  maturing: (userId: number): string => `user:${userId}:maturing`,
};

/** Every reason for a movement of money, with the text shown to its owner. docs/LEDGER.md lists them with examples. */
export const postings = {
  topup: { group: 'topup', title: '充值', from: '付款账户', to: '可用余额' },
  order_pay: { group: 'order', title: '支付订单', from: '买家可用余额', to: '订单托管' },
  order_pay_channel: { group: 'order', title: '在线支付订单', from: '付款账户', to: '订单托管' },
  order_coupon: { group: 'order', title: '优惠券抵扣', from: '平台优惠支出', to: '订单托管' },
  sale_proceeds: { group: 'sale', title: '卖出货款（保护期冻结）', from: '订单托管', to: '卖家冻结' },
  sale_commission: { group: 'sale', title: '卖家佣金', from: '订单托管', to: '平台手续费' },
  service_fee: { group: 'sale', title: '买家服务费', from: '订单托管', to: '平台手续费' },
  dist_share: { group: 'sale', title: '分销佣金（待结算）', from: '订单托管', to: '分销商待结算佣金' },
  dist_share_mature: { group: 'sale', title: '分销佣金到期', from: '分销商待结算佣金', to: '分销商佣金' },
  invite_reward: { group: 'reward', title: '邀请奖励（待结算）', from: '订单托管', to: '邀请人待结算奖励' },
  invite_reward_mature: { group: 'reward', title: '邀请奖励', from: '待结算奖励', to: '邀请人可用余额' },
  milestone_paid: { group: 'sale', title: '服务阶段款', from: '订单托管', to: '服务方可用余额' },
  service_tip: { group: 'order', title: '陪玩打赏（保护期冻结）', from: '买家可用余额', to: '陪玩冻结' },
  service_tip_fee: { group: 'order', title: '陪玩打赏的平台佣金', from: '买家可用余额', to: '平台手续费' },
  service_tip_end: { group: 'sale', title: '陪玩打赏解冻', from: '陪玩冻结', to: '陪玩可用余额' },
  service_tip_back: { group: 'refund', title: '陪玩打赏退回', from: '陪玩冻结', to: '买家可用余额' },
  service_tip_fee_back: { group: 'refund', title: '陪玩打赏佣金退回', from: '平台手续费', to: '买家可用余额' },
  service_deposit_in: { group: 'deposit', title: '服务保证金（冻结）', from: '服务方可用余额', to: '服务方冻结' },
  service_deposit_out: { group: 'deposit', title: '服务保证金退回', from: '服务方冻结', to: '服务方可用余额' },
  service_deposit_paid: { group: 'refund', title: '服务保证金赔付', from: '服务方冻结', to: '买家可用余额' },
  guarantee_premium: { group: 'sale', title: '包赔费', from: '订单托管', to: '包赔基金' },
  hold_end: { group: 'sale', title: '货款解冻', from: '卖家冻结', to: '卖家可用余额' },
  hold_part: { group: 'sale', title: '货款分批放款', from: '卖家冻结', to: '卖家可用余额' },
  order_refund: { group: 'refund', title: '订单退款', from: '订单托管', to: '买家可用余额' },
  order_refund_coupon: { group: 'refund', title: '优惠券退回', from: '订单托管', to: '平台优惠支出' },
  ruling_to_seller: { group: 'sale', title: '裁决给卖家', from: '订单托管', to: '卖家冻结' },
  ruling_take_back: { group: 'refund', title: '裁决从冻结货款退回', from: '卖家冻结', to: '买家可用余额' },
  ruling_from_balance: { group: 'refund', title: '裁决从已放出的货款退回', from: '卖家可用余额', to: '买家可用余额' },
  ruling_from_deposit: { group: 'refund', title: '裁决从卖家保证金退回', from: '卖家保证金', to: '买家可用余额' },
  ruling_from_fund: { group: 'refund', title: '裁决由包赔基金垫付', from: '包赔基金', to: '买家可用余额' },
  ruling_fee_back: { group: 'refund', title: '裁决退回手续费', from: '平台手续费', to: '买家可用余额' },
  dist_share_back: { group: 'refund', title: '裁决退回分销佣金', from: '分销商待结算佣金', to: '买家可用余额' },
  invite_reward_back: { group: 'refund', title: '裁决退回邀请奖励', from: '邀请人待结算奖励', to: '买家可用余额' },
  ruling_coupon: { group: 'refund', title: '退款中优惠券的部分收回', from: '买家可用余额', to: '平台优惠支出' },
  premium_back: { group: 'refund', title: '包赔费退回', from: '包赔基金', to: '买家可用余额' },
  withdraw_ask: { group: 'withdraw', title: '提现申请（冻结）', from: '可用余额', to: '冻结' },
  withdraw_paid: { group: 'withdraw', title: '提现到账', from: '冻结', to: '收款账户' },
  withdraw_fee: { group: 'withdraw', title: '提现手续费', from: '冻结', to: '平台手续费' },
  withdraw_back: { group: 'withdraw', title: '提现退回', from: '冻结', to: '可用余额' },
  withdraw_bounce: { group: 'withdraw', title: '提现打款后被退回', from: '收款账户', to: '可用余额' },
  withdraw_fee_back: { group: 'withdraw', title: '提现手续费退回', from: '平台手续费', to: '可用余额' },
  late_payment: { group: 'topup', title: '订单已关闭，付款退回余额', from: '付款账户', to: '可用余额' },
  late_refund: { group: 'topup', title: '订单已关闭，付款原路退回（处理中）', from: '付款账户', to: '冻结' },
  refund_ask: { group: 'refund', title: '原路退回（处理中）', from: '可用余额', to: '冻结' },
  refund_paid: { group: 'refund', title: '已原路退回', from: '冻结', to: '付款账户' },
  refund_back: { group: 'refund', title: '原路退回失败，已退到余额', from: '冻结', to: '可用余额' },
  freeze: { group: 'other', title: '平台冻结', from: '可用余额', to: '冻结' },
  unfreeze: { group: 'other', title: '平台解除冻结', from: '冻结', to: '可用余额' },
  channel_fee: { group: 'other', title: '渠道手续费', from: '渠道手续费', to: '渠道' },
  deposit_in: { group: 'deposit', title: '缴纳保证金', from: '可用余额', to: '保证金' },
  deposit_out: { group: 'deposit', title: '退回保证金', from: '保证金', to: '可用余额' },
  deposit_penalty: { group: 'deposit', title: '保证金扣除', from: '保证金', to: '包赔基金' },
  deposit_compensation: { group: 'claim', title: '保证金赔付', from: '卖家保证金', to: '买家可用余额' },
  want_deposit_in: { group: 'deposit', title: '求购定金', from: '可用余额', to: '求购定金' },
  want_deposit_out: { group: 'deposit', title: '求购定金退回', from: '求购定金', to: '可用余额' },
  debt_collected: { group: 'refund', title: '欠款偿还', from: '对方收入', to: '对方账户' },
  claim_recourse: { group: 'claim', title: '包赔赔付从冻结货款收回', from: '卖家冻结', to: '包赔基金' },
  claim_share_back: { group: 'claim', title: '包赔赔付收回分销佣金', from: '分销商待结算佣金', to: '包赔基金' },
  claim_reward_back: { group: 'claim', title: '包赔赔付收回邀请奖励', from: '邀请人待结算奖励', to: '包赔基金' },
  claim_paid: { group: 'claim', title: '包赔赔付', from: '包赔基金', to: '买家可用余额' },
  recycle_fund: { group: 'other', title: '平台回收拨款', from: '平台回收支出', to: '平台回收余额' },
  recycle_bid: { group: 'order', title: '回收出价（托管）', from: '回收商可用余额', to: '出价托管' },
  recycle_bid_back: { group: 'refund', title: '回收出价退回', from: '出价托管', to: '回收商可用余额' },
  recycle_pay: { group: 'order', title: '回收出价转入订单', from: '出价托管', to: '订单托管' },
  recycle_cut: { group: 'refund', title: '验号减价退回', from: '卖家冻结', to: '回收商可用余额' },
  inspection_fee: { group: 'order', title: '复验费（托管）', from: '买家可用余额', to: '复验托管' },
  inspection_fee_back: { group: 'refund', title: '复验费退回', from: '复验托管', to: '买家可用余额' },
  inspection_fee_earned: { group: 'sale', title: '复验费', from: '复验托管', to: '平台手续费' },
  inspection_repaid: { group: 'claim', title: '复验有差异，复验费由基金退还', from: '包赔基金', to: '买家可用余额' },
  inspection_wrong: { group: 'claim', title: '验号结果有误赔付', from: '包赔基金', to: '买家可用余额' },
  boost_ask: { group: 'order', title: '代练发单（托管）', from: '买家可用余额', to: '发单托管' },
  boost_ask_back: { group: 'refund', title: '代练发单退回', from: '发单托管', to: '买家可用余额' },
  boost_ask_pay: { group: 'order', title: '代练发单转入订单', from: '发单托管', to: '订单托管' },
  dist_settle: { group: 'other', title: '分销佣金结算', from: '分销商佣金', to: '银行渠道' },
} as const satisfies Record<string, { group: BillGroup; title: string; from: string; to: string }>;

export type PostingCode = keyof typeof postings;

/** Postings that return an order's money to its buyer, from any account; only `ruling_coupon` goes the other way. */
export const refundCodes = [
  'order_refund',
  'ruling_take_back',
  'ruling_from_balance',
  'ruling_from_deposit',
  'ruling_from_fund',
  'ruling_fee_back',
  'dist_share_back',
  'invite_reward_back',
  'ruling_coupon',
  'premium_back',
] as const satisfies readonly PostingCode[];

/** SQL: the sum of the transfers with `refundCodes`, in fen from the buyer's view; 0 without any. */
export const refundSum = `coalesce(sum(case when code = 'ruling_coupon' then -amount_fen when code in (${refundCodes.map((code) => `'${code}'`).join(', ')}) then amount_fen else 0 end), 0)::bigint`;

const PLATFORM_ACCOUNTS: ReadonlySet<string> = new Set(['平台优惠支出', '平台手续费', '平台回收支出', '包赔基金']);

/** Postings by which money leaves an account of the platform. docs/SECURITY.md describes the limit of each. */
export const platformDebits: readonly PostingCode[] = (Object.keys(postings) as PostingCode[]).filter((code) =>
  PLATFORM_ACCOUNTS.has(postings[code].from),
);

/** The posting codes of a group of the bill. */
export const codesOf = (group: BillGroup): PostingCode[] =>
  (Object.keys(postings) as PostingCode[]).filter((code) => postings[code].group === group);
