import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** Maximum age of an open order's data, in ms. */
const REFRESH_MS = 5_000;

/** Reloads the page's data while it may change: every 5 s while the page is visible, and when it becomes visible. */
export function useAutoRefresh(running: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!running) return;
    const refresh = () => {
      // Text in a dialog is kept: only loader data is reloaded. Offline, a failed reload would show the error page.
      if (document.visibilityState === 'visible' && navigator.onLine) void revalidate();
    };
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [running, revalidate]);
}
