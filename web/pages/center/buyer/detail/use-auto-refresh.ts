import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** How long the data of a running order may be behind, in ms. */
const REFRESH_MS = 5_000;

/** Loads the page's data again while it may change: every 5 s that the page is in front, and when it comes back. */
export function useAutoRefresh(running: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!running) return;
    const refresh = () => {
      // What is being typed in a dialog stays: only the data under it is renewed. Offline the look would end in the error page.
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
