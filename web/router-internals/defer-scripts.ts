/**
 * When a page's scripts start. The server renders a complete page, and input before the scripts listen is queued
 * (`lib/pre-hydration.ts`), so the scripts wait until the page has been painted: on a phone's connection they would compete with the page's own text,
 * and on a phone's processor their compilation would delay the first paint.
 */

/** The inert names of a module preload and a module script in a page's text, under which no browser starts them. */
const LATER = 'later';

/** After the first paint scripts wait for the page's main picture, but no longer than this. */
const PICTURE_TIMEOUT_MS = 250;
/** In a browser that does not report its paints, the scripts start this long after the page has loaded. */
const NO_PAINT_TIMING_MS = 500;

/**
 * The script in the page's head that starts the other scripts: immediately in a hidden page, else two frames after the first paint
 * and the picture with the highest priority; at the latest half a second after the page has loaded. Content added by scripts
 * needs the whole style sheet, so they also wait for the rest of it (`lib/style-file.ts`), and in older browsers for the polyfills
 * (`older/start.ts`).
 */
export const startScript =
  '(function(d,w){var asked,read,begun;' +
  `function go(){asked=1;d.querySelectorAll('link[rel=${LATER}]').forEach(function(p){p.rel='modulepreload'});` +
  `var s=d.querySelector('script[type=${LATER}]'),n;if(!read||begun||!s||w.styleRest||w.olderWait)return;begun=1;` +
  "n=d.createElement('script');n.type='module';n.nonce=s.nonce;n.text=s.text;d.head.appendChild(n)}" +
  'function frames(){requestAnimationFrame(function(){requestAnimationFrame(function(){setTimeout(go)})})}' +
  "function seen(){var p=d.querySelector('img[fetchpriority=high]');" +
  `setTimeout(go,${PICTURE_TIMEOUT_MS});p?p.decode().then(frames,frames):frames()}` +
  "d.addEventListener('DOMContentLoaded',function(){read=1;if(asked)go()});" +
  "d.addEventListener('styled',function(){if(asked)go()});" +
  `w.addEventListener('load',function(){setTimeout(go,${NO_PAINT_TIMING_MS})});` +
  "if(d.visibilityState=='hidden')go();" +
  'else try{new PerformanceObserver(function(l,o){' +
  "if(l.getEntriesByName('first-contentful-paint').length){o.disconnect();seen()}" +
  "}).observe({type:'paint',buffered:true})}catch(e){}})(document,window)";

/**
 * A rendered page whose scripts wait for `startScript`.
 *
 * @param html React's output; the router's own module script and preloads are recognised by how the router writes them
 */
export function startLater(html: string): string {
  return html
    .replaceAll('<link rel="modulepreload"', `<link rel="${LATER}"`)
    .replace(/(<script [^>]*?)type="module" async=""/, `$1type="${LATER}"`);
}
