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

/** An existing day of China, 2026-11-22; null for anything else. */
export function dayOf(text: string | null | undefined): string | null {
  if (!text || !/^20\d{2}-\d{2}-\d{2}$/.test(text)) return null;
  const at = new Date(`${text}T00:00:00+08:00`);
  return Number.isNaN(at.getTime()) || chinaDay(at) !== text ? null : text;
}

const CHINA_MS = 8 * 3_600_000;

/** The day in China at a moment. */
export function chinaDay(at: Date): string {
  return new Date(at.getTime() + CHINA_MS).toISOString().slice(0, 10);
}

/** The day `days` after a day. */
export function dayAfter(day: string, days: number): string {
  return chinaDay(new Date(Date.parse(`${day}T00:00:00+08:00`) + days * 86_400_000));
}
