/** Baidu's link submission for a brand: its token, which is never shown, and the results. */
import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { PUSH_TOKEN } from '../rules/link-push.ts';
import { int, text, time } from '#contract/wire.ts';

const distId = int({ min: 1, max: 1_000_000, label: '品牌' });

export const staffLinkPush = staffRead('/api/backstage/brand/push', '品牌的百度推送', {
  input: z.object({ distId }),
  data: z.object({
    /** on: pages are submitted to Baidu; stand-in: nothing is submitted, as in the demo; off: switched off by the platform. */
    state: z.enum(['on', 'stand-in', 'off']),
    /** The site as Baidu knows it; null while the brand has no host. */
    site: z.string().nullable(),
    token: z.object({ setTime: time, setBy: z.string().nullable() }).nullable(),
    /** Accepted today, by China's clock. */
    accepted: z.number().int(),
    /** The remaining quota at Baidu today; null if it is not known today. */
    remaining: z.number().int().nullable(),
    waiting: z.number().int(),
    sentTime: time.nullable(),
    failure: z.object({ text: z.string(), time, untilTime: time.nullable() }).nullable(),
    /** URLs that Baidu rejected in the last thirty days, newest first. */
    refused: z.array(z.string()),
    maySet: z.boolean(),
  }),
});

/** Stores a token; an empty one removes it and the queued pages. */
export const setLinkPushToken = staffWrite('/api/backstage/brand/pushToken', '设置百度推送密钥', {
  input: z.object({
    distId,
    token: z
      .string({ error: '请填写推送密钥' })
      .trim()
      .refine((token) => token === '' || PUSH_TOKEN.test(token), '推送密钥是一串字母和数字，请不要带网址'),
    reason: text(100, { min: 2, label: '原因' }),
  }),
  data: z.object({}),
});

/** Submits the home page with the stored token and returns Baidu's response. It counts towards the day's quota. */
export const testLinkPush = staffWrite('/api/backstage/brand/pushTest', '试推百度', {
  input: z.object({ distId }),
  data: z.object({ ok: z.boolean(), text: z.string() }),
  limit: 'verify',
});
