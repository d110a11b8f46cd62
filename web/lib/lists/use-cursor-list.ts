import { useEffect, useRef, useState } from 'react';
import { asFailure, readFailureMessage } from '../api/call-errors.ts';

interface Page<T> {
  list: readonly T[];
  next: string | null;
}

/**
 * A list with cursor paging, starting with the loader's page. A new first page (another filter, fresh data) restarts
 * it; a failure keeps the loaded rows and can be retried.
 */
export function useCursorList<T>(
  first: Page<T>,
  load: (cursor: string) => Promise<Page<T>>,
  idOf: (item: T) => string | number,
): { items: readonly T[]; next: string | null; busy: boolean; error: string | null; more: () => void } {
  const [grown, setGrown] = useState<Page<T>>(first);
  // oxlint-disable-next-line forms/no-busy-flag -- this hook is the one way for lists
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const begun = useRef(first);
  useEffect(() => {
    if (begun.current === first) return;
    begun.current = first;
    setGrown(first);
    setError(null);
  }, [first]);

  const more = async () => {
    if (!grown.next || busy) return;
    setBusy(true);
    setError(null);
    const from = begun.current;
    try {
      const page = await load(grown.next);
      if (begun.current !== from) return;
      const existing = new Set(grown.list.map(idOf));
      setGrown({ list: [...grown.list, ...page.list.filter((item) => !existing.has(idOf(item)))], next: page.next });
    } catch (thrown) {
      setError(readFailureMessage(asFailure(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return { items: grown.list, next: grown.next, busy, error, more: () => void more() };
}
