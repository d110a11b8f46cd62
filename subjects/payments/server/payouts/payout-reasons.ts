/** The message to the user when a payout did not arrive, by the channel's code. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/PAYEE_NOT_EXIST|OPENID/, '收款账号不存在，或已注销'],
  [/PAYEE_USER_INFO_ERROR|NAME_NOT_CORRECT|REAL_NAME/, '收款账号的姓名与实名信息不一致'],
  [/PAYEE_ACC(OUNT)?_|PAYEE_ACCOUNT|ACCOUNT_(FROZEN|ABNORMAL)|SECURITY_CHECK/, '收款账号不能收款，可能被限制或冻结'],
  [/EXCEED_LIMIT|QUOTA_EXCEED|OVER_LIMIT/, '超过收款账号的限额'],
  [/OVERDUE|CANCELLED|CLOSE/, '24 小时内没有在微信里确认收款'],
  [/REFUND/, '收款方退回了这笔打款'],
];

const AFTER = '金额已退回余额';

/** The sentence for a payout that a channel refused; an unknown code is not shown. */
export function failedNote(code: string | undefined): string {
  const reason = REASONS.find(([pattern]) => pattern.test(code ?? ''))?.[1];
  if (reason === undefined) return `打款失败，${AFTER}，请核对收款账户后重新提交`;
  const next = /CANCELLED|OVERDUE|CLOSE/.test(code ?? '') ? '请重新提交' : '请核对收款账户后重新提交';
  return `打款失败：${reason}，${AFTER}，${next}`;
}

/** The sentence for a line of a list that the bank refused or sent back, with the reason entered by finance. */
export const bankNote = (what: '银行拒绝' | '打款后被退回', reason: string): string =>
  `${what}：${reason}，${AFTER}，请核对收款账户后重新提交`;
