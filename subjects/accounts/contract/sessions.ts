import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/wire.ts';

/** The caller's sessions: the session of this call first, then by last use. */
export const sessionList = endpoint({
  method: 'GET',
  path: '/api/user/sessionList',
  auth: 'login',
  summary: '登录中的设备',
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        sessionId: z.string(),
        device: z.string(),
        /** Province and city of the IP address, if known, and the address with its end masked. */
        network: z.string(),
        isCurrent: z.boolean(),
        createTime: time,
        lastSeenTime: time,
      }),
    ),
  }),
  limit: 'read',
});

/**
 * Ends one of the caller's other sessions, or all of them without `sessionId`. To end the session of this call, log
 * out.
 */
export const sessionEnd = endpoint({
  method: 'POST',
  path: '/api/user/sessionEnd',
  auth: 'login',
  summary: '让其他设备退出登录',
  input: z.object({
    sessionId: z
      .string()
      .regex(/^[\w-]{22}$/, '设备编号不正确')
      .optional(),
  }),
  data: z.object({ ended: z.number().int() }),
  limit: 'write',
});
