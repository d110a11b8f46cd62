import type { staffDisputeDetail } from '#contract/backstage-disputes.ts';
import type { Data } from '#contract/endpoint.ts';

/** A dispute's file as staff read it. */
export type AdminFile = Data<typeof staffDisputeDetail>;
