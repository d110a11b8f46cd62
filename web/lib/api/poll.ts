import { TOP_UP_MAX_POLLS, TOP_UP_POLL_MS } from '#contract/rules/limits.ts';

interface Poll<T> {
  /** One poll. A failure counts as a poll without a result. */
  request: () => Promise<T>;
  /** Receives each response; true ends the polling. */
  isEnd: (response: T) => boolean;
  /** Called once when the maximum number of polls is reached. */
  onGiveUp: () => void;
  everyMs?: number;
  max?: number;
}

/**
 * Polls until the response is final or the maximum number is reached. A poll starts only after the previous one has
 * completed. Returns a function that stops it; nothing is called after that.
 */
export function poll<T>({
  request,
  isEnd,
  onGiveUp,
  everyMs = TOP_UP_POLL_MS,
  max = TOP_UP_MAX_POLLS,
}: Poll<T>): () => void {
  let attempts = 0;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    timer = setTimeout(() => void attempt(), everyMs);
  };
  const attempt = async () => {
    attempts += 1;
    const ended = await request().then(
      (response) => !over && isEnd(response),
      () => false,
    );
    if (over || ended) return;
    if (attempts >= max) onGiveUp();
    else schedule();
  };
  schedule();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
