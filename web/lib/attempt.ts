import { isApiFailure } from '#web/lib/api-failure.ts';

/** What a loader's call came to: its answer, or the refusal with number and sentence. */
export type Attempt<T> = { ok: true; data: T } | { ok: false; code: number; msg: string };

/**
 * A call whose refusal is part of the page and not a page of its own. `part` must come from the request's own context,
 * whose failures still carry code and msg. Throws what is no refusal.
 */
export async function attempt<T>(part: Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, data: await part };
  } catch (error) {
    if (isApiFailure(error)) return { ok: false, code: error.code, msg: error.msg };
    throw error;
  }
}
