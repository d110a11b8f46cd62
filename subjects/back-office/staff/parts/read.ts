import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';

/** A read without a response for this long has failed, like calls that cannot be aborted. */
const TIMEOUT_MS = 15_000;

/**
 * Reads for a part of a page: calls `onData` with the data or `onFailure` with the message for the reader
 * (readFailureMessage), never both. The returned function aborts the read; neither is called after it.
 */
export function readPart<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  onData: (data: Data<E>) => void,
  onFailure: (message: string) => void,
): () => void {
  const stop = new AbortController();
  let isEnded = false;
  const timer = setTimeout(() => stop.abort(), TIMEOUT_MS);
  call(endpoint, input, { quiet: true, signal: stop.signal })
    .then(
      (data) => isEnded || onData(data),
      (error: unknown) => isEnded || onFailure(readFailureMessage(asFailure(error))),
    )
    .finally(() => clearTimeout(timer));
  return () => {
    isEnded = true;
    clearTimeout(timer);
    stop.abort();
  };
}
