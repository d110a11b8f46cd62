import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';

/** A payout account that can be bound. */
export const PAYEES = [
  { type: 'alipay', field: 'aliAccount', name: '支付宝' },
  { type: 'wechat', field: 'wxAccount', name: '微信' },
  { type: 'bank', field: 'bankAccount', name: '银行卡' },
] as const;

export type PayeeType = (typeof PAYEES)[number]['type'];

interface Accounts {
  aliAccount: string | null;
  wxAccount: string | null;
  bankAccount: string | null;
}

export interface Payee {
  type: PayeeType;
  name: string;
  mask: string;
  /** Whether withdrawals to this kind of account are enabled. */
  isOpen: boolean;
  /** When money arrives by it; '' when it is disabled. */
  arrival: string;
}

/** A kind of account as the terms describe it. */
interface Way {
  accountType: PayeeType;
  isOpen: boolean;
  arrival: string;
}

/** The user's bound payout accounts, masked; open ones first. */
export function payeesOf(accounts: Accounts, ways: readonly Way[]): Payee[] {
  const payees = PAYEES.flatMap(({ type, field, name }) => {
    const mask = accounts[field];
    const method = ways.find(({ accountType }) => accountType === type);
    return mask ? [{ type, name, mask, isOpen: method?.isOpen === true, arrival: method?.arrival ?? '' }] : [];
  });
  return payees.toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen));
}

/** Why an amount cannot be withdrawn; null when it can. Amounts in yuan text. */
export function withdrawError(text: string, bounds: { minimum: string; coin: string }): string | null {
  const amount = text.trim();
  if (!amount) return '请输入提现金额';
  const wrong = amountError(amount, '提现金额');
  if (wrong !== null) return wrong;
  if (fenOf(amount) < fenOf(bounds.minimum)) return `最低提现 ${grouped(bounds.minimum)} 元`;
  if (fenOf(amount) > fenOf(bounds.coin)) return `超过可用余额 ${grouped(bounds.coin)} 元`;
  return null;
}

/** The amount after the fee, in yuan text. */
export function arrives(amount: string, fee: string): string {
  return yuanOf(Math.max(0, fenOf(amount) - fenOf(fee)));
}

/** Tone of a withdrawal's state: attention while in progress, safe once it arrived, neutral when returned. */
export function withdrawTone(status: number): 'attn' | 'safe' | undefined {
  if (status === WithdrawalStatus.Pending || status === WithdrawalStatus.Paying) return 'attn';
  return status === WithdrawalStatus.Paid ? 'safe' : undefined;
}
