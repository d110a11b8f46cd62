import { staffRead } from '#contract/endpoint.ts';
import { z } from 'zod';
import { time } from '#contract/wire.ts';

/** The accuracy of each game's price model, for staff. */
export const staffValuations = staffRead('/api/backstage/valuation/list', '估价模型（后台）', {
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        gameId: z.number().int(),
        gameName: z.string(),
        samples: z.number().int(),
        errorPercent: z.number(),
        version: z.number().int(),
        madeTime: time,
        stale: z.boolean(),
        asked7: z.number().int(),
        months: z.array(
          z.object({ month: z.string(), percent: z.number(), sales: z.number().int(), gain: z.number() }),
        ),
      }),
    ),
  }),
});
