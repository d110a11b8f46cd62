import type { disputeDetail } from '#subjects/disputes/contract/dispute.ts';
import type { Data } from '#contract/endpoint.ts';

/** A dispute's file as its two parties read it. */
export type DisputeFile = Data<typeof disputeDetail>;
