/** The kinds of account that a withdrawal may be paid to; server/payout-methods.ts chooses the channel that pays. */
export const payoutKinds = ['alipay', 'wechat', 'bank'] as const;
export type PayoutKind = (typeof payoutKinds)[number];

export const payoutKindNames: Readonly<Record<PayoutKind, string>> = {
  alipay: '支付宝',
  wechat: '微信',
  bank: '银行卡',
};

/** The channel of withdrawals that finance pays by handing a payout list to the bank. */
export const BANK_LIST = 'bank';

/** When money arrives, by channel; shown on the withdrawal form and with each withdrawal. */
export const payoutArrivals: Readonly<Record<string, string>> = {
  alipay: '一般 2 小时内审核，通过后由支付宝转账，通常几分钟到账',
  wechat: '一般 2 小时内审核，通过后请在微信里确认收款，24 小时内有效，确认后随即到账',
  bank: '一般 2 小时内审核，通过后由财务按批向银行提交，1 至 2 个工作日到账，以银行入账为准',
  sandbox: '一般 2 小时内审核，通过后立即到账（演示环境，不动真钱）',
};

/** The results that finance can record for a line of a payout list. */
export const payoutResults = ['paid', 'refused', 'requeued', 'bounced'] as const;
export type PayoutResult = (typeof payoutResults)[number];

export const payoutResultNames: Readonly<Record<PayoutResult, string>> = {
  paid: '已打款',
  refused: '银行拒绝',
  requeued: '未提交，放回待导出',
  bounced: '打款后被退回',
};

/** The results that may be recorded next: a paid line can only bounce; a refused or requeued one is final. */
export function nextPayoutResults(result: PayoutResult | null): readonly PayoutResult[] {
  if (result === null) return ['paid', 'refused', 'requeued'];
  return result === 'paid' ? ['bounced'] : [];
}
