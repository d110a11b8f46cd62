import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import { feeOf } from '#contract/rules/fee.ts';

export const depositRoleNames = {
  seller: '卖家',
  shop: '店铺',
  booster: '代练',
  companion: '陪玩',
  recycler: '回收商',
} as const;

/** The role that a deposit covers; a user may have one deposit for each. */
export type DepositRole = keyof typeof depositRoleNames;

/** A level of a role as configured by staff (table deposit_level). */
export interface DepositLevel {
  role: DepositRole;
  level: number;
  name: string;
  amountFen: number;
  benefits: string[];
  limits: { listings?: number; orderFen?: number; openOrders?: number };
  releaseDays: number;
}

/** The highest level of a role that an amount (fen) reaches; undefined below the first. */
export function levelReached(
  levels: readonly DepositLevel[],
  role: DepositRole,
  paidFen: number,
): DepositLevel | undefined {
  return levels.filter((l) => l.role === role && l.amountFen <= paidFen).toSorted((a, b) => b.level - a.level)[0];
}

export type DepositSetting = SettingValue<'deposit'>;

/** The penalty of rule 8.1 for cancelling an order of `goodsFen`, in fen. */
export const cancelPenalty = (goodsFen: number, setting: DepositSetting): number =>
  feeOf(goodsFen, setting.cancelBp, { minFen: setting.cancelMinFen, maxFen: setting.cancelMaxFen });

export const depositKindNames = ['', '缴纳', '扣除', '退还'] as const;

export const releaseStatusNames = {
  waiting: '等待退还',
  done: '已退还',
  withdrawn: '已取消',
  refused: '未通过',
} as const;
