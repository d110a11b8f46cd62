import type { Data } from '#contract/endpoint.ts';
import type { orderDetail } from '#subjects/orders/contract/order.ts';
import type { Sealed } from './sealed-box.tsx';

/** The values that the parties exchange in a step. */
export type Exchange = NonNullable<Data<typeof orderDetail>['handover'][number]['exchange']>;

/** A step of a hand-over as shown to a party. */
export interface HandoverStep {
  step: number;
  key: string;
  title: string;
  actor: string;
  actorName: string;
  minutes: number;
  required: boolean;
  needsEvidence: boolean;
  secret: boolean;
  explain: string;
  state: 'done' | 'current' | 'waiting';
  mine: boolean;
  /** Completed by confirming the receipt. */
  isReceipt?: boolean;
  dueTime: string | null;
  doneTime: string | null;
  doneBy: string | null;
  pictures: readonly { url: string; thumb: string }[];
  skipped: boolean;
  canSkip: boolean;
  sealed: Sealed | null;
  exchange: Exchange | null;
}
