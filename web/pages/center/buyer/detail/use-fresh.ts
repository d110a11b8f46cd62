import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** How long the data of a running order may be behind, in ms. */
const FRESH_MS = 5_000;

/** Loads the page's data again while it may change: every 5 s that the page is in front, and when it comes back. */
export function useFresh(running: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!running) return;
    const look = () => {
      // What is being typed in a dialog stays: only the data under it is renewed. Offline the look would end in the error page.
      if (document.visibilityState === 'visible' && navigator.onLine) void revalidate();
    };
    const timer = setInterval(look, FRESH_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [running, revalidate]);
}
