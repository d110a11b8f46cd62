import { useCallback, useEffect, useRef, useState } from 'react';

/** How long a decision can be undone before it is sent. */
const UNDO_MS = 5000;

/**
 * Holds one decision for five seconds so that it can be undone; then, or when the next decision follows or the page is left or hidden, it is
 * sent. If the browser is closed before it is sent, the record stays undecided in the queue.
 */
export function useHeld<Item>(send: (item: Item) => Promise<void>): {
  held: Item | null;
  hold: (item: Item) => void;
  /** Undoes the pending decision; null when there is none. */
  undo: () => Item | null;
} {
  const [held, setHeld] = useState<Item | null>(null);
  const waiting = useRef<{ item: Item; timer: number } | null>(null);
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  const take = useCallback((): Item | null => {
    const taken = waiting.current;
    if (!taken) return null;
    clearTimeout(taken.timer);
    waiting.current = null;
    setHeld(null);
    return taken.item;
  }, []);
  const flush = useCallback((): void => {
    const item = take();
    if (item !== null) void latest.current(item);
  }, [take]);
  useEffect(() => {
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') flush();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      flush();
    };
  }, [flush]);
  const hold = (item: Item): void => {
    flush();
    waiting.current = { item, timer: window.setTimeout(flush, UNDO_MS) };
    setHeld(item);
  };
  return { held, hold, undo: take };
}
