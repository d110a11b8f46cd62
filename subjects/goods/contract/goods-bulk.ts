import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { BULK_MAX, bulkActions, PERCENT_MAX, PERCENT_MIN } from '../rules/listing-states.ts';
import { askingPrice } from './goods-body.ts';
import { offerLimits } from '../rules/offer-limits.ts';
import { int, json, money, sn, text } from '#contract/wire.ts';

/**
 * One action on many of the caller's listings. Each is processed on its own: a failure is reported for that listing and
 * does not stop the others. `percent` is for 'price' only: -10 makes each 10 percent cheaper. Under one Idempotency-Key
 * each listing is changed once, however often the call is repeated.
 */
export const bulkGoods = endpoint({
  method: 'POST',
  path: '/api/goods/bulkGoods',
  auth: 'login',
  summary: '批量操作我的商品',
  input: z
    .object({
      act: z.enum(bulkActions, { error: '操作不正确' }),
      goodsSnList: json(z.array(sn).min(1, '请选择商品').max(BULK_MAX, `一次最多 ${BULK_MAX} 件`), '商品'),
      percent: z
        .union([z.string().regex(/^-?\d{1,3}$/, '调整幅度应为整数'), z.number().int('调整幅度应为整数')], {
          error: '调整幅度应为整数',
        })
        .transform(Number)
        .refine(
          (n) => n >= PERCENT_MIN && n <= PERCENT_MAX && n !== 0,
          `调整幅度应在 ${PERCENT_MIN}% 到 ${PERCENT_MAX}% 之间`,
        )
        .optional(),
    })
    .refine(({ act: action, percent }) => action !== 'price' || percent !== undefined, {
      error: '请填写调整幅度',
      path: ['percent'],
    }),
  data: z.object({
    done: z.number().int(),
    list: z.array(
      z.object({
        goodsSn: z.string(),
        ok: z.boolean(),
        /** Why the action failed; '' when it succeeded. */
        msg: z.string(),
        code: z.number().int(),
        status: z.number().int().nullable(),
        price: money.nullable(),
      }),
    ),
  }),
  idempotent: true,
  limit: 'write',
});

/** The changes to one listing; absent fields stay as they are. */
export const listingChange = z
  .object({
    goodsSn: sn,
    price: askingPrice.optional(),
    stock: int({ min: 0, max: offerLimits.stockMax, label: '库存' }).optional(),
    act: z.enum(['push', 'pull'], { error: '操作不正确' }).optional(),
  })
  .refine((one) => Object.values(one).filter((value) => value !== undefined).length > 1, '没有要修改的内容');

/**
 * The result of changing one listing; the three values are the listing's current ones, null when there is no such
 * listing.
 */
export const listingChanged = z.object({
  goodsSn: z.string(),
  ok: z.boolean(),
  code: z.number().int(),
  /** Why it failed; '' when it succeeded. */
  msg: z.string(),
  /** The field that caused the failure; '' when none did. */
  field: z.string(),
  price: money.nullable(),
  stock: z.number().int().nullable(),
  status: z.number().int().nullable(),
});

/**
 * Separate changes to many of the caller's listings: price and quantity without review, the title with one. Title, price and
 * quantity of a row change together, then its state. If only the state cannot be changed (named by `field`), the rest
 * of the row is changed; any other error changes nothing. `was` holds the values that the caller saw: if the listing
 * has another price or quantity by now, its row is rejected with GOODS_CHANGED.
 */
export const editGoodsList = endpoint({
  method: 'POST',
  path: '/api/goods/editGoodsList',
  auth: 'login',
  summary: '逐件修改我的商品',
  input: z.object({
    list: json(
      z
        .array(
          listingChange.safeExtend({
            bigTitle: text(offerLimits.titleMax, { min: offerLimits.titleMin, label: '标题' }).optional(),
            was: z
              .object({
                price: askingPrice.optional(),
                stock: int({ min: 0, max: offerLimits.stockMax, label: '原库存' }).optional(),
              })
              .optional(),
          }),
        )
        .min(1, '没有要保存的修改')
        .max(BULK_MAX, `一次最多 ${BULK_MAX} 件`),
      '修改',
    ),
  }),
  data: z.object({ done: z.number().int(), list: z.array(listingChanged) }),
  limit: 'write',
});
