import { serverResponds } from './server-health.ts';

const KEY = 'chunkReloadedAt';
/** A second failure within this time is not a stale page, so reloading again would only loop. */
const AGAIN_MS = 10_000;

/** Whether the page may be loaded afresh for a script that is gone; asking counts as doing it. */
export function mayReload(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < AGAIN_MS) return false;
  sessionStorage.setItem(KEY, String(Date.now()));
  return true;
}

/**
 * Reloads the page once when a script of an older release is gone (product.md 8, 'chunk-loading failure'). Without a server there is
 * nothing to load: then the page stays, and whoever wanted the script says so.
 */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', () => {
    void serverResponds().then((isUp) => {
      if (isUp && mayReload()) window.location.reload();
    });
  });
}
