import { isNetworkFailure } from '#web/lib/api/api-failure.ts';

/** The methods of a text store that are needed; `sessionStorage` has them. */
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
 * The idempotency key of one intended operation of the user. It is saved before anything is sent, so that a retry and a
 * reload send the same key, and the server returns the same result. A different body is a different intent and gets a
 * new key. `body` must not contain secrets.
 */
export function intentKey(intent: string, body: unknown, make: () => string, store: KeyStore = sessionStorage): string {
  const text = JSON.stringify(body);
  const saved = read(store, intent);
  if (saved?.body === text) return saved.key;
  const key = make();
  try {
    store.setItem(PREFIX + intent, JSON.stringify({ key, body: text } satisfies SavedKey));
  } catch {
    // With a full or blocked store the key lasts for this attempt only.
  }
  return key;
}

/** Ends an intent after its response, so that the same action is then a new one. */
export function intentDone(intent: string, store: KeyStore = sessionStorage): void {
  try {
    store.removeItem(PREFIX + intent);
  } catch {
    // In that case nothing was saved.
  }
}

/** Whether a failure leaves the result unknown: no response, or a server error. The key must be kept. */
export function isOutcomeOpen(failure: { status: number }): boolean {
  return isNetworkFailure(failure) || failure.status >= 500;
}
