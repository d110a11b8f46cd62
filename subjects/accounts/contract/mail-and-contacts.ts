import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { MAIL } from '#contract/rules/mail.ts';
import { typedAccountId, typedDigits, typedMail } from '#contract/rules/typed.ts';
import { optionalText, phone, sn, text, time, sixDigits, typed } from '#contract/wire.ts';

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
