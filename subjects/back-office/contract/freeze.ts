import { staffWrite } from '#contract/endpoint.ts';
import { z } from 'zod';
import { int, amount, text, optionalInt } from '#contract/wire.ts';

/** Freezes a user's money; the reason is shown to the user. */
export const freezeMoney = staffWrite('/api/backstage/ledger/freeze', '冻结用户资金', {
  input: z.object({
    userId: int({ min: 1, label: '用户编号' }),
    amount: amount({ minFen: 1, label: '冻结金额' }),
    reason: text(200, { min: 1, label: '原因' }),
    days: optionalInt({ min: 1, max: 180, label: '天数' }),
  }),
  data: z.object({ holdId: z.number().int() }),
  idempotent: true,
});
