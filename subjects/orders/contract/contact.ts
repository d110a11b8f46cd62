import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { sn, phone, typed, optionalText } from '#contract/wire.ts';
import { typedDigits, typedAccountId } from '#contract/rules/texts/typed.ts';

/**
 * Contact details that a party leaves for one transaction. Only the assigned customer service can read them; they are
 * erased after completion. An empty form deletes them.
 */
export const transactionCacheContactInfo = endpoint({
  method: 'POST',
  path: '/api/order/transactionCacheContactInfo',
  auth: 'login',
  summary: '填写本次交易的联系方式',
  input: z.object({
    orderSn: sn,
    contactPhone: z
      .union([z.literal('').transform(() => undefined), phone], { error: '您输入的手机号有误' })
      .optional(),
    qq: typed(typedDigits, z.string().regex(/^([1-9]\d{4,9})?$/, 'QQ号格式错误')).optional(),
    weChat: typed(
      typedAccountId,
      z.string().regex(/^([A-Za-z][\w-]{5,19}|1[3-9]\d{9})?$/, '微信号格式错误'),
    ).optional(),
    roleName: optionalText(40, '角色名'),
    onlineTime: optionalText(60, '在线时间'),
    note: optionalText(200, '备注'),
  }),
  data: z.object({ orderSn: z.string(), saved: z.boolean() }),
  limit: 'write',
});
