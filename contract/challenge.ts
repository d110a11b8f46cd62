import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * Work for a browser whose next try is one of many: the number below `maxnumber` whose hash with `salt` is `challenge`. The solution goes, as
 * base64 of JSON, into the header x-altcha of the call that was refused with CHALLENGE_REQUIRED; each is good once, for ten minutes.
 */
export const challenge = endpoint({
  method: 'GET',
  path: '/api/comm/challenge',
  auth: 'public',
  summary: '安全验证题目（工作量证明）',
  input: z.object({}),
  data: z.object({
    algorithm: z.enum(['SHA-1', 'SHA-256', 'SHA-512']),
    challenge: z.string(),
    salt: z.string(),
    signature: z.string(),
    maxnumber: z.number().int(),
  }),
  limit: 'read',
});
