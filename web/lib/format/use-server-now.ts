import { useCallback, useState } from 'react';

/**
 * The server's time on this screen: `now` is the server's time of the page's data. For countdowns that start long after
 * the page was loaded.
 */
export function useServerNow(now: string): () => string {
  const [skew] = useState(() => Date.parse(now) - Date.now());
  return useCallback(() => new Date(Date.now() + skew).toISOString(), [skew]);
}
