/** Measures patterns one after the other and reports each: a pattern with exponential time can only be ended with its thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { superLinear } from './growth.ts';
import { pumpsOf } from './pumps.ts';

export interface Measured {
  source: string;
  flags: string;
  /** Input characters that the pattern gets at most. */
  longest?: number;
}

for (const { source, flags, longest } of workerData as Measured[])
  parentPort?.postMessage(superLinear(new RegExp(source, flags), pumpsOf(source, flags), longest));
