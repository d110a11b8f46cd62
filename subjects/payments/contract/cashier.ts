import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { payRand } from './pay.ts';
import { PAY_METHODS } from '../rules/payer-browser.ts';
import { money, time } from '#contract/wire.ts';

/** A payment as shown on the cashier's page, where a phone opens the channel. Anyone who has the URL can see it. */
export const payCashier = endpoint({
  method: 'GET',
  path: '/api/pay/cashier',
  auth: 'public',
  summary: '收银台：手机上打开支付渠道的页面',
  input: z.object({ payRand }),
  data: z.object({
    payRand: z.string(),
    amount: money,
    subject: z.string(),
    status: z.number().int(),
    channelName: z.string(),
    way: z.enum(PAY_METHODS),
    place: z.enum(['desktop', 'phone', 'wechat', 'alipay']),
    /** The channel cannot be opened inside this app. */
    mustLeave: z.boolean(),
    expireTime: time,
    /** URL of the page where the payment was made, which shows its state. */
    backUrl: z.string(),
  }),
  idField: 'payRand',
  limit: 'read',
});

/**
 * Opens the channel from the cashier's page; exactly one of the three is set: the channel's page, the fields of WeChat's dialog, or the URL
 * at which WeChat first identifies the payer.
 */
export const openPayment = endpoint({
  method: 'POST',
  path: '/api/pay/openPayment',
  auth: 'public',
  summary: '收银台：打开支付渠道',
  input: z.object({ payRand }),
  data: z.object({
    jumpUrl: z.string().nullable(),
    jsapi: z.record(z.string(), z.string()).nullable(),
    payerUrl: z.string().nullable(),
  }),
  limit: 'write',
});
