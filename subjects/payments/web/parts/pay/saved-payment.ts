import type { KeyStore } from '#web/lib/api/intent-key.ts';
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

/** Saves a payment that was just made; on a phone the page continues to the payment. */
export function leaveToPay(of: string, saved: SavedPayment): void {
  savePayment(of, saved);
  if (saved.payment.goUrl !== null) window.location.assign(saved.payment.goUrl);
}

/** Whether the payment with this token was made in this tab, which can then show its result. */
export function isMadeHere(
  payRand: string,
  store: KeyStore & Partial<Pick<Storage, 'length' | 'key'>> = sessionStorage,
): boolean {
  const names = Array.from({ length: store.length ?? 0 }, (_, i) => store.key?.(i) ?? '');
  return names.some((name) => name.startsWith(PREFIX) && (store.getItem(name) ?? '').includes(`"${payRand}"`));
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
