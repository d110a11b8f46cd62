import { isNetworkFailure } from '#web/lib/api-failure.ts';

/** What a store of text must do; `sessionStorage` does. */
export type KeyStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface SavedKey {
  key: string;
  body: string;
}

const PREFIX = 'intent:';

function read(store: KeyStore, intent: string): SavedKey | null {
  try {
    const value = JSON.parse(store.getItem(PREFIX + intent) ?? 'null') as Partial<SavedKey> | null;
    return typeof value?.key === 'string' && typeof value.body === 'string' ? (value as SavedKey) : null;
  } catch {
    return null;
  }
}

/**
 * The idempotency key of one thing that the user means to do once. It is written down before anything is sent, so that
 * a retry and a reload send the same key, and the server answers the same. Another body is another intent and gets a
 * new key. `body` must hold no secret.
 */
export function intentKey(intent: string, body: unknown, make: () => string, store: KeyStore = sessionStorage): string {
  const text = JSON.stringify(body);
  const saved = read(store, intent);
  if (saved?.body === text) return saved.key;
  const key = make();
  try {
    store.setItem(PREFIX + intent, JSON.stringify({ key, body: text } satisfies SavedKey));
  } catch {
    // A full or forbidden store leaves the key for this attempt only.
  }
  return key;
}

/** Ends an intent: it was answered, so the same act again is a new one. */
export function intentDone(intent: string, store: KeyStore = sessionStorage): void {
  try {
    store.removeItem(PREFIX + intent);
  } catch {
    // Nothing was kept then.
  }
}

/** Whether a failure leaves it open what happened: nothing came back, or the server itself failed. The key must be kept. */
export function isOutcomeOpen(failure: { status: number }): boolean {
  return isNetworkFailure(failure) || failure.status >= 500;
}
