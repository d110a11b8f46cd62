import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import { feeOf, rateText } from '#contract/rules/fee.ts';
import { yuanLabel } from '#contract/wire.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { GuaranteeTier } from '#server/directory/directory.ts';
import { couponDiscount, type CouponTerms, couponKindNames } from '#subjects/promotions/server/service.ts';

/** The platform's fees. */
export type FeeSetting = SettingValue<'fees'>;

/** The properties of a guarantee that determine its price. */
export type GuaranteeSetting = Pick<GuaranteeTier, 'id' | 'kind' | 'name' | 'bp' | 'minFen'>;

export interface FeeLine {
  code: 'goods' | 'service' | 'ensure' | 'fixEnsure' | 'coupon';
  label: string;
  fen: number;
  rule: string;
}

export interface PriceInput {
  unitFen: number;
  /** The unit price was agreed on with the seller. */
  agreed?: boolean;
  num: number;
  fees: FeeSetting;
  guarantees: readonly GuaranteeSetting[];
  ensureId: number;
  fixEnsureId: number;
  guaranteeOk: boolean;
  coupon: (CouponTerms & { name: string }) | null;
  distShareBp: number;
  /** The brand's addition to the service fee, which it receives in full, in basis points of the price. */
  markUpBp?: number;
  invited: boolean;
}

export interface Price {
  lines: FeeLine[];
  goodsFen: number;
  serviceFeeFen: number;
  ensureFen: number;
  fixEnsureFen: number;
  discountFen: number;
  totalFen: number;
  commissionFen: number;
  distShareFen: number;
  inviteRewardFen: number;
}

/** The seller's commission on a price, in fen: 5 %, at most 500 yuan, by setting (domain.md 3). */
export const commissionOf = (goodsFen: number, fees: FeeSetting): number =>
  feeOf(goodsFen, fees.sellerBp, { maxFen: fees.sellerMaxFen });

/**
 * All amounts of an order, computed on the server only and frozen when it is placed. Throws BAD_INPUT for an unknown guarantee,
 * COUPON_UNUSABLE with the reason for a coupon without a discount.
 */
export function priceOf(p: PriceInput): Price {
  const goodsFen = p.unitFen * p.num;
  if (!Number.isSafeInteger(goodsFen) || goodsFen > 9_999_999_900) throw new AppError('PAY_AMOUNT');
  const { markUpBp = 0 } = p;
  const platformFeeFen = feeOf(goodsFen, p.fees.buyerBp);
  // One rate, rounded once, so that the checkout total equals the card's all-in price to the fen.
  const serviceFeeFen = feeOf(goodsFen, p.fees.buyerBp + markUpBp);
  const markUpFen = serviceFeeFen - platformFeeFen;
  const ensure = guarantee(p, 'ensure', p.ensureId);
  const fixEnsure = guarantee(p, 'fixEnsure', p.fixEnsureId);
  const ensureFen = ensure ? feeOf(goodsFen, ensure.bp, ensure) : 0;
  const fixEnsureFen = fixEnsure ? feeOf(goodsFen, fixEnsure.bp, fixEnsure) : 0;
  const beforeCoupon = goodsFen + serviceFeeFen + ensureFen + fixEnsureFen;
  const discountFen = p.coupon
    ? discountOf(p.coupon, { goodsFen, serviceFeeFen, guaranteeFen: ensureFen + fixEnsureFen })
    : 0;
  const commissionFen = commissionOf(goodsFen, p.fees);
  // The platform's income; the mark-up belongs only to the brand.
  const income = commissionFen + platformFeeFen;
  const lines: FeeLine[] = [
    {
      code: 'goods',
      label: p.num > 1 ? `商品价 × ${p.num}` : '商品价',
      fen: goodsFen,
      rule: p.num > 1 ? `单价 ${yuanLabel(p.unitFen)} 元` : p.agreed ? '议价成交价' : '卖家标价',
    },
    {
      code: 'service',
      label: '买家服务费',
      fen: serviceFeeFen,
      rule: `商品价的 ${rateText(p.fees.buyerBp + markUpBp)}，四舍五入到分`,
    },
  ];
  for (const [code, g, fen] of [
    ['fixEnsure', fixEnsure, fixEnsureFen],
    ['ensure', ensure, ensureFen],
  ] as const) {
    if (g) lines.push({ code, label: g.name, fen, rule: `商品价的 ${rateText(g.bp)}，最低 ${yuanLabel(g.minFen)} 元` });
  }
  if (p.coupon)
    lines.push({
      code: 'coupon',
      label: `${couponKindNames[p.coupon.kind]} · ${p.coupon.name}`,
      fen: -discountFen,
      rule: COUPON_RULES[p.coupon.kind],
    });
  return {
    lines,
    goodsFen,
    serviceFeeFen,
    ensureFen,
    fixEnsureFen,
    discountFen,
    totalFen: beforeCoupon - discountFen,
    commissionFen,
    // Shares are floored, so that the remainder stays with the platform.
    distShareFen: Math.floor((income * p.distShareBp) / 10_000) + markUpFen,
    inviteRewardFen: p.invited ? Math.floor((income * p.fees.inviteBp) / 10_000) : 0,
  };
}

const COUPON_RULES = {
  goods: '抵扣商品价，由平台承担，卖家到手不变',
  service: '抵扣买家服务费，最多抵到零',
  guarantee: '抵扣包赔费，最多抵到零',
} as const;

function discountOf(coupon: CouponTerms, base: Parameters<typeof couponDiscount>[1]): number {
  const { fen, reason } = couponDiscount(coupon, base);
  if (reason !== null) throw new AppError('COUPON_UNUSABLE', { text: `优惠券不可用于该订单：${reason}` });
  return fen;
}

function guarantee(p: PriceInput, kind: GuaranteeSetting['kind'], id: number): GuaranteeSetting | null {
  if (id === 0) return null;
  const match = p.guarantees.find((g) => g.id === id && g.kind === kind);
  if (!p.guaranteeOk) throw new AppError('BAD_INPUT', { text: '该商品不支持所选包赔' });
  if (!match) throw new AppError('BAD_INPUT', { text: '所选包赔已停售或条款已更新，请刷新页面后重新选择' });
  return match;
}
