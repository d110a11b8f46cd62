import { serverResponds } from '../api/server-health.ts';

const KEY = 'chunkReloadedAt';
/** A second failure within this time is not caused by a stale page, so reloading again would loop. */
const AGAIN_MS = 10_000;
/** A navigation that has not replaced the page after this time was a download or was cancelled. */
const LEAVING_MS = 30_000;

let leftAt = Number.NEGATIVE_INFINITY;
let isLostWhileLeaving = false;

/**
 * Whether a navigation to another document is in progress. Firefox then cancels all pending requests of this page, possibly seconds before the
 * next one arrives: a script whose request was cancelled is not missing, and a reload would cancel the navigation.
 */
export const isLeaving = (): boolean => performance.now() - leftAt < LEAVING_MS;

/** Whether the page may be reloaded for a missing script; the call itself counts as a reload. */
export function mayReload(): boolean {
  if (isLeaving()) {
    isLostWhileLeaving = true;
    return false;
  }
  if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < AGAIN_MS) return false;
  sessionStorage.setItem(KEY, String(Date.now()));
  return true;
}

/** Loads in progress of parts that the page does not need. */
let dispensable = 0;

/** Loads a script without which the page still works. Its failure does not reload the page, which would lose what the user has typed. */
export async function withoutReload<T>(load: () => Promise<T>): Promise<T> {
  dispensable += 1;
  try {
    return await load();
  } finally {
    dispensable -= 1;
  }
}

/**
 * Reloads the page once when a script of an older release is missing (product.md 8, 'chunk-loading failure'). Without a
 * server there is nothing to load: the page stays, and the component that needed the script shows an error.
 */
export function reloadOnMissingChunk(): void {
  window.addEventListener('beforeunload', () => {
    leftAt = performance.now();
  });
  // Restored by going back: load the script whose request was cancelled.
  window.addEventListener('pageshow', ({ persisted }) => {
    const wasLost = isLostWhileLeaving;
    leftAt = Number.NEGATIVE_INFINITY;
    isLostWhileLeaving = false;
    if (persisted && wasLost) window.location.reload();
  });
  window.addEventListener('vite:preloadError', () => {
    if (dispensable > 0) return;
    if (isLeaving()) {
      isLostWhileLeaving = true;
      return;
    }
    void serverResponds().then((isUp) => {
      if (isUp && mayReload()) window.location.reload();
    });
  });
}
