import { z } from 'zod';
import { staffRead } from '#contract/endpoint.ts';
import { time } from '#contract/wire.ts';

/** Messages sent through the stand-ins of a trial since the last start, newest first. Returns 404 outside a trial. */
export const trialMessages = staffRead('/api/backstage/trial/messages', '试运行（仅试运行）：发出的验证码与通知', {
  input: z.object({}),
  data: z.object({
    marketName: z.string(),
    codes: z.array(z.object({ phone: z.string(), code: z.string(), purposeName: z.string(), time })),
    notices: z.array(z.object({ way: z.string(), to: z.string(), text: z.string(), time })),
  }),
});
