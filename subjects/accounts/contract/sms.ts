import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { plainPhone } from '#contract/wire.ts';

/** Purposes of a code for a number given by the caller: 'bind' proves the new number of an account. */
export const smsPurposes = ['register', 'login', 'forget', 'bind'] as const;

/** Purposes of a code for the signed-in user's own number; 'forget' changes the login password. */
export const ownSmsPurposes = [
  'forget',
  'payout',
  'payee',
  'payPassword',
  'changePhone',
  'email',
  'thirdParty',
  'close',
  'export',
  'apiKey',
] as const;

/** The response is the same for known and unknown numbers (reliability.md b.3). */
export const clientSms = endpoint({
  method: 'POST',
  path: '/api/comm/client/sms',
  auth: 'public',
  summary: '发送短信验证码',
  input: z.object({ phone: plainPhone, type: z.enum(smsPurposes, { error: '验证码用途不正确' }) }),
  /** `unconfirmed`: the SMS provider did not confirm in time; the code may arrive later. */
  data: z.object({ waitSeconds: z.number().int(), unconfirmed: z.boolean() }),
  limit: 'sms',
});

/** Sends the code to the signed-in user's own number. */
export const smsBindPhone = endpoint({
  method: 'POST',
  path: '/api/comm/smsBindPhone',
  auth: 'login',
  summary: '向已绑定手机发送验证码',
  input: z.object({ type: z.enum(ownSmsPurposes, { error: '验证码用途不正确' }).default('payout') }),
  data: z.object({ waitSeconds: z.number().int(), unconfirmed: z.boolean(), phoneMask: z.string() }),
  limit: 'sms',
});
