/** The criteria of an account's security level (product.md 4). */
import { AuthStatus } from '#contract/rules/statuses.ts';
export interface SecurityDetails {
  authStatus: number;
  isHadPhone: boolean;
  isHadPassWord: boolean;
  isPayPassWord: boolean;
  isHadEmail: boolean;
  /** Any payout account: Alipay, WeChat or bank. */
  isHadPayout: boolean;
}

/** The score of an account with all six criteria. */
export const MAX_SECURITY_SCORE = 9;

/** Base 30, plus 10 for each of the six criteria, divided by 10: from 3 to 9. */
export function securityScore(details: SecurityDetails): number {
  const held = [
    details.authStatus === AuthStatus.Verified,
    details.isHadPhone,
    details.isHadPassWord,
    details.isPayPassWord,
    details.isHadEmail,
    details.isHadPayout,
  ].filter(Boolean).length;
  return (30 + 10 * held) / 10;
}

export type SecurityLevel = 'safe' | 'good' | 'average' | 'dangerous';

/** 9 or more is safe, 6 good, 3 average, below that dangerous. */
export function securityLevel(score: number): SecurityLevel {
  if (score >= 9) return 'safe';
  if (score >= 6) return 'good';
  return score >= 3 ? 'average' : 'dangerous';
}

export const securityLevelNames: Readonly<Record<SecurityLevel, string>> = {
  safe: '安全',
  good: '良好',
  average: '一般',
  dangerous: '危险',
};

/** Thresholds of the total paid, in ten thousand yuan (product.md 4 and 9). */
export const vipThresholds = [50, 100, 150] as const;

/** VIP level 0 to 3 by the total of all paid orders, in fen. */
export function vipLevel(paidTotalFen: number): number {
  return vipThresholds.filter((threshold) => paidTotalFen >= threshold * 10_000 * 100).length;
}

/** Names of the seller levels 0 to 5; the level is derived from sales and ratings and cannot be bought. */
const sellerLevelNames = ['新手', '普通', '银牌', '金牌', '钻石', '皇冠'] as const;

/** The name of a seller level; levels above the highest have its name. */
export function sellerLevelName(level: number): string {
  return sellerLevelNames[Math.min(Math.max(Math.trunc(level), 0), sellerLevelNames.length - 1)] ?? sellerLevelNames[0];
}
