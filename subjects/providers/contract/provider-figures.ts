import { z } from 'zod';
import { money } from '#contract/wire.ts';

/** Figures of the last eight weeks, oldest first; weeks begin on Monday in China. */
export const weeks = z.array(
  z.object({
    start: z.string(),
    orders: z.number().int(),
    done: z.number().int(),
    onTime: z.number().int(),
    /** A shop's income; what a recycler spent. */
    amount: money,
  }),
);
