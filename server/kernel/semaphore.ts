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

/** A separate semaphore for each key, which is dropped when it has no tasks left. */
export function semaphores(
  limit: number,
  maxPending: number,
  onFull: () => never,
): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const byKey = new Map<string, { run: ReturnType<typeof semaphore>; tasks: number }>();
  return async (key, work) => {
    const own = byKey.get(key) ?? { run: semaphore(limit, maxPending, onFull), tasks: 0 };
    byKey.set(key, own);
    own.tasks += 1;
    try {
      return await own.run(work);
    } finally {
      own.tasks -= 1;
      if (own.tasks === 0) byKey.delete(key);
    }
  };
}
