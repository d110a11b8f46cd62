import { yuanLabel } from '#contract/wire.ts';

/** The amount that a coupon reduces: the goods' price, the buyer's service fee, or the guarantee's premium. */
export type CouponKind = 'goods' | 'service' | 'guarantee';

export const couponKindNames: Readonly<Record<CouponKind, string>> = {
  goods: '商品券',
  service: '服务费券',
  guarantee: '包赔券',
};

/** The terms of a coupon, in fen. The minimum is compared with the goods' price, regardless of the kind. */
export interface CouponTerms {
  kind: CouponKind;
  amountFen: number;
  minimumFen: number;
}

/** The parts of an order that coupons can reduce, in fen. */
export interface CouponBase {
  goodsFen: number;
  serviceFeeFen: number;
  guaranteeFen: number;
}

/**
 * The reduction of an order by a coupon, in fen, at most the part that it applies to, or the reason why it is zero. At least one fen of the
 * order remains to be paid, so that every order has a payment.
 */
export function couponDiscount(coupon: CouponTerms, base: CouponBase): { fen: number; reason: string | null } {
  if (base.goodsFen < coupon.minimumFen) return { fen: 0, reason: `商品金额满 ${yuanLabel(coupon.minimumFen)} 元可用` };
  const part = { goods: base.goodsFen, service: base.serviceFeeFen, guarantee: base.guaranteeFen }[coupon.kind];
  if (part <= 0) return { fen: 0, reason: coupon.kind === 'guarantee' ? '选择包赔后可用' : '本单没有可抵扣的费用' };
  const total = base.goodsFen + base.serviceFeeFen + base.guaranteeFen;
  return { fen: Math.min(coupon.amountFen, part, total - 1), reason: null };
}

/** A prize of the lottery with its published odds, in hundredths of a percent. */
export interface Prize {
  id: number;
  oddsBp: number;
  stock: number;
}

const FULL_BP = 10_000;

/** The current odds: a prize that has run out is no longer drawn, and its share counts as nothing won. */
export const liveOdds = (prize: Prize): number => (prize.stock > 0 ? prize.oddsBp : 0);

/** The remaining probability of 'nothing won', in hundredths of a percent. */
export const nothingOdds = (prizes: readonly Prize[]): number =>
  Math.max(0, FULL_BP - prizes.reduce((sum, prize) => sum + liveOdds(prize), 0));

/**
 * Which prize a roll of 0 to 9999 falls on; null = nothing. Every prize keeps its range even when it has run out, so that this never changes
 * the odds of another.
 */
export function prizeAt<P extends Prize>(prizes: readonly P[], roll: number): P | null {
  let from = 0;
  for (const prize of prizes) {
    if (roll >= from && roll < from + prize.oddsBp) return prize.stock > 0 ? prize : null;
    from += prize.oddsBp;
  }
  return null;
}

/** A name masked to its first character. */
export const maskNick = (nickName: string): string => `${[...nickName][0] ?? '玩'}**`;

/** The lottery's rules, as its page publishes them. */
export const lotteryRules = (drawsPerDay: number): string[] => [
  `每位已实名的成年用户每天（北京时间）可抽 ${drawsPerDay} 次，不收费，也不需要下单。`,
  '每次由服务器生成 0 到 9999 的随机数，按上表的概率区间判定，结果与网络快慢、设备和消费记录无关。',
  '奖品抽完后，它的概率计入“未中奖”，其他奖品的概率不变。',
  '中奖的优惠券即时到账，可在“我的优惠券”查看；优惠券不可转让、不可兑换现金。',
];
