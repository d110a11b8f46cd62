import { rateText } from '#contract/rules/fee.ts';

/** Reasons of a claim, with the proof that each needs. */
export const claimReasons = {
  recovered: { name: '账号被找回', evidence: '登录失败、密码或手机被改的截图' },
  face_refused: { name: '人脸核验不通过', evidence: '人脸核验页面与联系卖家的记录' },
  banned: { name: '因原号主行为被封', evidence: '封禁通知与封禁原因截图' },
  not_as_described: { name: '隐瞒重要情况', evidence: '能看到该情况的截图' },
  topup_lost: { name: '购号后的充值损失', evidence: '充值订单或扣款记录，写明金额与日期，客服核实后逐笔录入' },
  other: { name: '其他', evidence: '能说明损失的截图' },
} as const;
export type ClaimReason = keyof typeof claimReasons;

/**
 * The maximum payout of a claim for one reason, and whether the deadline may pay it automatically (platform rules 5.4,
 * 5.5).
 */
export interface ReasonTerms {
  /** The account's price, or the amount that receipts prove. */
  most: 'price' | 'receipts';
  byItself: boolean;
  /**
   * The payable share of the price falls over time: by `stepBp` every `everyDays`, starting after `afterDays`, never
   * below `floorBp`.
   */
  fall?: { afterDays: number; everyDays: number; stepBp: number; floorBp: number };
}

export type ReasonsTerms = Readonly<Partial<Record<ClaimReason, ReasonTerms>>>;

const WHOLE_BP = 10_000;

/** The payable share of the price after a number of whole days of the guarantee, in basis points. */
export function shareLeftBp({ fall }: ReasonTerms, days: number): number {
  if (!fall || days < fall.afterDays) return WHOLE_BP;
  const steps = Math.floor((days - fall.afterDays) / fall.everyDays) + 1;
  return Math.max(fall.floorBp, WHOLE_BP - steps * fall.stepBp);
}

/** The amounts that a guarantee covers, in fen. */
export interface Covered {
  reasons: ReasonsTerms;
  /** The insured price: that of the guarantee, or of the resale when it was lower. */
  priceFen: number;
  /** The maximum payout of the whole guarantee. */
  payoutMaxFen: number;
}

const provesMore = (reasons: ReasonsTerms): boolean =>
  Object.values(reasons).some((terms) => terms?.most === 'receipts');

/**
 * The maximum payout of a claim, in fen: at most the price (falling where the terms say so), and more only with
 * receipts where the terms accept them; 0 for a reason that is not covered. `days` are counted from the start of the
 * guarantee to the claim.
 */
export function claimLimit(c: Covered, reason: ClaimReason, days: number, receiptsFen: number): number {
  const terms = c.reasons[reason];
  if (!terms) return 0;
  const base = terms.most === 'price' ? Math.floor((c.priceFen * shareLeftBp(terms, days)) / WHOLE_BP) : 0;
  return Math.min(c.payoutMaxFen, base + (provesMore(c.reasons) ? receiptsFen : 0));
}

/**
 * The maximum that may be requested when a claim is opened, in fen. Receipts are entered later, so reasons paid by
 * receipts allow up to the guarantee's maximum.
 */
export function claimableUntil(c: Covered, reason: ClaimReason, days: number): number {
  return c.reasons[reason]?.most === 'receipts' ? c.payoutMaxFen : claimLimit(c, reason, days, 0);
}

const timesText = (bp: number): string => (bp === WHOLE_BP ? '商品价' : `商品价的 ${rateText(bp)}`);

/** Each covered reason with what it pays, as text for terms and forms. */
export function reasonLines(
  reasons: ReasonsTerms,
  payoutBp: number,
): { reason: ClaimReason; name: string; text: string; byItself: boolean }[] {
  return (Object.keys(claimReasons) as ClaimReason[]).flatMap((reason) => {
    const terms = reasons[reason];
    if (!terms) return [];
    const { fall } = terms;
    const most =
      terms.most === 'receipts'
        ? `以核实的充值凭证为限，最多${timesText(payoutBp)}`
        : fall
          ? `最多商品价，满 ${fall.afterDays} 天后每 ${fall.everyDays} 天减 ${rateText(fall.stepBp)}，不低于 ${rateText(fall.floorBp)}`
          : '最多商品价';
    return [
      {
        reason,
        name: claimReasons[reason].name,
        text: terms.byItself ? most : `${most}，由人工核定`,
        byItself: terms.byItself,
      },
    ];
  });
}
