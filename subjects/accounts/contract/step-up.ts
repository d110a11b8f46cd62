import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { time, typed } from '#contract/wire.ts';
import { typedDigits } from '#contract/rules/texts/typed.ts';

/**
 * The purposes of a step-up. `pay` covers every debit of the balance and accepts only the pay password; every other
 * purpose accepts the pay password or a code sent for it (domain.md 3).
 */
export const stepUpPurposes = [
  'pay',
  'changePhone',
  'forget',
  'payee',
  'email',
  'thirdParty',
  'close',
  'export',
  'apiKey',
] as const;

const purpose = z.enum(stepUpPurposes, { error: '验证用途不正确' });
const smsCode = typed(typedDigits, z.string().regex(/^\d{6}$/, '请输入 6 位数字验证码')).optional();

/** Returns the proofs that the step-up dialog can request, and whether an earlier one still counts. */
export const stepUpState = endpoint({
  method: 'GET',
  path: '/api/user/stepUpState',
  auth: 'login',
  summary: '身份验证方式',
  input: z.object({ purpose }),
  data: z.object({
    /** Stepped up within the last five minutes: the dialog is not needed. */
    isFresh: z.boolean(),
    hasPayPassword: z.boolean(),
    methods: z.array(z.enum(['payPassword', 'sms'])),
    phoneMask: z.string(),
    /** After five wrong attempts the pay password is locked until this time. */
    lockedUntil: time.nullable(),
  }),
  limit: 'read',
});

/** Steps up this session for one purpose, for five minutes. */
export const stepUp = endpoint({
  method: 'POST',
  path: '/api/user/stepUp',
  auth: 'login',
  summary: '验证身份（支付密码或该用途的短信验证码）',
  input: z.object({ purpose, payPassword: z.string().max(64).optional(), smsCode }),
  data: z.object({ validUntil: time }),
  limit: 'login',
});
