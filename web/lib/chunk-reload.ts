const KEY = 'chunkReloadedAt';
/** A second failure within this time is not a stale page, so reloading again would only loop. */
const AGAIN_MS = 10_000;

/** Reloads the page once when a script of an older release is gone (product.md 8, 'chunk-loading failure'). */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < AGAIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    window.location.reload();
  });
}
