import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { whileVisible } from '#web/lib/api/while-visible.ts';

/** Maximum age of an open order's data, in ms. */
const REFRESH_MS = 5_000;

/** Reloads the page's data while it may change: every 5 s while the page is visible, and when it becomes visible. */
export function useAutoRefresh(running: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    // Text in a dialog is kept: only loader data is reloaded.
    return running ? whileVisible(() => void revalidate(), REFRESH_MS) : undefined;
  }, [running, revalidate]);
}
