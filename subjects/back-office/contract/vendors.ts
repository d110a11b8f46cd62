import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { payChannelNames } from '#subjects/payments/rules/pay-channels.ts';
import { idCardProblem } from '#subjects/verification/rules/id-card.ts';
import { phone, text, time, typed } from '#contract/wire.ts';
import { typedIdCard, typedMail } from '#contract/rules/texts/typed.ts';

/** The kind of a vendor test. */
export const vendorTrials = ['sms', 'mail', 'realName', 'pay', 'push', 'officialAccount', 'wechatLogin'] as const;
export type VendorTrial = (typeof vendorTrials)[number];

const vendor = z.object({
  key: z.string(),
  label: z.string(),
  subject: z.string(),
  state: z.enum(['on', 'stand-in', 'off']),
  circuit: z.enum(['closed', 'open', 'probing']),
  /** For the last hour, in the responding process. */
  calls: z.number().int(),
  failures: z.number().int(),
  rejected: z.number().int(),
  medianMs: z.number().int(),
  p95Ms: z.number().int(),
  lastSuccess: time.nullable(),
  lastFailure: time.nullable(),
  lastError: z.string(),
  /** The test that uses this vendor; null without one. */
  trial: z.enum(vendorTrials).nullable(),
});
export type VendorItem = z.output<typeof vendor>;

/** Every vendor with its state and the figures of the last hour. */
export const vendorList = staffRead('/api/backstage/vendor/list', '服务商', {
  input: z.object({}),
  data: z.object({ list: z.array(vendor) }),
});

const outcome = z.object({ ok: z.boolean(), text: z.string() });

/** Sends a test message to a phone. Messages cost money, so this is rate-limited and recorded. */
export const trySms = staffWrite('/api/backstage/vendor/trySms', '试发短信', {
  input: z.object({ phone }),
  data: outcome,
  limit: 'verify',
});

export const tryMail = staffWrite('/api/backstage/vendor/tryMail', '试发邮件', {
  input: z.object({ email: typed(typedMail, z.email({ error: '邮箱格式错误' }).max(120, '邮箱不能超过 120 个字符')) }),
  data: outcome,
  limit: 'verify',
});

/** Checks a name and a number without recording either. */
export const tryRealName = staffWrite('/api/backstage/vendor/tryRealName', '试验实名', {
  input: z.object({
    realName: text(32, { min: 2, label: '姓名' }),
    idCard: typed(
      typedIdCard,
      z.string({ error: '身份证号不能为空' }).superRefine((number, issues) => {
        const problem = idCardProblem(number, Date.now());
        if (problem) issues.addIssue({ code: 'custom', message: problem });
      }),
    ),
    phone: phone.optional(),
  }),
  data: outcome,
  limit: 'verify',
});

/**
 * Queries a payment channel for a number that does not exist: a "not found" response proves that keys and signatures
 * are correct. No money moves.
 */
export const tryPay = staffWrite('/api/backstage/vendor/tryPay', '试查支付渠道', {
  input: z.object({ channel: z.enum(payChannelNames, { error: '支付渠道不正确' }) }),
  data: outcome,
  limit: 'verify',
});

/** Sends a push message to the subscribed browsers of a user. */
export const tryPush = staffWrite('/api/backstage/vendor/tryPush', '试发浏览器推送', {
  input: z.object({ phone }),
  data: outcome,
  limit: 'verify',
});

/** Sends a message of the official account to a user who follows it. */
export const tryOfficialAccount = staffWrite('/api/backstage/vendor/tryOfficialAccount', '试发公众号消息', {
  input: z.object({ phone }),
  data: outcome,
  limit: 'verify',
});

/** Redeems a code that does not exist. If WeChat answers that it does not exist, id and secret are correct. */
export const tryWechatLogin = staffWrite('/api/backstage/vendor/tryWechatLogin', '试查微信登录', {
  input: z.object({}),
  data: outcome,
  limit: 'verify',
});
