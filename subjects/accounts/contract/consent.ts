import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { int, nothing, time } from '#contract/wire.ts';

/** Agreements whose newest version needs the caller's consent again. New users have none: registration includes consent to the current versions. */
export const pendingConsents = endpoint({
  method: 'GET',
  path: '/api/user/pendingConsents',
  auth: 'login',
  summary: '待同意的协议',
  input: z.object({}),
  data: z.object({
    list: z.array(z.object({ code: z.string(), version: z.number().int(), title: z.string(), fromTime: time })),
  }),
  limit: 'read',
});

/** Agrees to the current version of an agreement. */
export const giveConsent = endpoint({
  method: 'POST',
  path: '/api/user/consent',
  auth: 'login',
  summary: '同意协议的新版本',
  input: z.object({
    code: z.string({ error: '请选择协议' }).regex(/^[a-z_]{2,40}$/, '没有这份协议'),
    version: int({ min: 1, max: 1_000_000, label: '版本' }),
  }),
  data: nothing,
  limit: 'write',
});
