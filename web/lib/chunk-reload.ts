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

/**
 * Reloads the page once when a script of an older release is missing (product.md 8, 'chunk-loading failure'). Without a
 * server there is nothing to load: the page stays, and the component that needed the script shows an error.
 */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', () => {
    void serverResponds().then((isUp) => {
      if (isUp && mayReload()) window.location.reload();
    });
  });
}
