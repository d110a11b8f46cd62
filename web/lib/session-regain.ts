import { clearHints, cookie } from './cookies.ts';

/** A request to log in again, shown by the host in the root; there is one at a time. */
export interface RegainRequest {
  /** true once a session is there again, false when the dialog was closed. */
  settle: (isSignedIn: boolean) => void;
}

let current: RegainRequest | null = null;
let pending: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

/** Who the page was made for: the page's forms hold what this person typed. */
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

/** The request on screen. */
export function currentRegain(): RegainRequest | null {
  return current;
}

/** Whether a lost session can be had back on this page: somebody was signed in when it was loaded. A visitor goes to the log-in page. */
export function canRegain(): boolean {
  return wasSignedIn;
}

/**
 * Opens the log-in in a dialog and answers whether the same person is signed in again. Several calls that lose the session at once share one
 * dialog. When another person logs in, the page is loaded anew: what was typed was not theirs to send.
 */
export function regainSession(): Promise<boolean> {
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
