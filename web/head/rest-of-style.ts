/** The page's scripts wait for the rest of the style sheet, but no longer than this. */
const TIMEOUT_MS = 1500;
const RETRY_MS = 1000;
const RETRY_MAX_MS = 30_000;
const YEAR_SECONDS = 31_536_000;

/**
 * A page that contains only its own part of the style sheet loads the whole sheet when its text has been read; until then, or until a time-out,
 * `window.styleRest` is true, and the document then receives the event `styled`. A cookie then records that the browser has the file, and the
 * next page imports it. A failed load is retried at increasing intervals.
 */
export function loadRestOfStyle(url: string, cookie: string): void {
  const end = (): void => {
    if (!window.styleRest) return;
    window.styleRest = false;
    document.dispatchEvent(new Event('styled'));
  };
  const load = (own: Element, retryMs: number): void => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = url;
    link.onerror = () => {
      link.remove();
      end();
      setTimeout(load, retryMs, own, Math.min(2 * retryMs, RETRY_MAX_MS));
    };
    link.onload = () => {
      document.cookie = `${cookie};path=/;max-age=${YEAR_SECONDS};samesite=lax`;
      end();
    };
    own.insertAdjacentElement('afterend', link);
  };
  document.addEventListener('DOMContentLoaded', () => {
    const own = document.getElementById('app-css');
    if (!own || own.textContent?.startsWith('@import')) return;
    window.styleRest = true;
    load(own, RETRY_MS);
    setTimeout(end, TIMEOUT_MS);
  });
}
