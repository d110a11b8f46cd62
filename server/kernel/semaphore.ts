/**
 * A semaphore: runs at most `limit` tasks at a time, the others in order of arrival. When `maxPending` tasks are waiting, `onFull` is
 * called, which throws; without a limit all wait.
 */
export function semaphore(
  limit: number,
  maxPending = Number.POSITIVE_INFINITY,
  onFull?: () => never,
): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const pending: (() => void)[] = [];
  return async (work) => {
    if (running >= limit) {
      if (pending.length >= maxPending) onFull?.();
      await new Promise<void>((resolve) => pending.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = pending.shift();
      if (next) next();
      else running--;
    }
  };
}
