import { useMemo, useSyncExternalStore } from 'react';
import { type SavedPayment, savedPayment, savedText, subscribeSavedPayment } from './saved-payment.ts';

/** The payment that is being waited for on this screen; survives a reload, ends with its time. `now` is the server's. */
export function useSavedPayment(of: string, now: string): SavedPayment | null {
  const text = useSyncExternalStore(
    subscribeSavedPayment,
    () => savedText(of),
    () => null,
  );
  return useMemo(() => savedPayment(text, now), [text, now]);
}
