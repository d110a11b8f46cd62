import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { typed, text, time, sixDigits } from '#contract/wire.ts';
import { typedAccountId } from '#contract/rules/texts/typed.ts';

const smsCode = sixDigits('请输入验证码', '请输入 6 位数字验证码');

export const bindAccountNum = endpoint({
  method: 'POST',
  path: '/api/user/bindAccountNum',
  auth: 'login',
  summary: '绑定收款账户',
  input: z.object({
    accountType: z.enum(['alipay', 'wechat', 'bank'], { error: '账户类型不正确' }),
    /** Absent when the payee is the WeChat account bound to the user (withdrawTerms, isBoundAccount). */
    account: typed(typedAccountId, text(64, { label: '收款账号' })).optional(),
    realName: text(32, { min: 2, label: '收款人姓名' }),
    /** Code of purpose payee; absent after a step-up. */
    smsCode: smsCode.optional(),
  }),
  data: z.object({ accountMask: z.string(), usableFrom: time }),
  limit: 'write',
});
