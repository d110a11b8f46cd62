/**
 * Runs heavy work so many at a time; others wait in order. More than `maxWaiting` waiting and `full` is called, which throws.
 */
export function turns(
  atOnce: number,
  maxWaiting: number,
  full: () => never,
): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) full();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
