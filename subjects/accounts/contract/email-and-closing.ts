import { sixDigits, typed, text, time } from '#contract/wire.ts';
import { typedMail } from '#contract/rules/texts/typed.ts';
import { z } from 'zod';
import { MAIL } from '#contract/rules/contacts/mail.ts';
import { endpoint } from '#contract/endpoint.ts';

const smsCode = sixDigits('请输入验证码', '请输入 6 位数字验证码');

const email = typed(
  typedMail,
  z.string({ error: '邮箱不能为空' }).max(120, '邮箱不能超过 120 个字符').regex(MAIL, '邮箱格式错误'),
);

export const sendEmailCode = endpoint({
  method: 'POST',
  path: '/api/user/sendEmailCode',
  auth: 'login',
  summary: '发送邮箱验证码',
  input: z.object({ email }),
  /** `unconfirmed`: the mail server did not confirm in time; the code may arrive later. */
  data: z.object({ waitSeconds: z.number().int(), unconfirmed: z.boolean() }),
  limit: 'sms',
});

/**
 * Needs the code sent to the mailbox and a step-up by the account's owner (purpose email), because security notices go
 * to that mailbox.
 */
export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/user/changeEmail',
  auth: 'login',
  summary: '绑定或更换邮箱',
  input: z.object({
    email,
    emailCode: sixDigits('请输入邮箱验证码', '请输入 6 位数字邮箱验证码'),
    smsCode: smsCode.optional(),
  }),
  data: z.object({ emailMask: z.string() }),
  limit: 'write',
});

/**
 * Whether the account can be deleted now, and what prevents it (domain.md 7: no balance, no open order, no listing).
 */
export const closeAccountCheck = endpoint({
  method: 'GET',
  path: '/api/user/closeAccountCheck',
  auth: 'login',
  summary: '注销条件',
  input: z.object({}),
  data: z.object({
    allowed: z.boolean(),
    conditions: z.array(z.object({ text: z.string(), met: z.boolean(), url: z.string().nullable() })),
  }),
  limit: 'read',
});

export const closeAccount = endpoint({
  method: 'POST',
  path: '/api/user/closeAccount',
  auth: 'login',
  summary: '注销账号',
  input: z.object({ smsCode: smsCode.optional(), reason: text(200, { label: '原因' }).default('') }),
  data: z.object({ eraseTime: time }),
  idempotent: true,
  limit: 'login',
});
