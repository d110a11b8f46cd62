import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/wire.ts';

/**
 * Allows manual tests of the demo market: returns the codes of the local adapters. Returns 404 outside the demo
 * market.
 */
export const selfCheck = endpoint({
  method: 'GET',
  path: '/api/test/selfCheck',
  auth: 'public',
  summary: '自检（仅演示）：验证码、动态码、接入方式、运行状况',
  input: z.object({}),
  data: z.object({
    version: z.string(),
    time,
    backstage: z.string(),
    password: z.string(),
    payPassword: z.string(),
    health: z.array(z.object({ name: z.string(), ok: z.boolean(), text: z.string() })),
    adapters: z.array(z.object({ port: z.string(), name: z.string(), text: z.string() })),
    sms: z.array(z.object({ phone: z.string(), code: z.string(), purposeName: z.string(), time })),
    /** Messages sent through the local adapters, newest first. */
    notices: z.array(z.object({ way: z.string(), to: z.string(), text: z.string(), time })),
    /** `code` is the next unused one: valid in `waitSeconds` (mostly 0), displayed for `secondsLeft`. */
    staff: z.array(
      z.object({
        login: z.string(),
        name: z.string(),
        about: z.string(),
        code: z.string(),
        waitSeconds: z.number().int(),
        secondsLeft: z.number().int(),
      }),
    ),
    users: z.array(z.object({ phone: z.string(), nickName: z.string(), about: z.string() })),
  }),
  limit: 'read',
});
