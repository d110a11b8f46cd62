import { z } from 'zod';
import { staffWrite } from '#contract/endpoint.ts';
import { text } from '#contract/wire.ts';

/** 2 restricts an account: it can read, but all its writes are rejected. 1 lifts the restriction. */
export const setUserStatus = staffWrite('/api/backstage/user/setStatus', '限制或恢复账号', {
  input: z.object({
    userId: z.string({ error: '用户编号不能为空' }).regex(/^\d{1,15}$/, '用户编号不正确'),
    status: z.enum(['1', '2'], { error: '账号状态不正确' }),
    reason: text(200, { min: 1, label: '原因' }),
  }),
  data: z.object({ userId: z.string(), status: z.number().int() }),
});
