import type { Logger } from 'pino';
import { BUS_GAP, type Bus } from '#server/ports/bus.ts';

/** A value kept in memory that follows the database. */
export interface Reloaded<T> {
  current(): T;
  /** Loads again. If loads overlap, the one that began last wins. Throws what the load throws. */
  reload(): Promise<void>;
  /** Stops following and waits for a load in progress: afterwards the database may be closed. */
  close(): Promise<void>;
}

/**
 * Loads a value, and reloads it on a bus channel and when messages on it may have been lost. A failed reload keeps the old value and is
 * logged as `${what} not reloaded`. Throws when the first load fails.
 */
export async function openReloaded<T>(
  { bus, log }: { bus: Bus; log: Logger },
  { channel, what, load }: { channel: string; what: string; load: () => Promise<T> },
): Promise<Reloaded<T>> {
  let current = await load();
  let started = 0;
  let applied = 0;
  const underway = new Set<Promise<void>>();
  const reload = async (): Promise<void> => {
    started += 1;
    const number = started;
    const loaded = await load();
    // A slow load that began earlier must not replace a newer one.
    if (number < applied) return;
    applied = number;
    current = loaded;
  };
  const follow = (): void => {
    const one = reload()
      .catch((error: unknown) => log.error({ error: String(error) }, `${what} not reloaded`))
      .finally(() => underway.delete(one));
    underway.add(one);
  };
  const ends = [channel, BUS_GAP].map((name) => bus.subscribe(name, follow));
  return {
    current: () => current,
    reload,
    async close() {
      for (const end of ends) end();
      await Promise.all(underway);
    },
  };
}
