import type { Data } from '#contract/endpoint.ts';
import type { orderDetail } from '#subjects/orders/contract/order.ts';
import type { Sealed } from './sealed-box.tsx';

/** What the parties pass to each other in a step. */
export type Exchange = NonNullable<Data<typeof orderDetail>['handover'][number]['exchange']>;

/** A step of a hand-over as its party sees it. */
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
