/** Kinds of number that a blacklist entry names, as text (domain.md 7). */
export const blackKindNames = {
  qq: 'QQ',
  wechat: '微信',
  phone: '手机号',
  alipay: '支付宝',
  game: '游戏账号',
  bank: '银行卡',
  group: '群号',
} as const;
export type BlackKind = keyof typeof blackKindNames;

/** Reasons for a report, as text. */
export const blackReasonNames = {
  recovered: '找回账号',
  fraud: '诈骗',
  fake_service: '冒充客服',
  malicious_refund: '恶意退款',
  stolen: '出售盗号',
  cheating: '外挂封号',
  other: '其他',
} as const;
export type BlackReason = keyof typeof blackReasonNames;

/** States of a report, as text. */
export const blackStatusNames = {
  reviewing: '审核中',
  listed: '已列入',
  rejected: '未通过',
  removed: '已移出',
  expired: '已到期',
  withdrawn: '已撤回',
} as const;
export type BlackStatus = keyof typeof blackStatusNames;

/** Days within which an appeal is decided. */
export const APPEAL_DAYS = 3;
/** Durations for which a reviewer may publish an entry, in days; the first is the default. */
export const LISTED_DAYS = [730, 365, 90] as const;
/** Maximum number of one user's reports that wait for review at the same time. */
export const OPEN_REPORTS_MAX = 10;

/** Kinds of accounts and numbers that can be reported as used by a false customer service. */
export const fakeKindNames = {
  qq: 'QQ',
  wechat: '微信',
  phone: '手机号',
  payee: '收款账户',
  group: '群号',
  link: '网址',
} as const;
export type FakeKind = keyof typeof fakeKindNames;
/** Maximum number of accounts in one entry. */
export const BLACK_ACCOUNTS_MAX = 8;
