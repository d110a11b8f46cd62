import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';

/**
 * A proof of work that a browser must solve after many attempts: find the number below `maxnumber` whose hash with
 * `salt` is `challenge`. The solution is sent, as base64 of JSON, in the header x-altcha of the call that failed with
 * CHALLENGE_REQUIRED. Each is valid once, for ten minutes.
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
