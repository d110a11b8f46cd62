import { isApiFailure } from '#web/lib/api/api-failure.ts';

/** The result of a loader's call: its data, or the error with number and message. */
export type Attempt<T> = { ok: true; data: T } | { ok: false; code: number; msg: string };

/**
 * A call whose error is displayed within the page instead of replacing it. `part` must come from the request's own
 * context, whose failures still carry code and msg. Rethrows everything else.
 */
export async function attempt<T>(part: Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, data: await part };
  } catch (error) {
    if (isApiFailure(error)) return { ok: false, code: error.code, msg: error.msg };
    throw error;
  }
}
