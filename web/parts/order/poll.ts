/** Time between two looks at a payment, and the number of looks before giving up (product.md 4 and 9). */
export const PAY_POLL_MS = 5_000;
export const PAY_POLL_MAX = 60;

interface Poll<T> {
  /** One look. A failure counts as a look that saw nothing. */
  ask: () => Promise<T>;
  /** Sees each answer; true ends the polling. */
  isEnd: (answer: T) => boolean;
  /** Called once when the looks are used up. */
  onGiveUp: () => void;
  everyMs?: number;
  max?: number;
}

/**
 * Looks again and again until the answer is final or the looks are used up. A look begins only after the one before has
 * come back. Returns the function that ends it; after that nothing is called any more.
 */
export function poll<T>({ ask, isEnd, onGiveUp, everyMs = PAY_POLL_MS, max = PAY_POLL_MAX }: Poll<T>): () => void {
  let looks = 0;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    timer = setTimeout(() => void look(), everyMs);
  };
  const look = async () => {
    looks += 1;
    const ended = await ask().then(
      (answer) => !over && isEnd(answer),
      () => false,
    );
    if (over || ended) return;
    if (looks >= max) onGiveUp();
    else wait();
  };
  wait();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
