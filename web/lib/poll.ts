/** Time between two looks at a payment, and the number of looks before giving up (product.md 4 and 9). */
export const PAY_POLL_MS = 5_000;
export const PAY_POLL_MAX = 60;

interface Poll<T> {
  /** One look. A failure counts as a look that saw nothing. */
  request: () => Promise<T>;
  /** Sees each answer; true ends the polling. */
  isEnd: (response: T) => boolean;
  /** Called once when the looks are used up. */
  onGiveUp: () => void;
  everyMs?: number;
  max?: number;
}

/**
 * Looks again and again until the answer is final or the looks are used up. A look begins only after the one before has
 * come back. Returns the function that ends it; after that nothing is called any more.
 */
export function poll<T>({ request, isEnd, onGiveUp, everyMs = PAY_POLL_MS, max = PAY_POLL_MAX }: Poll<T>): () => void {
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
