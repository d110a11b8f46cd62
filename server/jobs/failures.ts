import { AppError, asAppError, UnknownResult } from '#server/kernel/errors.ts';

/**
 * Classes of job failures. moved-on: the subject no longer needs the job, it is finished; passing: another part is busy or does not
 * know yet, it is tried again; fault: our bug, tried again up to the job's limit and then left for staff.
 */
export type FailureClass = 'moved-on' | 'passing' | 'fault';

/** The class of a thrown error. A plain database error is a fault: the job's own code did not expect it. */
export function classOf(error: unknown): FailureClass {
  const known = asAppError(error)?.error;
  if (error instanceof UnknownResult || known === 'BUSY' || known === 'QUARANTINE') return 'passing';
  return error instanceof AppError ? 'moved-on' : 'fault';
}

const MAX_TEXT = 500;

/** The error in one truncated line; staff read it, so phone numbers in it are masked. */
export const textOf = (error: unknown): string =>
  String(error)
    .replace(/(?<!\d)(1\d{2})\d{4}(\d{4})(?!\d)/g, '$1****$2')
    .slice(0, MAX_TEXT);

const STEP_SECONDS = 30;
const MAX_SECONDS = 3600;

/** Seconds until the next attempt: half a minute longer each time, an hour at most. */
export const backOffSeconds = (attempts: number): number => Math.min(MAX_SECONDS, STEP_SECONDS * Math.max(1, attempts));
