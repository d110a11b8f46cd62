import type { Sealed } from './sealed-box.tsx';

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
  sealed: Sealed | null;
}
