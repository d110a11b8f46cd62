import { z } from 'zod';
import { endpoint, staffRead } from '#contract/endpoint.ts';
import { nothing, text, sixDigits } from '#contract/wire.ts';

/** Served only on the back office's own host. A second-factor code is valid once. */
export const staffLogin = endpoint({
  method: 'POST',
  path: '/api/backstage/staffLogin',
  auth: 'public',
  summary: '后台登录',
  input: z.object({
    login: text(40, { min: 1, label: '账号' }),
    password: z.string({ error: '请输入密码' }).min(1, '请输入密码').max(128, '密码不能超过 128 个字符'),
    code: sixDigits('请输入动态码', '请输入 6 位动态码'),
  }),
  data: z.object({
    token: z.string(),
    csrfToken: z.string(),
    staffId: z.number().int(),
    name: z.string(),
    role: z.string(),
  }),
  limit: 'login',
});

export const staffLogout = endpoint({
  method: 'POST',
  path: '/api/backstage/staffLogout',
  auth: 'staff',
  summary: '退出后台',
  input: z.object({}),
  data: nothing,
});

export const staffInfo = staffRead('/api/backstage/staffInfo', '当前工作人员', {
  input: z.object({}),
  data: z.object({
    staffId: z.number().int(),
    name: z.string(),
    /** The role's code and its name; the allowed actions are in `permissions`. */
    role: z.string(),
    roleName: z.string(),
    permissions: z.array(z.string()),
    distId: z.number().int().nullable(),
    imUid: z.string(),
  }),
});
