import type { KeyStore } from '#web/lib/intent-key.ts';
import type { Payment } from './use-payment.ts';

const PREFIX = 'payment:';

/** A payment that a reload, or the way back from the channel's page, finds again. `channelName` is what its code is called. */
export interface SavedPayment {
  payment: Payment;
  channelName: string;
}

const listeners = new Set<() => void>();

/** Writes down the payment that is being waited for, or forgets it; `of` is what it pays. */
export function savePayment(of: string, saved: SavedPayment | null, store: KeyStore = sessionStorage): void {
  try {
    if (saved) store.setItem(PREFIX + of, JSON.stringify(saved));
    else store.removeItem(PREFIX + of);
  } catch {
    // Without a store the payment is lost on a reload, and another can be made.
  }
  for (const listener of listeners) listener();
}

/** What is written down for `of`, as its text; null when nothing is. */
export function savedText(of: string, store: KeyStore = sessionStorage): string | null {
  try {
    return store.getItem(PREFIX + of);
  } catch {
    return null;
  }
}

/** The payment of a text, when it had not expired at `now` (ISO time of the server); null otherwise. */
export function savedPayment(text: string | null, now: string): SavedPayment | null {
  try {
    const saved = JSON.parse(text ?? 'null') as SavedPayment | null;
    return saved && Date.parse(saved.payment.expireTime) > Date.parse(now) ? saved : null;
  } catch {
    return null;
  }
}

/** For useSyncExternalStore. */
export function subscribeSavedPayment(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
