import { clearHints, cookie } from './cookies.ts';

/** A request to log in again, rendered by the host in the root; there is one at a time. */
export interface RegainRequest {
  /** true once there is a session again, false when the dialog was closed. */
  settle: (isSignedIn: boolean) => void;
}

let current: RegainRequest | null = null;
let pending: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

/** The user for whom the page was loaded: its forms contain this user's input. */
const signedInAs = (): string | null => cookie('userId') ?? cookie('nickName');
const owner = typeof document === 'undefined' ? null : signedInAs();
const wasSignedIn = typeof document !== 'undefined' && cookie('token') !== null;

function publish(next: RegainRequest | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export function subscribeRegain(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current request. */
export function currentRegain(): RegainRequest | null {
  return current;
}

/**
 * Whether an ended session can be restored on this page: a user was signed in when it was loaded. A visitor goes to the
 * log-in page instead.
 */
export function canRegain(): boolean {
  return wasSignedIn;
}

/**
 * Opens the log-in in a dialog and resolves to whether the same user is signed in again. Several calls whose session
 * ends at the same time share one dialog. When another user logs in, the page is reloaded, because the input is not
 * theirs.
 */
export function logInAgain(): Promise<boolean> {
  if (!canRegain()) return Promise.resolve(false);
  pending ??= new Promise<boolean>((resolve) => {
    clearHints();
    publish({
      settle: (isSignedIn) => {
        publish(null);
        pending = null;
        const isOther = isSignedIn && owner !== null && signedInAs() !== owner;
        if (isOther) window.location.reload();
        else resolve(isSignedIn);
      },
    });
  });
  return pending;
}
