import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { sn, int, optionalInt, money, time } from '#contract/wire.ts';

/**
 * Available discounts: the caller's own applicable coupons, and coupons that can still be claimed. Visitors see only
 * the latter. The chosen guarantee is included, because a coupon may apply to its premium.
 */
export const findDiscount = endpoint({
  method: 'GET',
  path: '/api/goods/findDiscount',
  auth: 'public',
  summary: '商品可用的优惠',
  input: z.object({
    goodsSn: sn,
    goodsNum: int({ min: 1, max: 100_000, label: '数量' }).default(1),
    ensureId: optionalInt({ max: 1000, label: '包赔' }),
    fixEnsureId: optionalInt({ max: 1000, label: '找回包赔' }),
    bargainId: optionalInt({ label: '议价' }),
  }),
  data: z.object({
    allInPrice: money,
    bestPrice: money,
    bestCouponId: z.number().int().nullable(),
    list: z.array(
      z.object({
        couponId: z.number().int().nullable(),
        code: z.string(),
        name: z.string(),
        kind: z.enum(['goods', 'service', 'guarantee']),
        kindName: z.string(),
        amount: money,
        minimum: money,
        /** The discount on this order; zero where it does not apply. */
        takes: money,
        usable: z.boolean(),
        /** Why it does not apply; null when it does. */
        reason: z.string().nullable(),
        received: z.boolean(),
        expireTime: time.nullable(),
      }),
    ),
  }),
  idField: 'goodsSn',
  limit: 'read',
});
