import { serverResponds } from './server-health.ts';

const KEY = 'chunkReloadedAt';
/** A second failure within this time is not caused by a stale page, so reloading again would loop. */
const AGAIN_MS = 10_000;

/** Whether the page may be reloaded for a missing script; the call itself counts as a reload. */
export function mayReload(): boolean {
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
  window.addEventListener('vite:preloadError', () => {
    if (dispensable > 0) return;
    void serverResponds().then((isUp) => {
      if (isUp && mayReload()) window.location.reload();
    });
  });
}
