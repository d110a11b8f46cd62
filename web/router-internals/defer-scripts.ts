/**
 * When a page's scripts start. The server renders a complete page, and input before the scripts listen is queued
 * (`lib/loading/pre-hydration.ts`), so the scripts wait until the page has been painted: on a phone's connection they would compete with the page's own text,
 * and on a phone's processor their compilation would delay the first paint.
 */

/** The inert names of a module preload and a module script in a page's text, under which no browser starts them. */
export const LATER = 'later';

/**
 * A rendered page whose scripts wait for `startScripts` (web/head/start-scripts.ts).
 *
 * @param html React's output; the router's own module script and preloads are recognised by how the router writes them
 */
export function startLater(html: string): string {
  return html
    .replaceAll('<link rel="modulepreload"', `<link rel="${LATER}"`)
    .replace(/(<script [^>]*?)type="module" async=""/, `$1type="${LATER}"`);
}
