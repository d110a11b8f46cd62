import { useMemo, useSyncExternalStore } from 'react';
import { type SavedPayment, savedPayment, savedText, subscribeSavedPayment } from './saved-payment.ts';

/** The pending payment of this screen; survives a reload, ends at its expiry. `now` is the server's time. */
export function useSavedPayment(of: string, now: string): SavedPayment | null {
  const text = useSyncExternalStore(
    subscribeSavedPayment,
    () => savedText(of),
    () => null,
  );
  return useMemo(() => savedPayment(text, now), [text, now]);
}
