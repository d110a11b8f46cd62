import { AppError, asAppError, UnknownResult } from '#server/kernel/errors.ts';

/**
 * What a failure of a job says. moved-on: its subject needs nothing any more, it is finished; passing: another part is busy or does not
 * know yet, it is tried again; fault: ours, tried again up to the job's limit and then left for staff.
 */
export type FailureClass = 'moved-on' | 'passing' | 'fault';

/** The class of what a run threw. What only the database raised is a fault: the job's own code did not foresee it. */
export function classOf(error: unknown): FailureClass {
  const known = asAppError(error)?.error;
  if (error instanceof UnknownResult || known === 'BUSY' || known === 'QUARANTINE') return 'passing';
  return error instanceof AppError ? 'moved-on' : 'fault';
}

const MAX_TEXT = 500;

/** The error in a line, cut; staff reads it, so that a phone's number in it is masked. */
export const textOf = (error: unknown): string =>
  String(error)
    .replace(/(?<!\d)(1\d{2})\d{4}(\d{4})(?!\d)/g, '$1****$2')
    .slice(0, MAX_TEXT);

const STEP_SECONDS = 30;
const MAX_SECONDS = 3600;

/** Until the next try, in seconds: half a minute longer each time, an hour at most. */
export const backOffSeconds = (attempts: number): number => Math.min(MAX_SECONDS, STEP_SECONDS * Math.max(1, attempts));
