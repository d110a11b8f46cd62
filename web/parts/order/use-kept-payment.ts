import { useMemo, useSyncExternalStore } from 'react';
import { type KeptPayment, keptPayment, keptText, subscribeKept } from './kept-payment.ts';

/** The payment that is being waited for on this screen; survives a reload, ends with its time. `now` is the server's. */
export function useKeptPayment(of: string, now: string): KeptPayment | null {
  const text = useSyncExternalStore(
    subscribeKept,
    () => keptText(of),
    () => null,
  );
  return useMemo(() => keptPayment(text, now), [text, now]);
}
