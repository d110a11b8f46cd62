import type { KeyStore } from '#web/lib/intent-key.ts';
import type { Payment } from './use-payment.ts';

const PREFIX = 'payment:';

/**
 * A payment that can be restored after a reload, or on return from the channel's page. `channelName` is the display
 * name of its channel.
 */
export interface SavedPayment {
  payment: Payment;
  channelName: string;
}

const listeners = new Set<() => void>();

/** Saves the pending payment, or deletes it; `of` identifies what it pays. */
export function savePayment(of: string, saved: SavedPayment | null, store: KeyStore = sessionStorage): void {
  try {
    if (saved) store.setItem(PREFIX + of, JSON.stringify(saved));
    else store.removeItem(PREFIX + of);
  } catch {
    // Without storage the payment is lost on a reload, and another one can be created.
  }
  for (const listener of listeners) listener();
}

/** The saved payment of `of`, as text; null when there is none. */
export function savedText(of: string, store: KeyStore = sessionStorage): string | null {
  try {
    return store.getItem(PREFIX + of);
  } catch {
    return null;
  }
}

/** Parses a saved payment; null when it had expired at `now` (ISO time of the server). */
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
