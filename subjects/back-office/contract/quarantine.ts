import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { money, nothing, text, time } from '#contract/wire.ts';

const restored = { restoredTo: time, restoredAt: time, source: z.string() };

/**
 * The time of a restored market's latest data, for the banner on every page of the back office; null outside a
 * quarantine.
 */
export const quarantineBanner = staffRead('/api/backstage/quarantine/banner', '是否处于恢复隔离', {
  input: z.object({}),
  data: z.object({ restoredTo: time.nullable() }),
});

const held = z.object({ name: z.string(), title: z.string(), count: z.number().int(), since: time });
const due = z.object({ count: z.number().int(), amount: money });

/** The current quarantine with the jobs and events that it blocks, and earlier quarantines. */
export const quarantineState = staffRead('/api/backstage/quarantine/state', '恢复隔离', {
  input: z.object({}),
  data: z.object({
    current: z
      .object({
        ...restored,
        /** Jobs that are due, and events, most first. */
        jobs: z.array(held),
        events: z.array(held),
        withdrawals: due,
        refunds: due,
      })
      .nullable(),
    past: z.array(z.object({ ...restored, releasedAt: time, staffName: z.string().nullable(), reason: z.string() })),
  }),
});
export type QuarantineState = z.output<(typeof quarantineState)['data']>;

/** Resumes a restored market; possible once, with a reason. */
export const releaseQuarantine = staffWrite('/api/backstage/quarantine/release', '放行恢复隔离', {
  input: z.object({ reason: text(200, { min: 2, label: '原因' }) }),
  data: nothing,
});
