import type { EventEmitter } from 'node:events';
import { BUS_GAP } from '#server/ports/bus.ts';

/** Messages as they travel between processes. */
export interface Batch {
  /** The sending process. */
  from: string;
  list: { c: string; m: Record<string, unknown> }[];
  /** The sender lost messages before sending this batch. */
  gap?: boolean;
}

/** The name by which this process recognises its own batches. */
export const processName = (): string => `${process.pid}-${Math.random().toString(36).slice(2)}`;

/** Delivers a batch of another process to this one's listeners; `own` is this process's name. */
export function deliverBatch(emitter: EventEmitter, own: string, text: string): void {
  const batch = JSON.parse(text) as Partial<Batch>;
  if (batch.from === own) return;
  if (batch.gap === true) emitter.emit(BUS_GAP, {});
  for (const { c, m } of batch.list ?? []) emitter.emit(c, m);
}
