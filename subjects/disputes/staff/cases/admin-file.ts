import type { staffDisputeDetail } from '#subjects/disputes/contract/staff-disputes.ts';
import type { Data } from '#contract/endpoint.ts';

/** A dispute's file as staff read it. */
export type AdminFile = Data<typeof staffDisputeDetail>;
