import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { time } from './wire.ts';

/**
 * What a person proves to be the owner for. `pay` covers every debit of the balance and takes the pay password alone; every other purpose
 * takes the pay password or a code that was sent for it (domain.md 3).
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
] as const;

const purpose = z.enum(stepUpPurposes, { error: '验证用途不正确' });
const smsCode = z
  .string()
  .regex(/^\d{6}$/, '请输入 6 位数字验证码')
  .optional();

/** What the dialog asks for, before it asks. */
export const stepUpState = endpoint({
  method: 'GET',
  path: '/api/user/stepUpState',
  auth: 'login',
  summary: '身份验证方式',
  input: z.object({ purpose }),
  data: z.object({
    /** Proved within the last five minutes: nothing is asked. */
    isFresh: z.boolean(),
    hasPayPassword: z.boolean(),
    methods: z.array(z.enum(['payPassword', 'sms'])),
    phoneMask: z.string(),
    /** The pay password takes no try before this, after five wrong ones. */
    lockedUntil: time.nullable(),
  }),
  limit: 'read',
});

/** Proves the owner to this session for one purpose, for five minutes. */
export const stepUp = endpoint({
  method: 'POST',
  path: '/api/user/stepUp',
  auth: 'login',
  summary: '验证身份（支付密码或该用途的短信验证码）',
  input: z.object({ purpose, payPassword: z.string().max(64).optional(), smsCode }),
  data: z.object({ validUntil: time }),
  limit: 'login',
});
