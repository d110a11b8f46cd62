import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { depositRole } from '#subjects/deposits/contract/deposit.ts';
import { int, optionalText, money } from '#contract/wire.ts';
import { MAX_ALI_OR_WX } from '#subjects/payments/rules/pay-channels.ts';
import { DEFAULT_PAY_MODE } from '#contract/rules/amounts.ts';
import { recPay } from './pay.ts';

/**
 * Pays the amount missing to a level: from the balance, or by a channel like a top-up (payWay, then poll by payRand).
 */
export const depositPay = endpoint({
  method: 'POST',
  path: '/api/pay/depositPay',
  auth: 'login',
  summary: '缴纳保证金',
  input: z.object({
    role: depositRole,
    level: int({ min: 1, max: 9, label: '保证金等级' }),
    payWay: z.enum(['balance', 'channel'], { error: '支付方式不正确' }).default('balance'),
    aliOrWx: int({ min: 1, max: MAX_ALI_OR_WX, label: '支付方式' }).default(1),
    payMode: int({ min: 0, max: 99, label: '支付模式' }).default(DEFAULT_PAY_MODE),
    payPassword: z.string().max(64).optional(),
    deviceId: optionalText(80),
    returnUrl: z
      .string()
      .max(200)
      .regex(/^(\/(?![/\\])[\w\-/?=&.]*)?$/, '返回地址不正确')
      .optional(),
  }),
  data: z.object({
    /** 1 paid, 0 waiting for the channel. */
    status: z.number().int(),
    amount: money,
    /** The payment to show, in the form of recPay's response; null when it was paid from the balance. */
    payment: recPay.data.nullable(),
  }),
  idempotent: true,
  limit: 'pay',
});
